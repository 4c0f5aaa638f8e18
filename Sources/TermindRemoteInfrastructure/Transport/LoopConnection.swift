internal import TermindApplication
internal import TermindDomain

/// What waits for the end of one connection; touched by the connection only.
struct ConnectionWaits {
  fileprivate var calls: [UInt64: (ConnectionFailure) -> Void] = [:]
  fileprivate var number: UInt64 = 0
  fileprivate var closed: [CheckedContinuation<ConnectionFailure, Never>] = []

  /// Ends every call that was waited for.
  mutating func endCalls(_ reason: ConnectionFailure) {
    for call in calls.values { call(reason) }
    calls = [:]
  }

  /// Tells those who wait for the end, once everything else is over.
  mutating func tellEnd(_ reason: ConnectionFailure) {
    for waiter in closed { waiter.resume(returning: reason) }
    closed = []
  }
}

/// A connection to one hop, pinned to its loop; what the engines do alike.
protocol LoopConnection: Actor {
  /// The hop.
  nonisolated var context: HopContext { get }
  /// What is being done.
  var step: ConnectionStep { get }
  /// Why it ended, once it has.
  var failure: ConnectionFailure? { get }
  /// Who waits for its end.
  var waits: ConnectionWaits { get set }
}

extension LoopConnection {
  /// A failure of this hop, at the current step unless another is named.
  func makeFailure(
    _ cause: ConnectionFailureCause,
    at step: ConnectionStep? = nil
  ) -> ConnectionFailure {
    ConnectionFailure(
      hopIndex: context.index,
      hopCount: context.count,
      endpoint: context.hop.endpoint,
      step: step ?? self.step,
      cause: cause
    )
  }

  /// Runs `body` beside the connection and stops waiting for it when the connection ends.
  ///
  /// Nothing is given once the connection has ended, also when `body` was quicker.
  /// - Parameters:
  ///   - body: What is waited for.
  ///   - drop: Takes what nobody waits for any more.
  /// - Returns: What `body` gives.
  /// - Throws: The connection's failure.
  func guarded<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value,
    drop: @escaping @Sendable (Value) async -> Void = { _ in }
  ) async throws(ConnectionFailure) -> Value {
    if let failure { throw failure }
    waits.number += 1
    let number = waits.number
    let outcome: Result<Value, ConnectionFailure> = await withCheckedContinuation { continuation in
      let task = Task {
        let value = await body()
        guard waits.calls.removeValue(forKey: number) != nil else { return await drop(value) }
        continuation.resume(returning: .success(value))
      }
      waits.calls[number] = { failure in
        task.cancel()
        continuation.resume(returning: .failure(failure))
      }
    }
    let value = try outcome.get()
    if let failure {
      await drop(value)
      throw failure
    }
    return value
  }

  /// Suspends until the connection has ended, and tells why.
  func waitUntilClosed() async -> ConnectionFailure {
    if let failure { return failure }
    return await withCheckedContinuation { waits.closed.append($0) }
  }
}
