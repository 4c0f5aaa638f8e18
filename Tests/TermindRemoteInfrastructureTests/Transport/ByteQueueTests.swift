import Testing

@testable import TermindRemoteInfrastructure

@Suite("Byte queue") struct ByteQueueTests {
  @Test("bytes come out as they went in, whatever the pieces")
  func pieces() {
    var generator = SystemRandomNumberGenerator()
    let queue = ByteQueue(capacity: 64)
    var expected: [UInt8] = []
    var found: [UInt8] = []
    var next: UInt8 = 0
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...200, using: &generator)
      let bytes = (0..<count).map { _ -> UInt8 in
        next &+= 1
        return next
      }
      queue.append(bytes)
      expected += bytes
      var room = [UInt8](repeating: 0, count: Int.random(in: 0...220, using: &generator))
      let taken = room.withUnsafeMutableBytes { queue.take(into: $0) }
      found += room[..<taken]
    }
    queue.withBytes { found += [UInt8]($0) }
    #expect(found == expected)
  }

  @Test("a fill that fails adds nothing")
  func failedFill() {
    let queue = ByteQueue()
    queue.append([1, 2])
    #expect(queue.append(upTo: 100) { _ in -1 } == -1)
    #expect(
      queue.append(upTo: 100) { room in
        room[0] = 3
        return 1
      } == 1
    )
    #expect(queue.withBytes { [UInt8]($0) } == [1, 2, 3])
    queue.removeAll()
    #expect(queue.isEmpty)
  }
}
