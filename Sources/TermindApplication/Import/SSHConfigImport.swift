public import TermindDomain

/// Turns a configuration of `ssh` into drafts of hosts.
public struct SSHConfigImport: Sendable {
  private let path: String
  private let resolver: SSHConfigResolver
  private let router: SSHConfigRouter
  private let fileExists: @Sendable (String) -> Bool

  /// Makes an import.
  ///
  /// - Parameters:
  ///   - path: How the configuration is called.
  ///   - resolver: The configuration and the machine.
  ///   - fileExists: Whether there is a file; key files that do not exist are left out.
  public init(
    path: String,
    resolver: SSHConfigResolver,
    fileExists: @escaping @Sendable (String) -> Bool
  ) {
    self.path = path
    self.resolver = resolver
    router = SSHConfigRouter(resolver: resolver)
    self.fileExists = fileExists
  }

  /// Every host that the configuration names without a pattern, and that leads where it says.
  public func source() -> HostImportSource {
    var source = HostImportSource(path: path)
    source.notes = resolver.config.problems.map { ImportNote(.problem($0.reason), at: $0.place) }
    for alias in resolver.config.aliases() {
      let host = resolver.resolve(alias: alias.name)
      source.notes += host.problems.map { ImportNote(.problem($0.reason), at: $0.place) }
      guard host.isNamed else {
        source.notes.append(ImportNote(.neverApplies(name: alias.name), at: alias.place))
        continue
      }
      if let option = host.unreadable {
        let kind = ImportNote.Kind.leadsElsewhere(name: alias.name, keyword: option.rawValue)
        source.notes.append(ImportNote(kind, at: alias.place))
        continue
      }
      guard source.hosts.count < HostImportSource.maximumHosts else {
        let limit = HostImportSource.maximumHosts
        source.notes.append(ImportNote(.tooManyHosts(limit: limit), at: alias.place))
        break
      }
      source.hosts.append(draft(alias, host))
    }
    var seen: Set<ImportNote> = []
    source.notes = source.notes.filter { seen.insert($0).inserted }
    return source
  }

  private func draft(_ alias: SSHConfigAlias, _ host: SSHResolvedHost) -> HostDraft {
    var draft = HostDraft(name: alias.name, place: alias.place, endpoint: host.endpoint)
    takeAddress(host, &draft)
    takeKeys(host, &draft)
    takeJumps(host, &draft)
    takeRest(host, &draft)
    for option in host.options where !Self.taken.contains(option) {
      for value in host.values(of: option)
      where !Self.isUsual(option, value.text)
        && !SSHOldAlgorithms.isAsked(by: value.text, of: option)
      {
        let reason: DroppedOption.Reason =
          option == .proxyCommand ? .runsProgram : .noCounterpart
        draft.dropped.append(DroppedOption(option.rawValue, value.text, at: value.place, reason))
      }
    }
    draft.dropped += host.notes.map(Self.dropped)
    return draft
  }

  private func takeAddress(_ host: SSHResolvedHost, _ draft: inout HostDraft) {
    if let value = host.value(of: .hostName), value.place.line > 0 {
      draft.taken.append(TakenOption("hostname", host.hostName, at: value.place))
    }
    if let value = host.value(of: .port) {
      draft.taken.append(TakenOption("port", value.text, at: value.place))
    }
    if let value = host.value(of: .user) {
      draft.username = value.text
      draft.taken.append(TakenOption("user", value.text, at: value.place))
    }
  }

  private func takeKeys(_ host: SSHResolvedHost, _ draft: inout HostDraft) {
    for option in [SSHOption.identityFile, .certificateFile] {
      for value in host.values(of: option) where value.text.lowercased() != "none" {
        do throws(SSHExpansionError) {
          let path = try host.expanded(value, of: option)
          guard fileExists(path) else {
            let drop = DroppedOption(option.rawValue, path, at: value.place, .fileAbsent)
            draft.dropped.append(drop)
            continue
          }
          draft.taken.append(TakenOption(option.rawValue, path, at: value.place))
          if option == .identityFile {
            if !draft.keyFiles.contains(path) { draft.keyFiles.append(path) }
          } else {
            draft.certificateFiles.append(path)
          }
        } catch {
          let reason = DroppedOption.Reason.expansion(error)
          draft.dropped.append(
            DroppedOption(option.rawValue, value.text, at: value.place, reason)
          )
        }
      }
    }
    if let value = host.value(of: .identitiesOnly), value.text == "yes" {
      draft.usesAgent = false
      draft.taken.append(TakenOption("identitiesonly", "yes", at: value.place))
    }
    if let value = host.value(of: .identityAgent) {
      if value.text == "none" {
        draft.usesAgent = false
        draft.taken.append(TakenOption("identityagent", "none", at: value.place))
      } else if value.text != "SSH_AUTH_SOCK" {
        draft.dropped.append(
          DroppedOption("identityagent", value.text, at: value.place, .noCounterpart)
        )
      }
    }
  }

