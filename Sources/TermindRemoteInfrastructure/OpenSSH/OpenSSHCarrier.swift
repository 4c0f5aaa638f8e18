internal import TermindApplication
internal import TermindDomain

/// What carries a hop that is not the first.
enum OpenSSHCarrier: Sendable {
  /// A connection of any engine, which others may use too.
  case transport(any SSHTransport)
  /// The hop before, of the same route.
  case hop(OpenSSHConnection)

  /// Opens the way to an endpoint as the carrier's host sees it.
  func open(
    _ endpoint: SSHEndpoint,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel {
    let request = ByteChannelRequest.tcp(host: endpoint.host, port: Int(endpoint.port))
    switch self {
    case .transport(let transport):
      return try await transport.openChannel(
        request,
        window: Self.window,
        receiver: receiver
      )
    case .hop(let connection):
      return try await connection.openChannel(request, window: Self.window, receiver: receiver)
    }
  }

  private static let window = 4_194_304
}
