/// The fields of a host, for forms and for the command line.
public enum HostField: String, Hashable, Sendable, CaseIterable {
  /// `name`.
  case name
  /// The endpoint's host.
  case address
  /// The endpoint's port.
  case port
  /// `connectionProtocol`.
  case connectionProtocol
  /// `identity`.
  case identity
  /// `username`.
  case username
  /// `keyFiles`.
  case keyFiles
  /// `usesAgent`.
  case usesAgent
  /// `jumps`.
  case jumps
  /// `tags`.
  case tags
  /// `color`.
  case color
  /// `theme`.
  case theme
  /// `shellIntegration`.
  case shellIntegration
  /// `clipboard`.
  case clipboard
  /// `recording`.
  case recording
  /// `startDirectory`.
  case startDirectory
  /// `startupSnippet`.
  case startupSnippet
  /// `environment`.
  case environment
  /// `keepAliveSeconds`.
  case keepAlive
  /// `notes`.
  case notes
  /// `isPinned`.
  case isPinned
  /// `engine`.
  case engine
  /// `allowsOldAlgorithms`.
  case oldAlgorithms
}

/// What the checks of a record need to know about the rest of the vault.
public struct VaultContext: Sendable {
  /// Saved hosts by identity.
  public let hosts: [HostID: HostRecord]
  /// Which host has a name.
  public let hostNames: [String: HostID]
  /// Which template has a name.
  public let templateNames: [String: TemplateID]
  /// The identities that there are.
  public let identities: Set<IdentityID>
  /// The keys that there are.
  public let keys: Set<KeyID>
  /// The snippets that there are.
  public let snippets: Set<SnippetID>

