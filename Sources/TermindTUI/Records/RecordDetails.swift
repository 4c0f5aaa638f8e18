import TermindDomain

/// Every field of records, as `show` prints them.
nonisolated enum RecordDetails {
  typealias Fields = [(name: String, value: String)]

  /// The names and ids of rows.
  static func names(_ rows: RecordRows) -> [RecordName] {
    switch rows {
    case .hosts(let rows): rows.map { RecordName(id: $0.id, name: $0.name) }
    case .identities(let rows): rows.map { RecordName(id: $0.id, name: $0.name) }
    case .keys(let rows): rows.map { RecordName(id: $0.id, name: $0.name) }
    case .knownHosts(let rows): rows.map { RecordName(id: $0.id, name: $0.names) }
    case .snippets(let rows): rows.map { RecordName(id: $0.id, name: $0.name) }
    case .templates(let rows): rows.map { RecordName(id: $0.id, name: $0.name) }
    }
  }

  /// An address with its port where it is not the usual one.
  static func address(_ row: HostRow) -> String {
    "\(SSHEndpoint(host: row.address, port: row.port))"
  }

  /// The fields of each row; those with nothing in them are left out.
  static func all(_ rows: RecordRows) -> [Fields] {
    let all: [Fields] =
      switch rows {
      case .hosts(let rows): rows.map(host)
      case .identities(let rows): rows.map(identity)
      case .keys(let rows): rows.map(key)
      case .knownHosts(let rows): rows.map(known)
      case .snippets(let rows): rows.map(snippet)
      case .templates(let rows): rows.map(template)
      }
    return all.map { $0.filter { !$0.value.isEmpty } }
  }

  private static func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }

  private static func host(_ row: HostRow) -> Fields {
    [
      ("id", row.id), ("name", row.name), ("address", row.address), ("port", "\(row.port)"),
      ("protocol", row.protocol), ("user", row.user), ("identity", row.identity?.name ?? ""),
      ("key-file", row.keyFiles.joined(separator: "\n")), ("agent", yes(row.agent)),
      ("jump", row.jumps.joined(separator: ", ")), ("tag", row.tags.joined(separator: ", ")),
      ("color", row.color ?? ""), ("theme", row.theme ?? ""),
      ("shell-integration", row.shellIntegration), ("clipboard", row.clipboard),
      ("recording", row.recording), ("directory", row.directory),
      ("snippet", row.snippet?.name ?? ""),
      ("env", row.environment.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")),
      ("keepalive", row.keepAlive.map { "\($0)" } ?? ""), ("note", row.note),
      ("pinned", yes(row.pinned)), ("engine", row.engine),
      ("old-algorithms", yes(row.oldAlgorithms)),
    ]
  }

  private static func identity(_ row: IdentityRow) -> Fields {
    [
      ("id", row.id), ("name", row.name), ("user", row.user),
      ("key", row.keys.map(\.name).joined(separator: "\n")), ("agent", yes(row.agent)),
      ("password", yes(row.password)),
    ]
  }

  private static func key(_ row: KeyRow) -> Fields {
    [
      ("id", row.id), ("name", row.name), ("type", row.algorithm),
      ("fingerprint", row.fingerprint), ("comment", row.comment),
      ("public key", row.publicKey), ("certificate", yes(row.certificate)),
      ("where", row.path ?? row.location), ("saved passphrase", yes(row.passphrase)),
    ]
  }

  private static func known(_ row: KnownHostRow) -> Fields {
    [
      ("id", row.id), ("host", row.names), ("marker", row.marker), ("type", row.type),
      ("fingerprint", row.fingerprint), ("key", row.key), ("comment", row.comment),
    ]
  }

  private static func snippet(_ row: SnippetRow) -> Fields {
    [
      ("id", row.id), ("name", row.name), ("tag", row.tags.joined(separator: ", ")),
      ("placeholders", row.placeholders.joined(separator: ", ")), ("text", row.text),
    ]
  }

  private static func template(_ row: TemplateRow) -> Fields {
    [("id", row.id), ("name", row.name)]
      + row.panes.enumerated().map { index, pane in
        let what = pane.host?.name ?? pane.directory ?? pane.label ?? ""
        return ("pane \(index + 1)", what.isEmpty ? pane.kind : "\(pane.kind) \(what)")
      }
  }
}
