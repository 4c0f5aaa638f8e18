import FoundationEssentials
import TermindApplication
import TermindDomain

/// How records become rows.
extension VaultSnapshot {
  nonisolated func row(_ host: HostRecord) -> HostRow {
    HostRow(
      id: "\(host.id)",
      name: host.name,
      address: host.endpoint.host,
      port: host.endpoint.port,
      protocol: host.connectionProtocol.rawValue,
      user: host.username,
      identity: host.identity.map { id in
        RecordName(id: "\(id)", name: identities.first { $0.id == id }?.name ?? "")
      },
      keyFiles: host.keyFiles,
      agent: host.usesAgent,
      jumps: host.jumps.map(text),
      tags: host.tags,
      color: host.color?.rawValue,
      theme: host.theme,
      shellIntegration: HostRecord.shellIntegrationNames
        .first { $0.1 == host.shellIntegration }?.0 ?? "default",
      clipboard: HostRecord.clipboardNames.first { $0.1 == host.clipboard }?.0 ?? "default",
      recording: host.recording?.rawValue ?? "off",
      directory: host.startDirectory,
      snippet: host.startupSnippet.map { id in
        RecordName(id: "\(id)", name: snippets.first { $0.id == id }?.name ?? "")
      },
      environment: host.environment,
      keepAlive: host.keepAliveSeconds,
      note: host.notes,
      pinned: host.isPinned,
      engine: host.engine.rawValue.lowercased(),
      oldAlgorithms: host.allowsOldAlgorithms,
      lastUsed: host.lastUsed,
      created: host.times.created,
      modified: host.times.modified
    )
  }

  nonisolated func row(_ identity: IdentityRecord) -> IdentityRow {
    IdentityRow(
      id: "\(identity.id)",
      name: identity.name,
      user: identity.username,
      keys: identity.keys.map { id in
        RecordName(id: "\(id)", name: keys.first { $0.id == id }?.name ?? "")
      },
      agent: identity.usesAgent,
      password: identity.password != nil,
      created: identity.times.created,
      modified: identity.times.modified
    )
  }

  nonisolated func row(_ key: KeyRecord) -> KeyRow {
    var path: String?
    let location: String
    switch key.location {
    case .file(let file):
      location = "file"
      path = file
    case .secret: location = "secret"
    case .agent: location = "agent"
    }
    let base64 = Data(key.publicKey).base64EncodedString()
    return KeyRow(
      id: "\(key.id)",
      name: key.name,
      algorithm: key.algorithm,
      fingerprint: key.fingerprint,
      comment: key.comment,
      publicKey: "\(key.algorithm) \(base64)" + (key.comment.isEmpty ? "" : " \(key.comment)"),
      certificate: key.certificate != nil,
      location: location,
      path: path,
      passphrase: key.passphrase != nil,
      created: key.times.created,
      modified: key.times.modified
    )
  }

  nonisolated static func row(_ known: KnownHostRecord) -> KnownHostRow {
    KnownHostRow(
      id: "\(known.id)",
      names: known.names.text,
      marker: known.marker == .certificateAuthority ? "cert-authority" : known.marker.rawValue,
      type: known.key.type,
      fingerprint: known.key.fingerprint,
      key: Data(known.key.blob).base64EncodedString(),
      comment: known.comment,
      since: known.since
    )
  }

  nonisolated func row(_ snippet: SnippetRecord) -> SnippetRow {
    SnippetRow(
      id: "\(snippet.id)",
      name: snippet.name,
      text: snippet.text,
      tags: snippet.tags,
      placeholders: snippet.placeholders.map(\.name),
      created: snippet.times.created,
      modified: snippet.times.modified
    )
  }

  nonisolated func row(_ template: WorkspaceTemplate) -> TemplateRow {
    func name(_ id: HostID, _ kept: String) -> RecordName {
      RecordName(id: "\(id)", name: hosts.first { $0.id == id }?.name ?? kept)
    }
    return TemplateRow(
      id: "\(template.id)",
      name: template.name,
      panes: template.contents.map { pane in
        switch pane {
        case .ssh(let id, let kept): TemplateRow.Pane(kind: "ssh", host: name(id, kept))
        case .sftp(let id, let kept): TemplateRow.Pane(kind: "sftp", host: name(id, kept))
        case .local(let directory): TemplateRow.Pane(kind: "local", directory: directory)
        case .files(let directory): TemplateRow.Pane(kind: "files", directory: directory)
        case .empty(let label): TemplateRow.Pane(kind: "empty", label: label)
        }
      },
      created: template.times.created,
      modified: template.times.modified
    )
  }

  /// The rows of records of a kind, those with an id among `ids` when it is given, in their order.
  nonisolated func rows(_ kind: RecordKind, _ isWanted: (String) -> Bool = { _ in true })
    -> RecordRows
  {
    switch kind {
    case .host:
      let identities = Dictionary(uniqueKeysWithValues: identities.map { ($0.id, $0.name) })
      let names = Dictionary(uniqueKeysWithValues: hosts.map { ($0.id, $0.name) })
      // Looked up once: a vault has thousands of hosts.
      return .hosts(
        hosts.filter { isWanted("\($0.id)") }.map { host in
          var small = VaultSnapshot()
          small.snippets = snippets
          if let id = host.identity, let name = identities[id] {
            small.identities = [IdentityRecord(id: id, name: name, username: "")]
          }
          for case .saved(let id) in host.jumps {
            guard let name = names[id] else { continue }
            small.hosts.append(HostRecord(id: id, name: name, endpoint: SSHEndpoint(host: "")))
          }
          return small.row(host)
        }
      )
    case .identity: return .identities(identities.filter { isWanted("\($0.id)") }.map(row))
    case .key: return .keys(keys.filter { isWanted("\($0.id)") }.map(row))
    case .knownHost:
      return .knownHosts(knownHosts.filter { isWanted("\($0.id)") }.map(Self.row))
    case .snippet: return .snippets(snippets.filter { isWanted("\($0.id)") }.map(row))
    case .template: return .templates(templates.filter { isWanted("\($0.id)") }.map(row))
    }
  }
}
