import TermindInfrastructure

/// Runs `body`, and throws when it has not ended after `seconds`, or as soon as the task is cancelled.
///
/// Neither waits for `body`, which is cancelled and left behind: what never ends cannot hold up the test.
public func withDeadline<Value: Sendable>(
  _ what: String,
  seconds: Int = 90,
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let outcome = FirstOutcome<Value>()
  let work = Task {
    do { outcome.settle(.success(try await body())) } catch { outcome.settle(.failure(error)) }
  }
  let timer = Task {
    // A cancelled sleep means that nobody waits any more.
    guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
    outcome.settle(.failure(TestFailure("waited \(seconds) s for \(what)")))
  }
  defer {
    work.cancel()
    timer.cancel()
  }
  return try await withTaskCancellationHandler {
    try await outcome.value
  } onCancel: {
    outcome.settle(.failure(CancellationError()))
  }
}

/// Looks again and again until a condition holds that tells nobody when it does; throws when that takes too long.
public func waitUntil(
  _ what: String,
  seconds: Int = 90,
  _ isTrue: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now.advanced(by: .seconds(seconds))
  while try await !isTrue() {
    guard ContinuousClock.now < end else { throw TestFailure("waited \(seconds) s for \(what)") }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// The first of several outcomes; those that come later are dropped.
private final class FirstOutcome<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    var waiter: CheckedContinuation<Value, any Error>?
  }

  private let state = Locked(State())

  /// Suspends until there is one.
  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.waiter = continuation }
          return state.outcome
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    }
  }

  func settle(_ outcome: Result<Value, any Error>) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(with: outcome)
  }
}
