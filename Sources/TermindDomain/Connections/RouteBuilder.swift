/// Why no route leads to a host.
public enum RouteBuildError: Error, Hashable, Sendable {
  /// A jump of a host, or of a command, is not a target.
  case invalidJump(String, ConnectTargetError)
  /// The host is its own jump, directly or through others; the names on the way.
  case cycle([String])
  /// More hops than `Route.maximumHops`.
  case tooManyHops(count: Int)
  /// A saved host that this host jumps through is gone; it is not reached on a shorter way instead.
  case missingJump(of: String)
  /// A saved host is not talked to by SSH, so that no route of SSH hops leads to it.
  case otherProtocol(HostProtocol, host: String)
  /// What `ssh`'s configuration says about a host that is not saved leads nowhere.
  case alias(String, SSHConfigAliasError)
}

/// What the machine's own account gives to a route.
public struct LocalAccount: Hashable, Sendable {
  /// The user name that stands in where none is given.
  public let userName: String
  /// The home directory, absolute.
  public let home: String
  /// What relative paths of a command start from, absolute.
  public let workingDirectory: String
  /// Key files that are offered when nothing names others and the agent is allowed, absolute.
  public let defaultKeyFiles: [String]

  /// Makes an account.
  public init(
    userName: String,
    home: String,
    workingDirectory: String,
    defaultKeyFiles: [String] = []
  ) {
    self.userName = userName
    self.home = home
    self.workingDirectory = workingDirectory
    self.defaultKeyFiles = defaultKeyFiles
  }

  /// The absolute form of a path as a person writes it.
  func absolute(_ path: String) -> String {
    if path == "~" { return home }
    if path.hasPrefix("~/") { return home + path.dropFirst(1) }
    return path.hasPrefix("/") ? path : workingDirectory + "/" + path
  }
}

/// Turns saved hosts and commands into routes.
///
/// A jump is a saved host, whose own jumps come first, or a target. Names are compared exactly; a
/// saved name wins over a host name that is written the same. What is not saved may be an alias of
/// `ssh`'s configuration.
public struct RouteBuilder: Sendable {
  private let account: LocalAccount
  private let hosts: [String: HostRecord]
  private let names: [HostID: String]
  private let identities: [IdentityID: IdentityRecord]
  private let keys: [KeyID: KeyRecord]
  private let aliases: SSHConfigAliases?

