import Testing

@testable import TermindInfrastructure

@Suite("Timer queue") struct TimerQueueTests {
  private let start = ContinuousClock.now

  private func makeQueue(_ milliseconds: [Int]) -> TimerQueue {
    var queue = TimerQueue()
    for (index, delay) in milliseconds.enumerated() {
      queue.insert(
        TimerQueue.Entry(deadline: at(delay), number: UInt64(index)) {}
      )
    }
    return queue
  }

  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  @Test("timers fall due by deadline, then in the order in which they were set")
  func order() {
    var queue = makeQueue([50, 10, 30, 10, 20])
    let due = queue.takeDue(at: at(30), limit: 10).map(\.number)
    #expect(due == [1, 3, 4, 2])
    let next = queue.next
    #expect(next == at(50))
  }

  @Test("a cancelled timer is not due, and cancelling twice is told apart")
  func cancel() {
    var queue = makeQueue([10, 20])
    let cancelled = [queue.cancel(0), queue.cancel(0), queue.cancel(99)]
    #expect(cancelled == [true, false, false])
    let next = queue.next
    #expect(next == at(20))
    let due = queue.takeDue(at: at(100), limit: 10).map(\.number)
    #expect(due == [1])
    let late = queue.cancel(1)
    #expect(!late)
  }

  @Test("the limit leaves the rest for the next turn")
  func limit() {
    var queue = makeQueue([1, 2, 3])
    let first = queue.takeDue(at: at(9), limit: 2).map(\.number)
    let rest = queue.takeDue(at: at(9), limit: 2).map(\.number)
    let next = queue.next
    #expect(first == [0, 1])
    #expect(rest == [2])
    #expect(next == nil)
  }

  @Test("many cancelled timers below the root are dropped, and the others stay in order")
  func bulkCancel() {
    var queue = makeQueue(Array(1...1_000))
    for number in 1..<990 { queue.cancel(UInt64(number)) }
    let due = queue.takeDue(at: at(2_000), limit: 2_000).map(\.number)
    #expect(due == [0] + Array(990..<1_000))
  }
}
