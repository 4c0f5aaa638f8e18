import FoundationEssentials
public import TermindDomain

extension VaultContents {
  /// What the list of a part has to know of its records.
  public func items(of section: VaultSection) -> [VaultItem] {
    switch section {
    case .hosts:
      hosts.map { host in
        VaultItem(
          .record(host.id.rawValue),
          title: host.name,
          text: "\(host.name) \(address(of: host)) \(host.tags.joined(separator: " "))",
          tags: host.tags
        )
      }
    case .identities:
      identities.map { identity in
        VaultItem(
          .record(identity.id.rawValue),
          title: identity.name,
          text: "\(identity.name) \(identity.username)"
        )
      }
    case .keys:
      keys.map { key in
        VaultItem(
          .record(key.id.rawValue),
          title: key.name,
          text: "\(key.name) \(KeyRecord.algorithmName(key.algorithm)) \(key.comment)"
        )
      }
    case .knownHosts:
      knownHosts.map { known in
        let title = known.title
        return VaultItem(
          .record(known.id.rawValue),
          title: title,
          text: "\(title) \(KeyRecord.algorithmName(known.key.type)) \(known.comment)"
        )
      }
    case .snippets:
      snippets.map { snippet in
        VaultItem(
          .record(snippet.id.rawValue),
          title: snippet.name,
          text: "\(snippet.name) \(snippet.tags.joined(separator: " ")) \(snippet.firstLine)",
          tags: snippet.tags
        )
      }
    case .templates:
      templates.map { template in
        VaultItem(
          .record(template.id.rawValue),
          title: template.name,
          text: "\(template.name) \(summary(of: template))"
        )
      }
    case .history:
      events.map { event in
        let name = event.host.flatMap(host)?.name ?? event.target
        return VaultItem(.record(event.id.rawValue), title: name, text: "\(name) \(event.target)")
      }
    }
  }

  /// The places of a part's records, sorted; nil when they stand so already.
  public func order(of section: VaultSection, by sort: VaultSort) -> [Int]? {
    switch section {
    case .hosts: hostOrder(sort)
    case .identities:
      sort == .name
        ? Self.alphabetic(identities.map(\.name)) : Self.newest(identities.map(\.times.modified))
    case .keys:
      switch sort {
      case .name: Self.alphabetic(keys.map(\.name))
      case .kind: Self.alphabetic(keys.map { KeyRecord.algorithmName($0.algorithm) })
      default: Self.newest(keys.map(\.times.modified))
      }
    case .knownHosts:
      switch sort {
      case .kind: Self.alphabetic(knownHosts.map { KeyRecord.algorithmName($0.key.type) })
      case .newest: Self.newest(knownHosts.map(\.since))
      default: Self.alphabetic(knownHosts.map(\.title))
      }
    case .snippets:
      sort == .name
        ? Self.alphabetic(snippets.map(\.name)) : Self.newest(snippets.map(\.times.modified))
    case .templates:
      sort == .name
        ? Self.alphabetic(templates.map(\.name)) : Self.newest(templates.map(\.times.modified))
    case .history:
      sort == .name
        ? Self.alphabetic(events.map { $0.host.flatMap(host)?.name ?? $0.target }) : nil
    }
  }

  private func hostOrder(_ sort: VaultSort) -> [Int]? {
    let order: [Int]
    switch sort {
    case .lastUsed: order = Self.newest(hosts.map { $0.lastUsed ?? 0 })
    case .changed: order = Self.newest(hosts.map(\.times.modified))
    case .address: order = Self.alphabetic(hosts.map(\.endpoint.host))
    default: order = Self.alphabetic(hosts.map(\.name))
    }
    guard hosts.contains(where: \.isPinned) else { return order }
    return order.filter { hosts[$0].isPinned } + order.filter { !hosts[$0].isPinned }
  }

  private static func newest(_ times: [Int64]) -> [Int] {
    times.indices.sorted { (times[$1], $0) < (times[$0], $1) }
  }

  private static func alphabetic(_ names: [String]) -> [Int] { NaturalOrder.places(names) }

  // MARK: - Rows

  /// How a record looks in its list.
  ///
  /// - Parameters:
  ///   - section: The part.
  ///   - place: The record's place in it.
  ///   - now: Seconds since 1970.
  ///   - up: The hosts that a connection to is up.
  /// - Returns: The row.
  public func row(
    _ section: VaultSection,
    _ place: Int,
    now: Int64,
    up: Set<HostID> = []
  ) -> VaultRow {
    switch section {
    case .hosts: row(hosts[place], now, up)
    case .identities: row(identities[place])
    case .keys: row(keys[place])
    case .knownHosts: row(knownHosts[place], now)
    case .snippets: row(snippets[place])
    case .templates: row(templates[place])
    case .history: row(events[place], now)
    }
  }