  /// Makes a builder over the vault; of two hosts with one name the first counts.
  public init(
    account: LocalAccount,
    hosts: [HostRecord],
    identities: [IdentityRecord] = [],
    keys: [KeyRecord] = [],
    aliases: SSHConfigAliases? = nil
  ) {
    self.account = account
    self.aliases = aliases
    self.hosts = Dictionary(hosts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    names = Dictionary(hosts.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    self.identities = Dictionary(
      identities.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    self.keys = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a saved host has this name.
  public func isSaved(_ name: String) -> Bool { hosts[name] != nil }

  /// The saved host that a command leads to, nil when its host is not a saved one.
  public func savedHost(of command: ConnectCommand) -> HostRecord? { hosts[command.target.host] }

  /// The route to a saved host.
  public func route(to host: HostRecord) throws(RouteBuildError) -> Route {
    try checked(try hops(to: host, jumps: nil, way: []))
  }

  /// The route of a command: what it says wins over what the saved host says.
  public func route(for command: ConnectCommand) throws(RouteBuildError) -> Route {
    try access(for: command).route
  }

  /// The route to a saved host, and how its shell is started.
  public func access(to host: HostRecord) throws(RouteBuildError) -> HostAccess {
    HostAccess(route: try route(to: host), shell: ShellStart(of: host))
  }

  /// The route of a command, and how the shell is started there.
  public func access(for command: ConnectCommand) throws(RouteBuildError) -> HostAccess {
    let target = command.target
    guard var host = hosts[target.host] else {
      let jumps = try (command.jumps ?? []).flatMapTyped { jump throws(RouteBuildError) in
        try hops(to: jump, way: [])
      }
      var own = try way(toUnsaved: target, jumps: command.jumps.map { _ in [] })
      if !command.keyFiles.isEmpty {
        own.hops[own.hops.count - 1].credentials.keyFiles = command.keyFiles.map(account.absolute)
      }
      return HostAccess(route: try checked(jumps + own.hops), shell: own.shell)
    }
    apply(target, to: &host)
    if !command.keyFiles.isEmpty { host.keyFiles = command.keyFiles }
    let route = try checked(try hops(to: host, jumps: command.jumps, way: []))
    return HostAccess(route: route, shell: ShellStart(of: host))
  }

  private func apply(_ target: ConnectTarget, to host: inout HostRecord) {
    if let user = target.user { host.username = user }
    if let port = target.port {
      host.endpoint = SSHEndpoint(host: host.endpoint.host, port: port)
    }
  }

  /// The hops to a saved host, itself last; `jumps` replaces the record's own.
  private func hops(
    to host: HostRecord,
    jumps: [ConnectTarget]?,
    way: [String]
  ) throws(RouteBuildError) -> [Hop] {
    let way = way + [host.name]
    guard !way.dropLast().contains(host.name) else { throw .cycle(way) }
    // Longer ways than this cannot become a route, however they go on.
    guard way.count <= Route.maximumHops else { throw .tooManyHops(count: way.count) }
    guard host.connectionProtocol == .ssh else {
      throw .otherProtocol(host.connectionProtocol, host: host.name)
    }
    var hops: [Hop] = []
    let targets = if let jumps { jumps } else { try targets(of: host) }
    for target in targets {
      hops += try self.hops(to: target, way: way)
      guard hops.count < Route.maximumHops else { throw .tooManyHops(count: hops.count + 1) }
    }
    let own = Hop(
      endpoint: host.endpoint,
      credentials: credentials(of: host),
      keepAlive: host.keepAliveSeconds.map { HopKeepAlive(seconds: $0) },
      engine: host.engine,
      allowsOldAlgorithms: host.allowsOldAlgorithms
    )
    return hops + [own]
  }

  private func hops(
    to target: ConnectTarget,
    way: [String]
  ) throws(RouteBuildError) -> [Hop] {
    guard var host = hosts[target.host] else {
      return try self.way(toUnsaved: target, jumps: nil).hops
    }
    apply(target, to: &host)
    return try hops(to: host, jumps: nil, way: way)
  }

  /// The way to what is no saved host: an alias with its own jumps, or just the target.
  private func way(
    toUnsaved target: ConnectTarget,
    jumps: [ConnectTarget]?
  ) throws(RouteBuildError) -> SSHConfigAliases.Way {
    var way: SSHConfigAliases.Way?
    do throws(SSHConfigAliasError) {
      way = try aliases?.way(to: target, jumps: jumps)
    } catch {
      throw .alias(target.host, error)
    }
    if let way, !way.hops.isEmpty { return way }
    let own = Hop(
      endpoint: SSHEndpoint(host: target.host, port: target.port ?? 22),
      credentials: credentials(user: target.user ?? "", keyFiles: [], usesAgent: true),
      keepAlive: way?.keepAlive
    )
    return SSHConfigAliases.Way(hops: [own], shell: way?.shell ?? ShellStart())
  }

  private func targets(of host: HostRecord) throws(RouteBuildError) -> [ConnectTarget] {
    try host.jumps.flatMapTyped { jump throws(RouteBuildError) in
      let text: String
      switch jump {
      case .saved(let id):
        guard let name = names[id] else { throw .missingJump(of: host.name) }
        text = name
      case .text(let given): text = given
      }
      if hosts[text] != nil { return [ConnectTarget(host: text)] }
      do throws(ConnectTargetError) {
        return [try ConnectTarget(parsing: text)]
      } catch {
        throw .invalidJump(text, error)
      }
    }
  }

  /// What a saved host says itself, then what its identity says.
  private func credentials(of host: HostRecord) -> HopCredentials {
    guard let identity = host.identity.flatMap({ identities[$0] }) else {
      return credentials(user: host.username, keyFiles: host.keyFiles, usesAgent: host.usesAgent)
    }
    let user = host.username.isEmpty ? identity.username : host.username
    var result = HopCredentials(
      username: user.isEmpty ? account.userName : user,
      keyFiles: host.keyFiles.map(account.absolute),
      usesAgent: host.usesAgent && identity.usesAgent,
      identity: identity.id
    )
    guard host.keyFiles.isEmpty else { return result }
    // A password belongs to one account; under another name it would be shown to whom it does not concern.
    let owner = identity.username.isEmpty ? account.userName : identity.username
    if result.username == owner { result.password = identity.password }
    result.keys = identity.keys.compactMap { keys[$0] }
    return result
  }

  private func credentials(
    user: String,
    keyFiles: [String],
    usesAgent: Bool
  ) -> HopCredentials {
    HopCredentials(
      username: user.isEmpty ? account.userName : user,
      keyFiles: keyFiles.isEmpty && usesAgent
        ? account.defaultKeyFiles : keyFiles.map(account.absolute),
      usesAgent: usesAgent
    )
  }

  private func checked(_ hops: [Hop]) throws(RouteBuildError) -> Route {
    do throws(RouteError) {
      return try Route(hops: hops)
    } catch {
      switch error {
      case .empty: preconditionFailure("a route ends at its host")
      case .tooManyHops(let count): throw .tooManyHops(count: count)
      case .cycle(let endpoint): throw .cycle([endpoint.description])
      }
    }
  }
}

extension Array {
  /// `flatMap` that keeps the type of what the closure throws.
  fileprivate func flatMapTyped<Part, Failure: Error>(
    _ body: (Element) throws(Failure) -> [Part]
  ) throws(Failure) -> [Part] {
    var result: [Part] = []
    for element in self { result += try body(element) }
    return result
  }
}
