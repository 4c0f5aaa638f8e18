internal import Dispatch
internal import TermindApplication
internal import TermindDomain

/// The way to the keyring: a helper that is started for the first waiting call and ends with the last.
final class KeyringLine: Sendable {
  private struct State {
    var waiting = 0
    var helper: KeyringHelperProcess?
  }

  private let start: @Sendable () throws(SecretStoreError) -> KeyringHelperProcess
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "termind.keyring")

  /// Makes a way; nothing is started yet.
  init(_ start: @escaping @Sendable () throws(SecretStoreError) -> KeyringHelperProcess) {
    self.start = start
  }

  /// Runs a call after those before it, on a thread of its own.
  func run(_ call: some KeyringCalling) {
    state.withLock { $0.waiting += 1 }
    queue.async { [self] in
      var helper = state.withLock { $0.helper }
      if !call.isOver {
        do throws(SecretStoreError) {
          let running = if let helper { helper } else { try start() }
          helper = running
          state.withLock { $0.helper = running }
          call.perform(with: running)
        } catch {
          call.fail(error)
        }
      }
      let isLast = state.withLock { state in
        state.waiting -= 1
        // After a failure the next call starts afresh.
        guard state.waiting == 0 || call.hasBrokenHelper else { return false }
        state.helper = nil
        return true
      }
      if isLast { helper?.end() }
    }
  }
}

/// A call as the line sees it.
protocol KeyringCalling: Sendable {
  /// Whether nobody waits for it any more.
  var isOver: Bool { get }
  /// Whether the helper is of no use after it.
  var hasBrokenHelper: Bool { get }
  /// Does it, with a helper that is this call's alone for the time.
  func perform(with helper: KeyringHelperProcess)
  /// Ends it before it began.
  func fail(_ error: SecretStoreError)
}

/// One call: its wait is ended by whoever comes first, the keyring, the deadline or a cancellation.
final class KeyringCall<Value: Sendable>: KeyringCalling {
  /// Sends one request of the call and gives the reply, unless that is a failure.
  typealias Exchange = (KeyringRequest) throws(SecretStoreError) -> KeyringReply

  private struct State {
    var continuation: CheckedContinuation<Result<Value, SecretStoreError>, Never>?
    var result: Result<Value, SecretStoreError>?
    /// The helper while the call is under way.
    var helper: KeyringHelperProcess?
    var hasBrokenHelper = false
  }

  private let state = Locked(State())
  private let body: @Sendable (Exchange) throws(SecretStoreError) -> Value

  /// Makes a call; `body` runs once, on the line's thread.
  init(_ body: @escaping @Sendable (Exchange) throws(SecretStoreError) -> Value) {
    self.body = body
  }

  var isOver: Bool { state.withLock { $0.result != nil } }
  var hasBrokenHelper: Bool { state.withLock { $0.hasBrokenHelper } }

  /// Lets a task wait for the result.
  func wait(_ continuation: CheckedContinuation<Result<Value, SecretStoreError>, Never>) {
    let early = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let early { continuation.resume(returning: early) }
  }

  func fail(_ error: SecretStoreError) {
    finish(.failure(error)) { state in
      // Under the lock: a moment later the helper may work for the next call.
      guard let helper = state.helper else { return }
      state.hasBrokenHelper = true
      helper.interrupt()
    }
  }

  func perform(with helper: KeyringHelperProcess) {
    state.withLock { $0.helper = helper }
    let result = Result { () throws(SecretStoreError) in
      try body { (request) throws(SecretStoreError) in
        guard !self.isOver, let reply = helper.exchange(request) else {
          self.state.withLock { $0.hasBrokenHelper = true }
          throw .noKeyring(diagnostic: "the helper ended")
        }
        if case .failed(let error) = reply { throw error }
        return reply
      }
    }
    // From here on no deadline touches the helper, which the next call may use.
    state.withLock { $0.helper = nil }
    finish(result)
  }

  /// Ends the wait with the first result; `first` runs together with taking that.
  private func finish(
    _ result: Result<Value, SecretStoreError>,
    _ first: (inout State) -> Void = { _ in }
  ) {
    let waiting = state.withLock { state in
      // A later result changes nothing: the wait has ended, or `wait` finds the first one.
      guard state.result == nil else {
        return nil as CheckedContinuation<Result<Value, SecretStoreError>, Never>?
      }
      state.result = result
      first(&state)
      defer { state.continuation = nil }
      return state.continuation
    }
    waiting?.resume(returning: result)
  }
}
