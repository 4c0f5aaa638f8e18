/// Why an alias of the person's configuration does not lead to a host.
public enum SSHConfigAliasError: Error, Hashable, Sendable {
  /// `ssh` would refuse the configuration.
  case refused(SSHConfigProblem)
  /// There is no way to the host.
  case route(SSHConfigRouteError)
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

  /// What the configuration says about the way to a target.
  public struct Way: Hashable, Sendable {
    /// The hops, the target last; empty when the configuration says nothing that matters for the way.
    public var hops: [Hop]
    /// How the shell is started there.
    public var shell = ShellStart()
    /// How often the target is asked for a sign of life.
    public var keepAlive: HopKeepAlive?
  }

  /// The hops to a target that the configuration says something about, itself last.
  ///
  /// - Parameters:
  ///   - target: An alias; its account and port win over the file.
  ///   - jumps: Replaces the jumps that the file gives to it; nil keeps those.
  /// - Returns: The hops; nil when the configuration says nothing that matters for the way to it.
  /// - Throws: Why there is no way.
  public func hops(
    to target: ConnectTarget,
    jumps: [ConnectTarget]? = nil
  ) throws(SSHConfigAliasError) -> [Hop]? {
    let hops = try way(to: target, jumps: jumps)?.hops ?? []
    return hops.isEmpty ? nil : hops
  }

  /// All that the configuration says about a target.
  ///
  /// - Parameters:
  ///   - target: An alias; its account and port win over the file.
  ///   - jumps: Replaces the jumps that the file gives to it; nil keeps those.
  /// - Returns: The way; nil when there is no configuration.
  /// - Throws: Why there is no way.
  public func way(
    to target: ConnectTarget,
    jumps: [ConnectTarget]? = nil
  ) throws(SSHConfigAliasError) -> Way? {
    guard let config = try configuration() else { return nil }
    let resolver = SSHConfigResolver(config: config, machine: machine)
    let own = resolver.resolve(alias: target.host, user: target.user, port: target.port)
    guard Self.isMentioned(own) else {
      return Way(hops: [], shell: try shell(own), keepAlive: own.keepAlive)
    }
    // As `ssh`: a line that cannot be read may be the one that matters.
    if let problem = config.problems.first { throw .refused(problem) }
    let hosts: [SSHResolvedHost]
    do throws(SSHConfigRouteError) {
      hosts = try SSHConfigRouter(resolver: resolver, allowsPrograms: true).hosts(
        to: SSHJump(target),
        jumps: jumps?.map { SSHJump($0) }
      )
    } catch {
      throw .route(error)
    }
    var hops: [Hop] = []
    for host in hosts { hops.append(try hop(host)) }
    return Way(hops: hops, shell: try shell(own), keepAlive: own.keepAlive)
  }

  /// What `SendEnv`, `SetEnv` and `RemoteCommand` say.
  private func shell(_ host: SSHResolvedHost) throws(SSHConfigAliasError) -> ShellStart {
    var shell = ShellStart(environment: host.environment(from: machine.variables))
    if let value = host.value(of: .remoteCommand) {
      do throws(SSHExpansionError) {
        shell.command = try host.expanded(value, of: .remoteCommand)
      } catch {
        throw .refused(
          SSHConfigProblem(.expansion(keyword: "remotecommand", error), at: value.place)
        )
      }
    }
    return shell
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
      || host.notes.contains { if case .matchExec = $0.kind { true } else { false } }
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
      ),
      keepAlive: host.keepAlive,
      alias: host.alias,
      onlyOpenSSH: Self.onlyOpenSSH(host)
    )
  }

  /// What only OpenSSH does of what is said about a host, by its keyword.
  private static func onlyOpenSSH(_ host: SSHResolvedHost) -> String? {
    if host.value(of: .proxyCommand) != nil { return "ProxyCommand" }
    if host.value(of: .certificateFile) != nil { return "CertificateFile" }
    if let agent = host.value(of: .identityAgent)?.text, agent != "none", agent != "SSH_AUTH_SOCK" {
      return "IdentityAgent"
    }
    for note in host.notes {
      if case .matchExec = note.kind { return "Match exec" }
      if case .unusedOption(let keyword) = note.kind, onlyThere.contains(keyword.lowercased()) {
        return keyword
      }
    }
    return nil
  }

  /// Options that are read and not used here.
  private static let onlyThere: Set<String> = [
    "pkcs11provider", "securitykeyprovider", "knownhostscommand",
  ]
}

extension SSHJump {
  /// Takes a target as a jump.
  init(_ target: ConnectTarget) {
    self.init(user: target.user, host: target.host, port: target.port)
  }
}
