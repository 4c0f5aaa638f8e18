import TermindDomain

/// Makes records with text as odd as it may be.
struct RandomRecords {
  var generator = SystemRandomNumberGenerator()

  private static let pieces = [
    "a", "Z", "0", " ", "\n", "\r\n", "\u{0}", "\u{1B}[31m", "'", "\"", "\\", "%", "{{x}}", "é",
    "e\u{301}", "\u{1F468}\u{200D}\u{1F469}", "\u{202E}", "\u{FEFF}", "\u{10FFFF}",
    "; DROP TABLE hosts;",
    "?1", "\u{2028}", "\t", "日本",
  ]

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  mutating func flip() -> Bool { .random(using: &generator) }

  mutating func text(_ most: Int = 12) -> String {
    (0..<number(0...most)).map { _ in Self.pieces[number(0...(Self.pieces.count - 1))] }.joined()
  }

  /// A text that may be a name: with marks at its ends, and nothing that cannot be seen.
  mutating func name() -> String {
    let inside = text().unicodeScalars.filter { $0.properties.generalCategory != .control }
    return "n\(number(0 ... .max))" + String(String.UnicodeScalarView(inside)) + "."
  }

  mutating func texts(_ most: Int) -> [String] { (0..<number(0...most)).map { _ in text() } }

  mutating func bytes(_ most: Int) -> [UInt8] {
    (0..<number(0...most)).map { _ in UInt8(number(0...255)) }
  }

  mutating func optional<Value>(_ make: (inout RandomRecords) -> Value) -> Value? {
    flip() ? make(&self) : nil
  }

  mutating func element<Value>(of values: [Value]) -> Value? {
    values.isEmpty ? nil : values[number(0...(values.count - 1))]
  }

  mutating func key() -> KeyRecord {
    let places: [KeyLocation] = [.file(path: text()), .secret(SecretItemID()), .agent]
    return KeyRecord(
      name: name(),
      algorithm: text(),
      comment: text(),
      fingerprint: text(),
      publicKey: bytes(80),
      certificate: optional { $0.bytes(300) },
      location: places[number(0...2)],
      passphrase: optional { _ in SecretItemID() }
    )
  }

  mutating func identity(keys: [KeyRecord]) -> IdentityRecord {
    IdentityRecord(
      name: name(),
      username: text(),
      password: optional { _ in SecretItemID() },
      keys: keys.map(\.id).filter { _ in flip() }.shuffled(using: &generator),
      usesAgent: flip()
    )
  }

  mutating func snippet() -> SnippetRecord {
    SnippetRecord(name: name(), text: text(60), tags: texts(4))
  }

  mutating func host(
    identities: [IdentityRecord],
    snippets: [SnippetRecord],
    hosts: [HostRecord]
  ) -> HostRecord {
    let jumps = (0..<number(0...4)).map { _ -> HostJump in
      let saved = element(of: hosts)?.id ?? HostID()
      return flip() ? .saved(saved) : .text(text())
    }
    return HostRecord(
      name: name(),
      endpoint: SSHEndpoint(host: text(), port: UInt16(number(1...65535))),
      connectionProtocol: element(of: HostProtocol.allCases) ?? .ssh,
      identity: element(of: identities)?.id,
      username: text(),
      keyFiles: texts(3),
      usesAgent: flip(),
      jumps: jumps,
      tags: texts(5),
      color: optional { $0.element(of: PaletteColor.allCases) ?? .red },
      theme: optional { $0.text() },
      shellIntegration: element(of: ShellIntegrationChoice.allCases) ?? .standard,
      clipboard: element(of: ClipboardChoice.allCases) ?? .standard,
      recording: element(of: [nil] + RecordingFormat.allCases) ?? nil,
      startDirectory: text(),
      startupSnippet: element(of: snippets)?.id,
      environment: texts(3).map { EnvironmentVariable(name: text(), value: $0) },
      keepAliveSeconds: optional { $0.number(0...86400) },
      notes: text(80),
      isPinned: flip(),
      engine: element(of: EngineChoice.allCases) ?? .automatic,
      allowsOldAlgorithms: flip(),
      lastUsed: optional { Int64($0.number(0...2_000_000_000)) }
    )
  }

  mutating func knownHost() -> KnownHostRecord {
    let names: [KnownHostNames] = [
      .endpoint(SSHEndpoint(host: text(), port: UInt16(number(1...65535)))), .patterns(text()),
      .hashed(text()),
    ]
    return KnownHostRecord(
      names: names[number(0...2)],
      marker: element(of: KnownHostMarker.allCases) ?? .trusted,
      key: HostKey(type: text(), blob: bytes(40) + [UInt8(number(0...255))], fingerprint: text()),
      comment: text(),
      since: Int64(number(0...2_000_000_000))
    )
  }

  mutating func template(hosts: [HostRecord]) -> WorkspaceTemplate {
    let numbers = (1...UInt32(number(1...6))).map { PaneID(rawValue: $0) }
    var tree = SplitTree(numbers[0])
    for number in numbers.dropFirst() {
      _ = tree.split(tree.firstPane, with: number, at: flip() ? .right : .down)
    }
    var panes: [PaneID: TemplatePane] = [:]
    for number in numbers {
      let host = element(of: hosts)?.id ?? HostID()
      let contents: [TemplatePane] = [
        .ssh(host, name: text()), .sftp(host, name: text()), .local(directory: text()),
        .empty(label: text()),
      ]
      panes[number] = contents[self.number(0...3)]
    }
    return WorkspaceTemplate(name: name(), tree: tree, panes: panes)
  }

  mutating func event(hosts: [HostRecord]) -> ConnectionEvent {
    let outcomes: [ConnectionEvent.Outcome] = [.connected, .failed(text()), .cancelled]
    return ConnectionEvent(
      target: text(),
      host: element(of: hosts)?.id,
      kind: flip() ? .terminal : .files,
      started: Int64(number(0...2_000_000_000)),
      ended: optional { Int64($0.number(0...2_000_000_000)) },
      outcome: outcomes[number(0...2)]
    )
  }

  /// Records of every kind that name each other.
  mutating func batch() -> VaultBatch {
    var batch = VaultBatch(
      keys: (0..<6).map { _ in key() },
      snippets: (0..<6).map { _ in snippet() }
    )
    batch.identities = (0..<5).map { _ in identity(keys: batch.keys) }
    for _ in 0..<25 {
      batch.hosts.append(
        host(identities: batch.identities, snippets: batch.snippets, hosts: batch.hosts)
      )
    }
    batch.knownHosts = (0..<12).map { _ in knownHost() }
    batch.templates = (0..<6).map { _ in template(hosts: batch.hosts) }
    return batch
  }
}
