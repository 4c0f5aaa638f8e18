import TermindUnicode
import Testing

/// The memory of what clusters become.
@Suite("Cluster memo") struct ClusterMemoTests {
  @Test("finds what was remembered, and nothing else")
  func finding() {
    var memo = ClusterMemo()
    #expect(memo.entry(of: 0x65, adding: 0x301) == nil)
    memo.remember(.init(number: 7, columns: 1), of: 0x65, adding: 0x301)
    memo.remember(.init(number: .max, columns: 2), of: 1 << 42, adding: 0x1F3FD)
    #expect(memo.entry(of: 0x65, adding: 0x301) == .init(number: 7, columns: 1))
    #expect(memo.entry(of: 1 << 42, adding: 0x1F3FD) == .init(number: .max, columns: 2))
    #expect(memo.entry(of: 0x66, adding: 0x301) == nil)
    #expect(memo.entry(of: 0x65, adding: 0x302) == nil)
    memo.removeAll()
    #expect(memo.entry(of: 0x65, adding: 0x301) == nil)
  }

  @Test("never answers wrongly, however full it is")
  func crowding() {
    var memo = ClusterMemo()
    var found = 0
    for cluster: UInt64 in 0..<5_000 {
      memo.remember(
        .init(number: UInt32(cluster) &* 3, columns: Int(cluster % 3)),
        of: cluster,
        adding: 0x301
      )
    }
    for cluster: UInt64 in 0..<5_000 {
      guard let entry = memo.entry(of: cluster, adding: 0x301) else { continue }
      found += 1
      #expect(entry == .init(number: UInt32(cluster) &* 3, columns: Int(cluster % 3)))
    }
    #expect(found > 500)
  }
}
