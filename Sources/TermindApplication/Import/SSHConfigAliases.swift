public import TermindDomain

/// Why an alias of the person's configuration does not lead to a host.
public enum SSHConfigAliasError: Error, Equatable, Sendable {
  /// `ssh` would refuse the configuration.
  case refused(SSHConfigProblem)
  /// There is no way to the host.
  case route(SSHConfigRouteError)
  /// The way is no route.
  case invalidRoute(RouteError)
  /// A host or an account is none that can be connected to.
  case invalidTarget(String, ConnectTargetError)
}

/// Leads names that only `ssh`'s configuration knows to hosts, without importing anything.
///
/// The configuration is read anew for each question: it is small, and a person who has just edited
/// it expects the new text to count. Calls read files and block.
public struct SSHConfigAliases: Sendable {
  private let machine: SSHLocalMachine
  private let sources: [SSHConfigSource]
  private let reading: any SSHConfigReading

  /// Makes a resolver of aliases.
  ///
  /// - Parameters:
  ///   - machine: The machine and the account.
  ///   - sources: The files; nil means those that `ssh` reads.
  ///   - reading: Reads files.
  public init(
    machine: SSHLocalMachine,
    sources: [SSHConfigSource]? = nil,
    reading: any SSHConfigReading
  ) {
    self.machine = machine
    self.sources = sources ?? SSHConfigSource.standard(home: machine.home)
    self.reading = reading
  }

  /// Where a command leads when its host is an alias.
  public struct Answer: Hashable, Sendable {
    /// The way.
    public let route: Route
    /// What was left out of what the configuration says about the host itself.
    public let notes: [SSHConfigNote]
  }

  /// The route of a command whose host the configuration says something about.
  ///
  /// What the command says wins over the file: account, port, key files, jump hosts.
  /// - Parameter command: A command.
  /// - Returns: The route; nil when the configuration has nothing to say about the host.
  /// - Throws: Why there is no route.
  public func answer(
    to command: ConnectCommand
  ) throws(SSHConfigAliasError) -> Answer? {
    guard let config = try configuration() else { return nil }
    let resolver = SSHConfigResolver(config: config, machine: machine)
    let target = command.target
    let own = resolver.resolve(alias: target.host, user: target.user, port: target.port)
    let jumps = command.jumps?.map { SSHJump(user: $0.user, host: $0.host, port: $0.port) }
    let isMentioned =
      Self.isMentioned(own)
      || (command.jumps ?? []).contains { Self.isMentioned(resolver.resolve(alias: $0.host)) }
    guard isMentioned else { return nil }
    // As `ssh`: a line that cannot be read may be the one that matters.
    if let problem = config.problems.first { throw .refused(problem) }
    let hosts: [SSHResolvedHost]
    do throws(SSHConfigRouteError) {
      let router = SSHConfigRouter(resolver: resolver)
      let jump = SSHJump(user: target.user, host: target.host, port: target.port)
      hosts = try router.hosts(to: jump, jumps: jumps)
    } catch {
      throw .route(error)
    }
    var hops: [Hop] = []
    for host in hosts { hops.append(try hop(host)) }
    if !command.keyFiles.isEmpty {
      hops[hops.count - 1].credentials.keyFiles = command.keyFiles.map(absolute)
    }
    do throws(RouteError) {
      return Answer(route: try Route(hops: hops), notes: own.notes)
    } catch {
      throw .invalidRoute(error)
    }
  }

  /// The names that the configuration writes out, for completion and lists; none when it is refused.
  public func names() -> [String] {
    // What is wrong with the file is said when one of its names is connected to.
    guard let config = try? configuration() else { return [] }
    return config.aliases().map(\.name)
  }

  private func configuration() throws(SSHConfigAliasError) -> SSHConfig? {
    do throws(SSHConfigProblem) {
      return try Self.load(machine, sources, reading)
    } catch {
      if case .includeUnreadable(_, .absent) = error.reason { return nil }
      throw .refused(error)
    }
  }

  private static func load<Reading: SSHConfigReading>(
    _ machine: SSHLocalMachine,
    _ sources: [SSHConfigSource],
    _ reading: Reading
  ) throws(SSHConfigProblem) -> SSHConfig {
    var loader = SSHConfigLoader(machine: machine, reading: reading)
    return try loader.load(sources)
  }

  /// Whether the configuration says anything about a host that changes the way to it.
  private static func isMentioned(_ host: SSHResolvedHost) -> Bool {
    host.isNamed || host.options.contains(where: deciding.contains)
  }

  private static let deciding: Set<SSHOption> = [
    .hostName, .identitiesOnly, .identityAgent, .identityFile, .port, .proxyCommand, .proxyJump,
    .user,
  ]

  private func hop(_ host: SSHResolvedHost) throws(SSHConfigAliasError) -> Hop {
    if let problem = host.problems.first { throw .refused(problem) }
    do throws(ConnectTargetError) {
      // The way must not lead to what only looks like a host.
      let address = SSHJump(user: host.userName, host: host.hostName).description
      _ = try ConnectTarget(parsing: address)
    } catch {
      throw .invalidTarget("\(host.userName)@\(host.hostName)", error)
    }
    var paths: [String] = []
    for value in host.values(of: .identityFile) where value.text.lowercased() != "none" {
      do throws(SSHExpansionError) {
        let path = try host.expanded(value, of: .identityFile)
        if !paths.contains(path) { paths.append(path) }
      } catch {
        throw .refused(
          SSHConfigProblem(.expansion(keyword: "identityfile", error), at: value.place)
        )
      }
    }
    let hasAgent =
      host.flag(.identitiesOnly) != true && host.value(of: .identityAgent)?.text != "none"
    return Hop(
      endpoint: host.endpoint,
      credentials: HopCredentials(
        username: host.userName,
        keyFiles: paths,
        usesAgent: hasAgent
      )
    )
  }

  private func absolute(_ path: String) -> String {
    if path == "~" || path.hasPrefix("~/") { return machine.home + path.dropFirst() }
    return path.hasPrefix("/") ? path : machine.workingDirectory + "/" + path
  }
}
