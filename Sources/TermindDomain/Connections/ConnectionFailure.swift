/// What a connection attempt does at a hop; named in errors and shown as progress.
public enum ConnectionStep: String, Hashable, Sendable, CaseIterable {
  /// The host name is being resolved.
  case resolving
  /// TCP, or the channel through the hop before, is being opened.
  case connecting
  /// Versions and keys are being exchanged.
  case keyExchange
  /// The host key is being checked, or the person is being asked about it.
  case hostKey
  /// The person or their keys are being authenticated.
  case authentication
  /// The session channel, its PTY and its shell are being opened.
  case openingChannel
  /// The connection was up.
  case connected
}

/// Why a connection could not be opened, or ended.
public enum ConnectionFailureCause: Hashable, Sendable {
  /// The name is not known to the resolver; the text is the resolver's.
  case unknownHost(String)
  /// The peer refused TCP.
  case refused
  /// No route to the host or its network; the text is the system's.
  case unreachable(String)
  /// Nothing answered within `seconds`.
  case timedOut(seconds: Int)
  /// The peer is not an SSH server or closed before the exchange was over; `banner` is what it sent.
  case notSSH(banner: String)
  /// No algorithm of `kind` is common to both sides.
  case noCommonAlgorithm(kind: String, offered: [String], supported: [String])
  /// The server has only algorithms of `kind` that are too old, and they are not allowed for it.
  case oldAlgorithmsOnly(kind: String, offered: [String])
  /// The person did not trust the key, or nobody could be asked.
  case hostKeyRejected(HostKey)
  /// The key differs from the known ones, and was not replaced.
  case hostKeyChanged(offered: HostKey, known: [String])
  /// The key is marked `@revoked`.
  case hostKeyRevoked(HostKey)
  /// The server accepted nothing of what was tried.
  case authenticationFailed(tried: [String], offered: [String])
  /// The server closed with its own limit or disconnect text.
  case disconnected(reason: String)
  /// A key file cannot be read or used.
  case keyUnusable(path: String, reason: String)
  /// The server refused a channel or a request on it.
  case channelRefused(request: String, reason: String)
  /// The engine that carries the connection cannot do what was asked; `obstacle` is a sentence without its period.
  case unsupported(obstacle: String)
  /// The connection was lost while it was up.
  case lost(reason: String)
  /// The peer stopped answering keepalives for `seconds`.
  case keepaliveTimedOut(seconds: Int)
  /// Something had to be asked, and this attempt may not ask (a silent reconnect).
  case interactionRequired(String)
  /// The person or the program cancelled.
  case cancelled
  /// Anything else; `diagnostic` names the operation and the library's text, for the log.
  case internalError(diagnostic: String)
}

/// A failed or ended connection: where on the route, at which step, and why.
public struct ConnectionFailure: Error, Hashable, Sendable {
  /// Zero-based index of the hop on the route.
  public let hopIndex: Int
  /// How many hops the route has.
  public let hopCount: Int
  /// The hop's endpoint.
  public let endpoint: SSHEndpoint
  /// What was being done.
  public let step: ConnectionStep
  /// Why it failed.
  public let cause: ConnectionFailureCause

  /// Makes a failure.
  public init(
    hopIndex: Int,
    hopCount: Int,
    endpoint: SSHEndpoint,
    step: ConnectionStep,
    cause: ConnectionFailureCause
  ) {
    self.hopIndex = hopIndex
    self.hopCount = hopCount
    self.endpoint = endpoint
    self.step = step
    self.cause = cause
  }
}
