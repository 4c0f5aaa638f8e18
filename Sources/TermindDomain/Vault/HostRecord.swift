/// A saved host.
public struct HostRecord: Hashable, Sendable, Identifiable {
  /// Its identity; kept when everything else changes.
  public let id: HostID
  /// The name that people type; unique, without blanks at its ends.
  public var name: String
  /// Where it listens.
  public var endpoint: SSHEndpoint
  /// The account; empty means the local user's name.
  public var username: String
  /// Private key files to offer, absolute paths.
  public var keyFiles: [String]
  /// Whether agent keys may be offered.
  public var usesAgent: Bool
  /// Jump hosts in order, each `[user@]host[:port]` or the name of a saved host.
  public var jumps: [String]
  /// When it was last connected to, seconds since 1970; nil when never.
  public var lastUsed: Int64?

  /// Makes a record.
  public init(
    id: HostID = HostID(),
    name: String,
    endpoint: SSHEndpoint,
    username: String = "",
    keyFiles: [String] = [],
    usesAgent: Bool = true,
    jumps: [String] = [],
    lastUsed: Int64? = nil
  ) {
    self.id = id
    self.name = name
    self.endpoint = endpoint
    self.username = username
    self.keyFiles = keyFiles
    self.usesAgent = usesAgent
    self.jumps = jumps
    self.lastUsed = lastUsed
  }
}
