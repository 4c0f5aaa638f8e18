import TermindInfrastructure
import TermindTestSupport
import Testing

/// The tests' own wait: it must end whatever the code under test does.
@Suite("Deadlines of tests", .timeLimit(.minutes(3))) struct DeadlineTests {
  /// Suspends for ever, cancelled or not, until the box lets it go.
  private final class Stuck: Sendable {
    private let waiter = Locked<CheckedContinuation<Void, Never>?>(nil)

    func wait() async {
      await withCheckedContinuation { continuation in waiter.withLock { $0 = continuation } }
    }

    deinit { waiter.withLock { $0 }?.resume() }
  }

  @Test("what never ends is left behind when its time is over") func neverEnds() async {
    let stuck = Stuck()
    await #expect(throws: TestFailure.self) {
      try await withDeadline("nothing", seconds: 0) { [weak stuck] in await stuck?.wait() }
    }
  }

  @Test("a cancelled test does not wait for what never ends") func cancelled() async {
    let stuck = Stuck()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await withDeadline("nothing", seconds: 3_600) { [weak stuck] in
        begin.yield()
        await stuck?.wait()
      }
    }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("what ends in time is returned, and its error thrown") func inTime() async throws {
    #expect(try await withDeadline("a number") { 7 } == 7)
    await #expect(throws: TestFailure.self) {
      try await withDeadline("an error") { throw TestFailure("mine") }
    }
  }
}
