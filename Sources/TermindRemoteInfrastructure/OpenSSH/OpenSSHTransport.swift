internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// An authenticated connection through all hops of a route, carried by `ssh` in master mode.
final class OpenSSHTransport: SSHTransport {
  let route: Route
  let engineName: String
  let engineReason: String?
  private let connections: [OpenSSHConnection]
  /// The connection to the host.
  let destination: OpenSSHConnection
  /// Keeps what the first connection runs through, for as long as it runs.
  private let carrier: (any SSHTransport)?

  /// Takes over connections that are up; the last one is the destination.
  init(
    route: Route,
    connections: [OpenSSHConnection],
    carrier: (any SSHTransport)?,
    version: String,
    reason: String?
  ) {
    precondition(!connections.isEmpty)
    self.route = route
    self.connections = connections
    self.carrier = carrier
    engineName = version.isEmpty ? "OpenSSH" : "OpenSSH \(version)"
    engineReason = reason
    destination = connections[connections.count - 1]
  }

  func obstacle(to ability: TransportAbility) -> String? { nil }

  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> any TerminalChannel {
    try await destination.openTerminal(request, receiver: receiver)
  }

  func openChannel(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel {
    try await destination.openChannel(request, window: window, receiver: receiver)
  }

  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving
  ) async throws(ConnectionFailure) -> any RemoteListener {
    try await destination.listen(at: address, receiver: receiver)
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
    for connection in connections.reversed() { connection.cancelAttempt() }
  }
}
