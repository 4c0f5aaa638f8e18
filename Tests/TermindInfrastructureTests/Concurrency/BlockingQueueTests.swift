import Testing

@testable import TermindInfrastructure

@Suite("Blocking queue", .timeLimit(.minutes(3))) struct BlockingQueueTests {
  @Test("a thread that takes gets everything in order, also what comes while it sleeps")
  func order() async throws {
    let queue = BlockingQueue<Int>()
    queue.put(1)
    let sum: [Int] = try await withCheckedThrowingContinuation { continuation in
      do {
        try NamedThread.start(name: "taker") {
          continuation.resume(returning: (0..<3).map { _ in queue.take() })
        }
        queue.put(2)
        queue.put(3)
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(sum == [1, 2, 3])
  }
}
