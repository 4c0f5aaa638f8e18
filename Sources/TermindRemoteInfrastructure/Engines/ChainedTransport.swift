internal import TermindApplication
internal import TermindDomain

/// A connection whose hops are carried by different engines, each by the one before; it owns all of them.
final class ChainedTransport: SSHTransport {
  private let transports: [any SSHTransport]
  private let last: any SSHTransport

  /// Takes connections over; each runs through the one before.
  init(_ before: [any SSHTransport], last: any SSHTransport) {
    transports = before + [last]
    self.last = last
  }

  var route: Route { last.route }
  var engineName: String { last.engineName }
  var engineReason: String? { last.engineReason }

  var opensInTurn: Bool { last.opensInTurn }

  func waitForOpening() async { await last.waitForOpening() }

  func obstacle(to ability: TransportAbility) -> String? { last.obstacle(to: ability) }

  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> any TerminalChannel {
    try await last.openTerminal(request, receiver: receiver)
  }

  func openChannel(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel {
    try await last.openChannel(request, window: window, receiver: receiver)
  }

  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving
  ) async throws(ConnectionFailure) -> any RemoteListener {
    try await last.listen(at: address, receiver: receiver)
  }

  func close() async {
    for transport in transports.reversed() { await transport.close() }
  }

  func waitUntilClosed() async -> ConnectionFailure {
    let failure = await last.waitUntilClosed()
    for transport in transports.dropLast().reversed() { await transport.close() }
    return failure
  }
}
