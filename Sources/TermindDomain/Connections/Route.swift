/// What is offered to one server to authenticate.
public struct HopCredentials: Hashable, Sendable {
  /// The user name on that server.
  public var username: String
  /// Private key files, in the order in which they are offered; absolute paths.
  public var keyFiles: [String]
  /// Whether keys of the running agent may be offered.
  public var usesAgent: Bool
  /// The identity of the vault that they come from; nil when they come from the host or a command.
  public var identity: IdentityID?
  /// Keys of the vault, in the order in which they are offered, after the files.
  public var keys: [KeyRecord]
  /// The password in the secret store; it is tried before any key.
  public var password: SecretItemID?

  /// Makes credentials; without keys and agent, `none` is tried and then what the server offers.
  public init(
    username: String,
    keyFiles: [String] = [],
    usesAgent: Bool = true,
    identity: IdentityID? = nil,
    keys: [KeyRecord] = [],
    password: SecretItemID? = nil
  ) {
    self.username = username
    self.keyFiles = keyFiles
    self.usesAgent = usesAgent
    self.identity = identity
    self.keys = keys
    self.password = password
  }
}

/// How often a server that is silent is asked for a sign of life.
public struct HopKeepAlive: Hashable, Sendable {
  /// Seconds of silence before it is asked; 0 means never.
  public var seconds: Int
  /// How many signs may be missing in a row; nil means as usual.
  public var count: Int?

  /// Makes an interval.
  public init(seconds: Int, count: Int? = nil) {
    self.seconds = seconds
    self.count = count
  }
}

/// One server on the way to a host.
public struct Hop: Hashable, Sendable {
  /// Where it listens, seen from the hop before.
  public var endpoint: SSHEndpoint
  /// How to authenticate there.
  public var credentials: HopCredentials
  /// How often it is asked for a sign of life; nil means as usual.
  public var keepAlive: HopKeepAlive?
  /// Which engine makes the connection.
  public var engine: EngineChoice
  /// The name under which `ssh`'s configuration knows it; nil when the way to it does not come from there.
  public var alias: String?
  /// What the configuration says about it that only OpenSSH does, in its own words (`ProxyCommand`); nil when nothing.
  public var onlyOpenSSH: String?
  /// Whether algorithms may be used that are no longer safe, because the server has no others.
  public var allowsOldAlgorithms: Bool

  /// Makes a hop.
  public init(
    endpoint: SSHEndpoint,
    credentials: HopCredentials,
    keepAlive: HopKeepAlive? = nil,
    engine: EngineChoice = .automatic,
    alias: String? = nil,
    onlyOpenSSH: String? = nil,
    allowsOldAlgorithms: Bool = false
  ) {
    self.endpoint = endpoint
    self.credentials = credentials
    self.keepAlive = keepAlive
    self.engine = engine
    self.alias = alias
    self.onlyOpenSSH = onlyOpenSSH
    self.allowsOldAlgorithms = allowsOldAlgorithms
  }
}

/// Why a list of hops is not a route.
public enum RouteError: Error, Equatable, Sendable {
  /// There is no hop at all.
  case empty
  /// More than `Route.maximumHops`.
  case tooManyHops(count: Int)
  /// The same user and endpoint stand twice on the way.
  case cycle(SSHEndpoint)
}

/// The ordered hops to a host: jump hosts first, the host itself last.
public struct Route: Hashable, Sendable {
  /// The most hops that a route may have, the host itself included.
  public static let maximumHops = 8

  /// One to eight hops; the last is the destination.
  public let hops: [Hop]

  /// Checks the number of hops and that none stands twice.
  public init(hops: [Hop]) throws(RouteError) {
    guard !hops.isEmpty else { throw .empty }
    guard hops.count <= Self.maximumHops else { throw .tooManyHops(count: hops.count) }
    var seen: Set<String> = []
    for hop in hops where !seen.insert("\(hop.credentials.username)@\(hop.endpoint)").inserted {
      throw .cycle(hop.endpoint)
    }
    self.hops = hops
  }

  /// The host that the route leads to.
  public var destination: Hop { hops[hops.count - 1] }
}
