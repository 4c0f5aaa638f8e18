internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// An authenticated connection through all hops of a route, carried by libssh2.
final class LibSSH2Transport: SSHTransport {
  let route: Route
  let engineName = "libssh2 \(SSH2SessionHandle.libraryVersion)"
  private let connections: [LibSSH2Connection]
  /// The connection to the host; it may carry further hops.
  let destination: LibSSH2Connection
  /// Keeps what the first connection runs through, for as long as it runs.
  private let carrier: (any SSHTransport)?

  /// Takes over connections that are up; the last one is the destination.
  ///
  /// - Parameters:
  ///   - route: All hops.
  ///   - connections: The last hops, which end with this transport.
  ///   - carrier: What carries the first of them; it is others' to close.
  init(route: Route, connections: [LibSSH2Connection], carrier: (any SSHTransport)?) {
    precondition(!connections.isEmpty)
    self.route = route
    self.connections = connections
    self.carrier = carrier
    destination = connections[connections.count - 1]
  }

  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> any TerminalChannel {
    try await destination.openTerminalWithinLimits(request, receiver: receiver)
  }

  func close() async {
    for connection in connections.reversed() { await connection.close() }
  }

  func waitUntilClosed() async -> ConnectionFailure {
    let failure = await destination.waitUntilClosed()
    // The hops before carry nothing else.
    for connection in connections.dropLast().reversed() { await connection.close() }
    return failure
  }

  deinit {
    let connections = connections
    for connection in connections.reversed() {
      connection.loop.run { connection.assumeIsolated { $0.close() } }
    }
  }
}

/// One caller's wait for a terminal; touched on the loop only.
final class OpeningAttempt {
  private var continuation:
    CheckedContinuation<Result<LibSSH2TerminalChannel, ConnectionFailure>, Never>?
  var timer: LoopTimer?

  init(
    _ continuation: CheckedContinuation<Result<LibSSH2TerminalChannel, ConnectionFailure>, Never>
  ) {
    self.continuation = continuation
  }

  /// Whether somebody still waits.
  var isWanted: Bool { continuation != nil }

  func finish(_ result: Result<LibSSH2TerminalChannel, ConnectionFailure>) {
    timer?.cancel()
    timer = nil
    continuation?.resume(returning: result)
    continuation = nil
  }
}

extension LibSSH2Connection {
  /// Opens a terminal within its deadline, and stops waiting at once when the task is cancelled.
  func openTerminalWithinLimits(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> LibSSH2TerminalChannel {
    if let failure { throw failure }
    attemptNumbers += 1
    let number = attemptNumbers
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let attempt = OpeningAttempt(continuation)
        attempts[number] = attempt
        guard !Task.isCancelled else { return giveUp(number, .cancelled) }
        let seconds = limits.openingChannel.wholeSeconds
        attempt.timer = loop.schedule(after: limits.openingChannel) { [weak self] in
          self?.assumeIsolated { $0.giveUp(number, .timedOut(seconds: seconds)) }
        }
        Task { await self.run(number, attempt, request, receiver) }
      }
    } onCancel: {
      loop.run { self.assumeIsolated { $0.giveUp(number, .cancelled) } }
    }
    return try result.get()
  }

  private func run(
    _ number: UInt64,
    _ attempt: OpeningAttempt,
    _ request: ShellRequest,
    _ receiver: any TerminalOutputReceiving
  ) async {
    do throws(ConnectionFailure) {
      let channel = try await openTerminal(request, receiver: receiver) { attempt.isWanted }
      attempt.finish(.success(channel))
    } catch {
      attempt.finish(.failure(error))
    }
    attempts[number] = nil
  }

  private func giveUp(_ number: UInt64, _ cause: ConnectionFailureCause) {
    guard let attempt = attempts.removeValue(forKey: number) else { return }
    attempt.finish(.failure(makeFailure(cause, at: .openingChannel)))
  }
}
