internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// An authenticated connection through all hops of a route, carried by libssh2.
final class LibSSH2Transport: SSHTransport {
  let route: Route
  let engineName = LibSSH2Transport.name
  let engineReason: String?
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
  ///   - reason: Why this engine was chosen; nil when it is the usual one.
  init(
    route: Route,
    connections: [LibSSH2Connection],
    carrier: (any SSHTransport)?,
    reason: String? = nil
  ) {
    precondition(!connections.isEmpty)
    self.route = route
    self.connections = connections
    self.carrier = carrier
    engineReason = reason
    destination = connections[connections.count - 1]
  }

  private static var name: String { "libssh2 \(SSH2SessionHandle.libraryVersion)" }

  /// libssh2 keeps the state of an open in the session.
  var opensInTurn: Bool { true }

  func waitForOpening() async { await destination.waitForOpening() }

  func obstacle(to ability: TransportAbility) -> String? { Self.obstacle(to: ability) }

  /// Why a server that sends a large packet, such as a long banner, cannot be used.
  static var packetObstacle: String {
    "\(name) takes no packet of more than 40,000 bytes; OpenSSH does"
  }

  /// What libssh2 lacks, in words; the only place where they are made.
  static func obstacle(to ability: TransportAbility) -> String? {
    switch ability {
    case .signalling:
      SSH2ChannelHandle.canSignal ? nil : "\(name) cannot send a signal; 1.11 and OpenSSH can"
    case .listeningOnUnixSockets:
      "\(name) cannot ask a server to listen at a Unix socket; OpenSSH can"
    case .listeningOnPorts, .choosingWindows: nil
    }
  }

  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> any TerminalChannel {
    try await destination.withinLimits { connection, attempt throws(ConnectionFailure) in
      try await connection.openTerminal(request, receiver: receiver) { attempt.isWanted }
    }
  }

  func openChannel(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel {
    try await destination.withinLimits { connection, attempt throws(ConnectionFailure) in
      try await connection.openBytes(request, window: window, receiver: receiver) {
        attempt.isWanted
      }
    }
  }

  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving
  ) async throws(ConnectionFailure) -> any RemoteListener {
    try await destination.withinLimits { connection, attempt throws(ConnectionFailure) in
      try await connection.listen(at: address, receiver: receiver) { attempt.isWanted }
    }
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
