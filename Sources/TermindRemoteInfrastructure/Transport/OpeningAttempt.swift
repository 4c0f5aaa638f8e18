internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// An attempt that can be given up; touched on the loop only.
protocol AbandonableAttempt: AnyObject {
  func fail(_ failure: ConnectionFailure)
}

/// One caller's wait for a channel or a listener; touched on the loop only.
final class OpeningAttempt<Value: Sendable>: AbandonableAttempt {
  private var continuation: CheckedContinuation<Result<Value, ConnectionFailure>, Never>?
  var timer: LoopTimer?

  init(_ continuation: CheckedContinuation<Result<Value, ConnectionFailure>, Never>) {
    self.continuation = continuation
  }

  /// Whether somebody still waits.
  var isWanted: Bool { continuation != nil }

  func finish(_ result: Result<Value, ConnectionFailure>) {
    timer?.cancel()
    timer = nil
    continuation?.resume(returning: result)
    continuation = nil
  }

  func fail(_ failure: ConnectionFailure) { finish(.failure(failure)) }
}

extension LibSSH2Connection {
  /// Opens something within its deadline, and stops waiting at once when the task is cancelled.
  ///
  /// - Parameter open: Opens it on the loop, and closes it again when the attempt is no longer wanted.
  /// - Returns: What was opened.
  /// - Throws: Its failure, or that the time was over.
  func withinLimits<Value: Sendable>(
    _ open:
      @escaping @Sendable (isolated LibSSH2Connection, OpeningAttempt<Value>)
      async throws(ConnectionFailure) -> Value
  ) async throws(ConnectionFailure) -> Value {
    if let failure { throw failure }
    attemptNumbers += 1
    let number = attemptNumbers
    let result: Result<Value, ConnectionFailure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let attempt = OpeningAttempt(continuation)
        attempts[number] = attempt
        guard !Task.isCancelled else { return giveUp(number, .cancelled) }
        let seconds = limits.openingChannel.wholeSeconds
        attempt.timer = loop.schedule(after: limits.openingChannel) { [weak self] in
          self?.assumeIsolated { $0.giveUp(number, .timedOut(seconds: seconds)) }
        }
        Task { await self.run(number, attempt, open) }
      }
    } onCancel: {
      loop.run { self.assumeIsolated { $0.giveUp(number, .cancelled) } }
    }
    return try result.get()
  }

  private func run<Value: Sendable>(
    _ number: UInt64,
    _ attempt: OpeningAttempt<Value>,
    _ open:
      @Sendable (isolated LibSSH2Connection, OpeningAttempt<Value>)
      async throws(ConnectionFailure) -> Value
  ) async {
    do throws(ConnectionFailure) {
      attempt.finish(.success(try await open(self, attempt)))
    } catch {
      attempt.finish(.failure(error))
    }
    attempts[number] = nil
  }

  private func giveUp(_ number: UInt64, _ cause: ConnectionFailureCause) {
    guard let attempt = attempts.removeValue(forKey: number) else { return }
    attempt.fail(makeFailure(cause, at: .openingChannel))
  }
}
