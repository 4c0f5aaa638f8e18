/// What carries a connection.
public struct ConnectionEngine: Hashable, Sendable {
  /// The engine with its version, for people (`libssh2 1.10.0`).
  public let name: String
  /// Why it is not the usual one, as the end of a sentence; nil when it is.
  public let reason: String?

  /// Names an engine.
  public init(name: String, reason: String?) {
    self.name = name
    self.reason = reason
  }
}