  private func row(_ host: HostRecord, _ now: Int64, _ up: Set<HostID>) -> VaultRow {
    let isUp = up.contains(host.id)
    return VaultRow(
      title: host.name,
      detail: (host.connectionProtocol == .telnet ? "telnet " : "") + address(of: host),
      tags: host.tags.joined(separator: " "),
      trailing: host.lastUsed.map { AgeText.short(now - $0) } ?? "",
      sign: isUp ? "●" : host.isPinned ? "★" : "",
      signInk: isUp ? .success : .accent,
      color: host.color
    )
  }

  private func row(_ identity: IdentityRecord) -> VaultRow {
    var parts: [String] = []
    if identity.username != identity.name { parts.append(identity.username) }
    if identity.password != nil { parts.append("password") }
    parts += identity.keys.prefix(2).map { key($0)?.name ?? "deleted key" }
    if identity.keys.count > 2 { parts.append("\(identity.keys.count - 2) more keys") }
    if identity.usesAgent { parts.append("agent") }
    let uses = identityUses[identity.id] ?? 0
    return VaultRow(
      title: identity.name,
      detail: parts.filter { !$0.isEmpty }.joined(separator: " · "),
      trailing: uses == 0 ? "unused" : uses == 1 ? "1 host" : "\(uses) hosts",
      sign: identity.password == nil ? "" : "⚿",
      signInk: .accent
    )
  }

  private func row(_ key: KeyRecord) -> VaultRow {
    var parts = [KeyRecord.algorithmName(key.algorithm)]
    if key.certificate != nil { parts.append("certificate") }
    if !key.comment.isEmpty { parts.append(key.comment) }
    let place =
      switch key.location {
      case .file: "file"
      case .secret: "vault"
      case .agent: "agent"
      }
    return VaultRow(
      title: key.name,
      detail: parts.joined(separator: " · "),
      trailing: place,
      sign: "⚿",
      signInk: keyUses[key.id] == nil ? .dim : .accent
    )
  }

  private func row(_ known: KnownHostRecord, _ now: Int64) -> VaultRow {
    VaultRow(
      title: known.title,
      detail: "\(KeyRecord.algorithmName(known.key.type)) \(known.key.fingerprint)",
      tags: known.marker == .trusted ? "" : known.markerText,
      trailing: AgeText.short(now - known.since),
      sign: known.marker == .revoked ? "!" : known.marker == .certificateAuthority ? "@" : "",
      signInk: known.marker == .revoked ? .danger : .accent
    )
  }

  private func row(_ snippet: SnippetRecord) -> VaultRow {
    let lines = snippet.text.split(whereSeparator: \.isNewline).count
    return VaultRow(
      title: snippet.name,
      detail: snippet.firstLine == snippet.name ? "" : snippet.firstLine,
      tags: snippet.tags.joined(separator: " "),
      trailing: lines > 1 ? "\(lines) lines" : ""
    )
  }

  private func row(_ template: WorkspaceTemplate) -> VaultRow {
    let count = template.contents.count
    return VaultRow(
      title: template.name,
      detail: summary(of: template),
      trailing: count == 1 ? "1 pane" : "\(count) panes"
    )
  }

  private func row(_ event: ConnectionEvent, _ now: Int64) -> VaultRow {
    let host = event.host.flatMap(host)
    var detail = host == nil || host?.name == event.target ? "" : event.target
    if event.kind == .files { detail += detail.isEmpty ? "files" : " · files" }
    let state: String
    switch event.outcome {
    case .connected:
      state = event.ended.map { "for " + AgeText.duration($0 - event.started) } ?? ""
    case .failed(let word): state = word
    case .cancelled: state = "given up"
    }
    let isFailed = if case .failed = event.outcome { true } else { false }
    return VaultRow(
      title: host?.name ?? event.target,
      detail: [detail, state].filter { !$0.isEmpty }.joined(separator: " · "),
      trailing: AgeText.short(now - event.started),
      sign: isFailed ? "!" : "",
      signInk: .danger
    )
  }

  /// The panes of a template in a few words.
  func summary(of template: WorkspaceTemplate) -> String {
    template.contents.map { name(of: $0) }.joined(separator: ", ")
  }

  /// What a pane of a template opens.
  func name(of pane: TemplatePane) -> String {
    switch pane {
    case .ssh(let id, let name): host(id)?.name ?? "\(name) (deleted)"
    case .sftp(let id, let name): "files of " + (host(id)?.name ?? "\(name) (deleted)")
    case .local: "local shell"
    case .files: "local files"
    case .empty(let label): label.isEmpty ? "empty" : label
    }
  }
}

extension SnippetRecord {
  /// The first line that is not blank.
  var firstLine: String {
    let line = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
    return String((line ?? "").prefix(200))
  }
}

extension KnownHostRecord {
  /// What it is called in a list.
  var title: String {
    if case .hashed = names { return "hashed name" }
    return names.text
  }

  /// What it says about its hosts, in a word or two.
  var markerText: String {
    switch marker {
    case .trusted: "trusted"
    case .revoked: "revoked"
    case .certificateAuthority: "authority"
    }
  }
}
