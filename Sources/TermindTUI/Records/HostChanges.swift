import TermindApplication
import TermindDomain

extension HostRecord {
  /// A host without anything in it.
  nonisolated static func blank() -> HostRecord {
    HostRecord(name: "", endpoint: SSHEndpoint(host: ""))
  }

  /// Takes a change of the command line.
  nonisolated mutating func apply(_ change: RecordChange, in vault: VaultSnapshot)
    throws(ControlError)
  {
    typealias Values = RecordFieldValues
    let new = HostRecord.blank()
    let given = change.values
    switch change.field {
    case "name": name = given.map(Values.line) ?? new.name
    case "address":
      guard let given else { throw Values.invalid("address", .empty) }
      endpoint = SSHEndpoint(host: try Values.address(given), port: endpoint.port)
    case "port":
      let port = try given.map(Values.port) ?? connectionProtocol.defaultPort
      endpoint = SSHEndpoint(host: endpoint.host, port: port)
    case "protocol":
      let wasUsual = endpoint.port == connectionProtocol.defaultPort
      connectionProtocol =
        try given.map { values throws(ControlError) in
          try Values.choice("protocol", values, HostProtocol.allCases.map { ($0.rawValue, $0) })
        } ?? new.connectionProtocol
      if wasUsual {
        endpoint = SSHEndpoint(host: endpoint.host, port: connectionProtocol.defaultPort)
      }
    case "identity":
      identity = try given.map { values throws(ControlError) in
        try vault.identity(values.last ?? "")
      }
    case "user": username = given.map(Values.line) ?? ""
    case "key-file": keyFiles = try Values.list(keyFiles, change) { $0 }
    case "agent":
      usesAgent =
        try given.map { values throws(ControlError) in
          try Values.flag("agent", values)
        } ?? new.usesAgent
    case "jump":
      jumps = try Values.list(jumps, change, { vault.jumps($0) }) { vault.isSame($0, $1) }
    case "tag":
      tags = try Values.list(tags, change) { $0.flatMap(FieldText.tags) }
    case "color":
      color = try given.map { values throws(ControlError) in
        try Values.choice("color", values, PaletteColor.allCases.map { ($0.rawValue, $0) })
      }
    case "theme": theme = given.map(Values.line)
    case "directory": startDirectory = given.map(Values.line) ?? ""
    case "snippet":
      startupSnippet = try given.map { values throws(ControlError) in
        try vault.snippet(values.last ?? "")
      }
    case "env":
      environment = try applyEnvironment(change)
    case "note": notes = given?.last ?? ""
    case "pinned":
      isPinned =
        try given.map { values throws(ControlError) in
          try Values.flag("pinned", values)
        } ?? false
    default: try applyRest(change)
    }
  }

  private nonisolated mutating func applyRest(_ change: RecordChange) throws(ControlError) {
    typealias Values = RecordFieldValues
    let given = change.values
    switch change.field {
    case "shell-integration":
      shellIntegration =
        try given.map { values throws(ControlError) in
          try Values.choice(change.field, values, HostRecord.shellIntegrationNames)
        } ?? .standard
    case "clipboard":
      clipboard =
        try given.map { values throws(ControlError) in
          try Values.choice(change.field, values, HostRecord.clipboardNames)
        } ?? .standard
    case "recording":
      recording =
        try given.map { values throws(ControlError) in
          try Values.choice(change.field, values, HostRecord.recordingNames)
        } ?? nil
    case "engine":
      engine =
        try given.map { values throws(ControlError) in
          try Values.choice(
            "engine",
            values,
            EngineChoice.allCases.map {
              ($0.rawValue.lowercased(), $0)
            }
          )
        } ?? .automatic
    case "old-algorithms":
      allowsOldAlgorithms =
        try given.map { values throws(ControlError) in
          try Values.flag("old-algorithms", values)
        } ?? false
    case "keepalive":
      keepAliveSeconds = try given.map { values throws(ControlError) in
        do throws(FieldProblem) {
          return try FieldText.number(values.last ?? "", in: HostRecord.keepAliveRange)
        } catch {
          throw Values.invalid("keepalive", error)
        }
      }
    default: throw ControlError(.usage, RecordField.unknown(change.field, of: .host) + ".")
    }
  }

  private nonisolated func applyEnvironment(_ change: RecordChange) throws(ControlError)
    -> [EnvironmentVariable]
  {
    if case .remove(_, let names) = change {
      // A name alone is enough.
      let gone = Set(names.map { $0.prefix { $0 != "=" } }.map(String.init))
      for name in gone where !environment.contains(where: { $0.name == name }) {
        throw ControlError(.notFound, "env: there is no '\(name)' to remove.")
      }
      return environment.filter { !gone.contains($0.name) }
    }
    return try RecordFieldValues.list(environment, change, RecordFieldValues.environment) {
      $0.name == $1.name
    }
  }

  /// The choices of shell integration as they are typed.
  nonisolated static let shellIntegrationNames: [(String, ShellIntegrationChoice)] = [
    ("default", .standard), ("enable", .enabled), ("disable", .disabled),
  ]

  /// The choices of the clipboard as they are typed.
  nonisolated static let clipboardNames: [(String, ClipboardChoice)] = [
    ("default", .standard), ("read", .reading), ("write", .writing), ("off", .disabled),
  ]

  /// The choices of recordings as they are typed.
  nonisolated static let recordingNames: [(String, RecordingFormat?)] =
    [("off", nil)] + RecordingFormat.allCases.map { ($0.rawValue, $0) }
}

extension VaultSnapshot {
  nonisolated func identity(_ word: String) throws(ControlError) -> IdentityID {
    guard case .identity(let id) = try reference(.identity, word) else { return IdentityID() }
    return id
  }

  nonisolated func snippet(_ word: String) throws(ControlError) -> SnippetID {
    guard case .snippet(let id) = try reference(.snippet, word) else { return SnippetID() }
    return id
  }

  nonisolated func key(_ word: String) throws(ControlError) -> KeyID {
    guard case .key(let id) = try reference(.key, word) else { return KeyID() }
    return id
  }

  /// Jumps as they are typed: the name or id of a saved host stays meant when it is renamed.
  nonisolated func jumps(_ values: [String]) -> [HostJump] {
    values.flatMap { value -> [HostJump] in
      if let host = hosts.first(where: { $0.name == value || "\($0.id)" == value.uppercased() }) {
        return [.saved(host.id)]
      }
      return FieldText.jumps(value).map { jump in
        guard case .text(let text) = jump, let host = hosts.first(where: { $0.name == text })
        else { return jump }
        return .saved(host.id)
      }
    }
  }

  nonisolated func isSame(_ left: HostJump, _ right: HostJump) -> Bool {
    left == right || text(left) == text(right)
  }

  /// A jump as it is typed.
  nonisolated func text(_ jump: HostJump) -> String {
    switch jump {
    case .text(let text): text
    case .saved(let id): hosts.first { $0.id == id }?.name ?? "\(id)"
    }
  }
}