  private func takeJumps(_ host: SSHResolvedHost, _ draft: inout HostDraft) {
    if host.value(of: .proxyCommand) != nil { draft.losesItsWay = true }
    guard let value = host.value(of: .proxyJump) else { return }
    func lose(_ reason: DroppedOption.Reason) {
      draft.jumps = []
      draft.losesItsWay = true
      draft.dropped.append(DroppedOption("proxyjump", value.text, at: value.place, reason))
    }
    let jumps: [SSHJump]
    do throws(SSHExpansionError) {
      jumps = try host.expandedJumps()
    } catch {
      return lose(.expansion(error))
    }
    do throws(SSHConfigRouteError) {
      // The whole way is followed once, so that a cycle anywhere on it is found.
      _ = try router.hosts(to: SSHJump(host: host.alias))
      for (index, jump) in jumps.enumerated() {
        // Only the first is reached by its own jumps; the others by those before them.
        let way = try router.hosts(to: jump, jumps: index == 0 ? nil : [])
        let isPlain = index == 0 || resolver.resolve(alias: jump.host).jumps.isEmpty
        draft.jumps.append(
          JumpDraft(name: isPlain ? jump.host : nil, jump: jump, targets: way.map(Self.target))
        )
      }
      let text = jumps.map(\.description).joined(separator: ",")
      draft.taken.append(TakenOption("proxyjump", text, at: value.place))
    } catch {
      lose(.route(error))
    }
  }

  private func takeRest(_ host: SSHResolvedHost, _ draft: inout HostDraft) {
    if let value = host.value(of: .serverAliveInterval), let seconds = Int(value.text) {
      if HostRecord.keepAliveRange.contains(seconds) {
        draft.keepAliveSeconds = seconds
        draft.taken.append(TakenOption("serveraliveinterval", value.text, at: value.place))
      } else {
        let reason = DroppedOption.Reason.invalid(.notInRange(HostRecord.keepAliveRange))
        draft.dropped.append(
          DroppedOption("serveraliveinterval", value.text, at: value.place, reason)
        )
      }
    }
    for (option, value) in host.oldAlgorithms {
      draft.allowsOldAlgorithms = true
      draft.taken.append(TakenOption(option.rawValue, value.text, at: value.place))
    }
    for value in host.values(of: .setEnv) {
      guard let mark = value.text.firstIndex(of: "=") else { continue }
      let variable = EnvironmentVariable(
        name: String(value.text[..<mark]),
        value: String(value.text[value.text.index(after: mark)...])
      )
      if let problem = variable.problem {
        draft.dropped.append(
          DroppedOption("setenv", variable.name, at: value.place, .invalid(problem))
        )
      } else {
        draft.environment.append(variable)
        draft.taken.append(TakenOption("setenv", variable.name, at: value.place))
      }
    }
  }

  /// A host of the way as a target of its own.
  private static func target(_ host: SSHResolvedHost) -> String {
    SSHJump(
      user: host.isUserSet ? host.userName : nil,
      host: host.hostName,
      port: host.port == 22 ? nil : host.port
    ).description
  }

  private static let taken: Set<SSHOption> = [
    .hostName, .port, .user, .identityFile, .certificateFile, .identitiesOnly, .identityAgent,
    .proxyJump, .serverAliveInterval, .setEnv, .ignoreUnknown, .tag, .clearAllForwardings,
  ]

  /// Whether a value is what a saved host does anyway, so that nothing is lost.
  private static func isUsual(_ option: SSHOption, _ value: String) -> Bool {
    switch option {
    case .addressFamily: value == "any"
    case .canonicalizeHostname: value == "false"
    case .checkHostIP, .compression, .exitOnForwardFailure, .forwardAgent, .gatewayPorts,
      .hashKnownHosts:
      value == "no"
    case .kbdInteractiveAuthentication, .passwordAuthentication, .tcpKeepAlive: value == "yes"
    case .pubkeyAuthentication: value == "true"
    case .requestTTY: value == "auto" || value == "true" || value == "force"
    case .sessionType: value == "default"
    case .strictHostKeyChecking: value == "ask"
    case .userKnownHostsFile: value == "~/.ssh/known_hosts" || value == "~/.ssh/known_hosts2"
    default: false
    }
  }

  private static func dropped(_ note: SSHConfigNote) -> DroppedOption {
    switch note.kind {
    case .unknownOption(let keyword, let isExpected):
      DroppedOption(keyword, "", at: note.place, .unknown(isExpected: isExpected))
    case .unusedOption(let keyword):
      DroppedOption(keyword.lowercased(), "", at: note.place, .noCounterpart)
    case .matchExec(let command):
      DroppedOption("match exec", command, at: note.place, .conditionRunsProgram)
    case .matchNotJudged(let criterion):
      DroppedOption("match \(criterion)", "", at: note.place, .conditionNotJudged)
    case .notCanonicalized:
      DroppedOption("canonicalizehostname", "", at: note.place, .notCanonicalized)
    }
  }
}