  /// Makes a context of the whole vault.
  public init(
    hosts: [HostRecord] = [],
    identities: [IdentityRecord] = [],
    keys: [KeyRecord] = [],
    snippets: [SnippetRecord] = [],
    templates: [WorkspaceTemplate] = []
  ) {
    self.hosts = Dictionary(hosts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    hostNames = Dictionary(hosts.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    templateNames = Dictionary(
      templates.map { ($0.name, $0.id) },
      uniquingKeysWith: { first, _ in first }
    )
    self.identities = Set(identities.map(\.id))
    self.keys = Set(keys.map(\.id))
    self.snippets = Set(snippets.map(\.id))
  }

  private init(_ other: VaultContext, hosts: [HostID: HostRecord], names: [String: HostID]) {
    self.hosts = hosts
    hostNames = names
    templateNames = other.templateNames
    identities = other.identities
    keys = other.keys
    snippets = other.snippets
  }

  /// The context as it is once some hosts are saved, for checks of hosts that are saved together.
  ///
  /// - Parameter changed: The hosts, new or changed; a name that another host has stays the other's.
  /// - Returns: The context with them.
  public func saving(_ changed: [HostRecord]) -> VaultContext {
    var hosts = hosts
    var names = hostNames
    for host in changed {
      if let old = hosts.updateValue(host, forKey: host.id), names[old.name] == old.id {
        names[old.name] = nil
      }
    }
    for host in changed where names[host.savedName] == nil { names[host.savedName] = host.id }
    return VaultContext(self, hosts: hosts, names: names)
  }
}

extension HostRecord {
  /// The range of seconds between keepalive requests; 0 means none.
  public static let keepAliveRange = 0...86400

  /// Everything that keeps the record from being saved, by field in the order of `HostField`.
  ///
  /// - Parameter context: The vault as it is, with or without this record.
  /// - Returns: The problems, at most one for each field; empty when it may be saved.
  public func problems(in context: VaultContext = VaultContext()) -> [FieldError<HostField>] {
    HostField.allCases.compactMap { field in
      problem(of: field, in: context).map { FieldError(field, $0) }
    }
  }

  /// What is wrong with one field, nil when it may be saved.
  public func problem(
    of field: HostField,
    in context: VaultContext = VaultContext()
  ) -> FieldProblem? {
    switch field {
    case .name: nameProblem(in: context)
    case .address: FieldRules.problem(ofAddress: endpoint.host)
    case .port: endpoint.port == 0 ? .notInRange(1...65535) : nil
    case .username: FieldRules.problem(ofUsername: username)
    case .keyFiles: keyFiles.lazy.compactMap { FieldRules.problem(ofPath: $0) }.first
    case .identity: identity.flatMap { context.identities.contains($0) ? nil : .missing }
    case .jumps: jumpProblem(in: context)
    case .tags: FieldRules.problem(ofTags: tags)
    case .theme: theme.flatMap { FieldRules.problem(ofName: $0) }
    case .startDirectory: FieldRules.problem(ofLine: startDirectory)
    case .startupSnippet: startupSnippet.flatMap { context.snippets.contains($0) ? nil : .missing }
    case .environment: environmentProblem
    case .keepAlive:
      keepAliveSeconds.flatMap {
        Self.keepAliveRange.contains($0) ? nil : .notInRange(Self.keepAliveRange)
      }
    case .notes: FieldRules.problem(ofText: notes)
    case .connectionProtocol, .usesAgent, .color, .shellIntegration, .clipboard, .recording,
      .isPinned, .engine, .oldAlgorithms:
      nil
    }
  }

  private func nameProblem(in context: VaultContext) -> FieldProblem? {
    // An empty name becomes the address, which has its own problems.
    let name = savedName
    if name.isEmpty { return nil }
    if let problem = FieldRules.problem(ofName: name) { return problem }
    return context.hostNames[name].map { $0 == id } ?? true ? nil : .taken
  }

  private var environmentProblem: FieldProblem? {
    var seen: Set<String> = []
    for variable in environment {
      if let problem = variable.problem { return problem }
      guard seen.insert(variable.name).inserted else { return .duplicate(variable.name) }
    }
    return nil
  }

  private func jumpProblem(in context: VaultContext) -> FieldProblem? {
    if jumps.count >= Route.maximumHops { return .tooMany(limit: Route.maximumHops - 1) }
    for jump in jumps {
      switch jump {
      case .saved(let id):
        guard id == self.id || context.hosts[id] != nil else { return .missing }
      case .text(let text):
        guard context.hostNames[text] == nil else { continue }
        do throws(ConnectTargetError) {
          _ = try ConnectTarget(parsing: text)
        } catch {
          return .target(error)
        }
      }
    }
    return cycle(in: context).map { .cycle($0) }
  }

  /// The way on which the host comes back to itself, nil when there is none.
  ///
  /// It counts under the name that it is saved with: others may have waited for a host of that name.
  private func cycle(in context: VaultContext) -> [String]? {
    var seen: Set<HostID> = []
    func way(from host: HostRecord) -> [String]? {
      for jump in host.jumps {
        guard let next = context.savedHost(of: jump, with: self) else { continue }
        if next == id { return [host.savedName, savedName] }
        guard seen.insert(next).inserted, let record = context.hosts[next] else { continue }
        if let rest = way(from: record) { return [host.savedName] + rest }
      }
      return nil
    }
    return way(from: self)
  }
}

extension VaultContext {
  /// The saved host that a jump leads to, nil when it leads to none.
  ///
  /// - Parameters:
  ///   - jump: The jump.
  ///   - changed: A host that counts as it stands here and not as it was saved, if it was.
  /// - Returns: The host.
  public func savedHost(of jump: HostJump, with changed: HostRecord? = nil) -> HostID? {
    func host(named name: String) -> HostID? {
      guard let changed else { return hostNames[name] }
      if name == changed.savedName { return changed.id }
      let found = hostNames[name]
      return found == changed.id ? nil : found
    }
    switch jump {
    case .saved(let id): return id
    case .text(let text):
      if let id = host(named: text) { return id }
      // What is no target is no saved host either.
      guard let target = try? ConnectTarget(parsing: text) else { return nil }
      return host(named: target.host)
    }
  }
}
