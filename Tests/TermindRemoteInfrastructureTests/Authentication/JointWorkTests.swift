import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Work that attempts share", .timeLimit(.minutes(3))) struct JointWorkTests {
  private typealias Work = JointWork<String, Int>

  /// Work that gives its result when it is told to, and nil when its task is cancelled before.
  private final class Gate: Sendable {
    private let state = Locked<(starts: Int, waiter: CheckedContinuation<Int?, Never>?)>((0, nil))

    var starts: Int { state.withLock { $0.starts } }

    func wait() async -> Int? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          state.withLock { state in
            state.starts += 1
            state.waiter = continuation
          }
          if Task.isCancelled { open(nil) }
        }
      } onCancel: {
        open(nil)
      }
    }

    func open(_ value: Int?) {
      state.withLock { state in
        let waiter = state.waiter
        state.waiter = nil
        return waiter
      }?.resume(returning: value)
    }
  }

  private func wait(_ work: Work, for count: Int?) async throws {
    try await waitUntil("\(String(describing: count)) to wait") {
      await work.waiting(for: "a") == count
    }
  }

  @Test("those who come while one works get the same result, and later ones do not")
  func shares() async throws {
    let work = Work()
    let gate = Gate()
    let tasks = (0..<5).map { _ in Task { await work.value(for: "a") { await gate.wait() } } }
    try await wait(work, for: 4)
    gate.open(7)
    for task in tasks { #expect(await task.value == 7) }
    #expect(gate.starts == 1)
    #expect(await work.waiting(for: "a") == nil)
    #expect(await work.value(for: "a") { 8 } == 8)
  }

  @Test("a result that is for one alone leaves the work to the next who waits")
  func alone() async throws {
    let work = Work()
    let gates = (0..<2).map { _ in Gate() }
    var tasks: [Task<Int?, Never>] = []
    for (index, gate) in gates.enumerated() {
      tasks.append(
        Task { await work.value(for: "a", isShared: { $0 > 0 }) { await gate.wait() } }
      )
      try await wait(work, for: index)
    }
    gates[0].open(0)
    #expect(await tasks[0].value == 0)
    try await waitUntil("the next one") { gates[1].starts == 1 }
    gates[1].open(6)
    #expect(await tasks[1].value == 6)
  }

  @Test("other subjects do not wait")
  func others() async throws {
    let work = Work()
    let gate = Gate()
    let task = Task { await work.value(for: "a") { await gate.wait() } }
    try await wait(work, for: 0)
    #expect(await work.value(for: "b") { 1 } == 1)
    gate.open(2)
    #expect(await task.value == 2)
  }

  @Test("when the one who works is cancelled, the next one works and the rest wait for that")
  func cancelledWorker() async throws {
    let work = Work()
    let gates = (0..<3).map { _ in Gate() }
    var tasks: [Task<Int?, Never>] = []
    for (index, gate) in gates.enumerated() {
      tasks.append(Task { await work.value(for: "a") { await gate.wait() } })
      try await wait(work, for: index)
    }
    tasks[0].cancel()
    #expect(await tasks[0].value == nil)
    try await waitUntil("the next one") { gates[1].starts + gates[2].starts > 0 }
    try await wait(work, for: 1)
    #expect(gates[1].starts + gates[2].starts == 1)
    for gate in gates { gate.open(5) }
    #expect(await tasks[1].value == 5)
    #expect(await tasks[2].value == 5)
  }

  @Test("one who waits may leave at once")
  func cancelledWaiter() async throws {
    let work = Work()
    let gate = Gate()
    let first = Task { await work.value(for: "a") { await gate.wait() } }
    try await wait(work, for: 0)
    let second = Task { await work.value(for: "a") { 9 } }
    try await wait(work, for: 1)
    second.cancel()
    #expect(await second.value == nil)
    #expect(await work.waiting(for: "a") == 0)
    gate.open(3)
    #expect(await first.value == 3)
  }
}
