import Testing

@testable import TermindInfrastructure

@Suite("Input queue") struct InputQueueTests {
  @Test("gives the bytes back in order, whatever is taken at a time", arguments: [1, 3, 7, 1000])
  func order(step: Int) {
    var queue = InputQueue()
    var expected: [UInt8] = []
    for size in 0..<200 {
      let piece = (0..<size).map { UInt8(truncatingIfNeeded: $0 + size) }
      queue.append(piece)
      expected += piece
    }
    #expect(queue.count == expected.count)
    var found: [UInt8] = []
    while let next = queue.next {
      let taken = next.prefix(step)
      found += taken
      queue.drop(taken.count)
    }
    #expect(found == expected)
    #expect(queue.isEmpty)
  }
}
