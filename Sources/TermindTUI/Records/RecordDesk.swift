import TermindApplication
import TermindDomain
import TermindPresentation

/// Answers requests of the command line about records, over the ports of the vault.
///
/// The server has one on its open store; a client without a server has one on the store that it opened itself.
nonisolated struct RecordDesk: Sendable {
  let vault: any VaultStoring
  let files: any RecordFileReading
  let keyFiles: any KeyFileInspecting
  /// The secret store; asked for only when a secret is written or removed.
  let secretStore: @Sendable () async throws(ControlError) -> any SecretStoring
  /// The time, seconds since 1970.
  let now: @Sendable () -> Int64

  /// Does what is asked; nothing was changed when it throws.
  ///
  /// - Parameters:
  ///   - request: What to do.
  ///   - secrets: The secrets that came with it, by field; `unlock` opens the secret store.
  /// - Returns: The answer.
  /// - Throws: A code for scripts with a sentence for people.
  @concurrent func answer(
    _ request: RecordRequest,
    secrets: [String: SecretBytes] = [:]
  ) async throws(ControlError) -> RecordResult {
    switch request {
    case .list(let kind, let words, let tags): return .records(try await list(kind, words, tags))
    case .show(let kind, let words):
      let vault = try await snapshot(kind)
      var ids: Set<String> = []
      for word in words { ids.formUnion(try vault.find(kind, word, takesAll: true).map(\.id)) }
      return .records(vault.rows(kind) { ids.contains($0) })
    case .add(let kind, let changes): return .records(try await add(kind, changes, secrets))
    case .edit(let kind, let words, let changes):
      return .records(try await edit(kind, words, changes, secrets))
    case .remove(let kind, let words, let options):
      return .removed(try await remove(kind, words, options, secrets))
    case .preview(let job): return .preview(try await look(job).row)
    case .commit(let job, let digest): return .imported(try await take(job, digest))
    case .export(let kind): return try await export(kind)
    }
  }

  func snapshot(_ kind: RecordKind) async throws(ControlError) -> VaultSnapshot {
    do throws(StoreError) {
      return try await VaultSnapshot.read(vault, for: kind)
    } catch {
      throw ControlError(error)
    }
  }

  // MARK: Looking

  private func list(_ kind: RecordKind, _ words: [String], _ tags: [String])
    async throws(ControlError) -> RecordRows
  {
    let rows = try await snapshot(kind).rows(kind)
    guard !words.isEmpty || !tags.isEmpty else { return rows }
    let words = words.map { $0.lowercased() }
    func isWanted(_ texts: [String], _ own: [String]) -> Bool {
      guard tags.allSatisfy(own.contains) else { return false }
      let text = (texts + own).joined(separator: "\n").lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    switch rows {
    case .hosts(let rows):
      return .hosts(
        rows.filter { isWanted([$0.id, $0.name, $0.address, $0.user, $0.note], $0.tags) }
      )
    case .identities(let rows):
      return .identities(rows.filter { isWanted([$0.id, $0.name, $0.user], []) })
    case .keys(let rows):
      return .keys(
        rows.filter { isWanted([$0.id, $0.name, $0.algorithm, $0.fingerprint, $0.comment], []) }
      )
    case .knownHosts(let rows):
      return .knownHosts(
        rows.filter { isWanted([$0.id, $0.names, $0.type, $0.fingerprint, $0.comment], []) }
      )
    case .snippets(let rows):
      return .snippets(rows.filter { isWanted([$0.id, $0.name, $0.text], $0.tags) })
    case .templates(let rows):
      return .templates(
        rows.filter { row in isWanted([row.id, row.name] + row.panes.compactMap(\.host?.name), []) }
      )
    }
  }

  // MARK: Saving

  private func edit(
    _ kind: RecordKind,
    _ words: [String],
    _ changes: [RecordChange],
    _ secrets: [String: SecretBytes]
  ) async throws(ControlError) -> RecordRows {
    let vault = try await snapshot(kind)
    var batch = VaultBatch()
    var chosen: Set<String> = []
    for word in words {
      let found = try vault.find(kind, word)[0]
      guard chosen.insert(found.id).inserted else { continue }
      try await change(found.reference, changes, vault, &batch)
    }
    try batch.check(in: vault)
    try await save(batch, .replace, replaced: vault, secrets)
    let saved = try await snapshot(kind)
    return saved.rows(kind) { chosen.contains($0) }
  }

  /// Puts a changed record into a batch.
  private func change(
    _ reference: VaultReference,
    _ changes: [RecordChange],
    _ vault: VaultSnapshot,
    _ batch: inout VaultBatch
  ) async throws(ControlError) {
    switch reference {
    case .host(let id):
      guard var record = vault.hosts.first(where: { $0.id == id }) else { return }
      for change in changes { try record.apply(change, in: vault) }
      batch.hosts.append(record)
    case .identity(let id):
      guard var record = vault.identities.first(where: { $0.id == id }) else { return }
      for change in changes { try record.apply(change, in: vault) }
      batch.identities.append(record)
    case .key(let id):
      guard var record = vault.keys.first(where: { $0.id == id }) else { return }
      for change in changes {
        if change.field == "file" {
          record = try await key(record, at: change.values?.last ?? "")
        } else {
          try record.apply(change)
        }
      }
      batch.keys.append(record)
    case .snippet(let id):
      guard var record = vault.snippets.first(where: { $0.id == id }) else { return }
      for change in changes { try record.apply(change) }
      batch.snippets.append(record)
    case .template(let id):
      guard let record = vault.templates.first(where: { $0.id == id }) else { return }
      batch.templates.append(try record.applying(changes, in: vault))
    case .knownHost: break
    }
  }

  private func add(
    _ kind: RecordKind,
    _ changes: [RecordChange],
    _ secrets: [String: SecretBytes]
  ) async throws(ControlError) -> RecordRows {
    let vault = try await snapshot(kind)
    var batch = VaultBatch()
    let id: String
    switch kind {
    case .host:
      var record = HostRecord.blank()
      for change in changes { try record.apply(change, in: vault) }
      if record.endpoint.host.isEmpty {
        throw ControlError(.usage, "A host needs an address; give it with --address.")
      }
      batch.hosts = [record]
      id = "\(record.id)"
    case .identity:
      var record = IdentityRecord(username: "")
      for change in changes { try record.apply(change, in: vault) }
      batch.identities = [record]
      id = "\(record.id)"
    case .key:
      guard let path = changes.last(where: { $0.field == "file" })?.values?.last else {
        throw ControlError(.usage, "A key needs the file of its private half; give it with --file.")
      }
      var record = try await key(nil, at: path)
      if let known = vault.keys.first(where: { $0.publicKey == record.publicKey }) {
        throw ControlError(.conflict, "The key is there already, as '\(known.name)' (\(known.id)).")
      }
      for change in changes where change.field != "file" { try record.apply(change) }
      batch.keys = [record]
      id = "\(record.id)"
    case .snippet:
      var record = SnippetRecord(text: "")
      for change in changes { try record.apply(change) }
      batch.snippets = [record]
      id = "\(record.id)"
    case .template:
      let empty = WorkspaceTemplate(name: "", tree: SplitTree(PaneID(rawValue: 1)), panes: [:])
      let record = try empty.applying(
        changes.map { change in
          // The pane that every template has is not one of those that are given.
          if case .add("host", let hosts) = change { .set("host", hosts) } else { change }
        },
        in: vault
      )
      batch.templates = [record]
      id = "\(record.id)"
    case .knownHost:
      let record = try knownHost(changes)
      if let known = vault.knownHosts.first(where: { $0.saysTheSame(as: record) }) {
        throw ControlError(.conflict, "The key is known there already (\(known.id)).")
      }
      batch.knownHosts = [record]
      id = "\(record.id)"
    }
    try batch.check(in: vault)
    try await save(batch, .neverOverwrite, replaced: VaultSnapshot(), secrets)
    return try await snapshot(kind).rows(kind) { $0 == id }
  }

  /// Looks at a key file for a new record, or for one that gets another file of the same key.
  private func key(_ old: KeyRecord?, at path: String) async throws(ControlError) -> KeyRecord {
    if let problem = FieldRules.problem(ofPath: path) {
      throw RecordFieldValues.invalid("file", problem)
    }
    let summary: KeyFileSummary
    do throws(KeyFileProblem) {
      summary = try await keyFiles.inspect(path)
    } catch {
      throw ControlError(
        .invalid,
        "The key file '\(path)' cannot be used: \(ImportWords.text(error))."
      )
    }
    if var old {
      guard old.publicKey == summary.publicKey else {
        throw ControlError(
          .invalid,
          "'\(path)' holds another key than '\(old.name)'; add it as a key of its own."
        )
      }
      old.location = .file(path: path)
      return old
    }
    return KeyRecord(
      name: String(path.split(separator: "/").last ?? ""),
      algorithm: summary.algorithm,
      comment: summary.comment,
      fingerprint: summary.fingerprint,
      publicKey: summary.publicKey,
      certificate: await keyFiles.certificate(at: path + "-cert.pub", for: summary.publicKey),
      location: .file(path: path)
    )
  }

  private func knownHost(_ changes: [RecordChange]) throws(ControlError) -> KnownHostRecord {
    func value(_ field: String) -> String {
      changes.last { $0.field == field }?.values?.last ?? ""
    }
    guard !value("host").isEmpty, !value("key").isEmpty else {
      throw ControlError(.usage, "A known host needs --host NAME and --key 'TYPE BASE64'.")
    }
    let markers = [
      ("trusted", ""), ("revoked", "@revoked "), ("cert-authority", "@cert-authority "),
    ]
    let marker =
      value("marker").isEmpty
      ? "" : try RecordFieldValues.choice("marker", [value("marker")], markers)
    let words = [value("host"), value("key"), value("comment")]
    guard !words[0].contains(where: \.isWhitespace), !words.joined().contains(where: \.isNewline)
    else { throw RecordFieldValues.invalid("host", .invisibleCharacters) }
    let line = marker + words.joined(separator: " ") + "\n"
    let (records, notes) = files.knownHosts(Array(line.utf8), path: "--key", time: now())
    guard let record = records.first, records.count == 1 else {
      throw RecordFieldValues.invalid(
        "key",
        notes.first ?? "one host and one key are needed"
      )
    }
    return record
  }

  // MARK: Removing

  private func remove(
    _ kind: RecordKind,
    _ words: [String],
    _ options: RemoveOptions,
    _ secrets: [String: SecretBytes]
  ) async throws(ControlError) -> [RecordName] {
    let vault = try await snapshot(kind)
    var chosen: [VaultSnapshot.Candidate] = []
    for word in words {
      for one in try vault.find(kind, word, takesAll: options.takesAll)
      where !chosen.contains(where: { $0.id == one.id }) { chosen.append(one) }
    }
    if !options.isForced { try await refuseDependents(of: chosen, kind) }
    let kept = vault.secrets(of: Set(chosen.map(\.reference)))
    let store = kept.isEmpty ? nil : try await openSecrets(secrets)
    do throws(StoreError) {
      try await self.vault.delete(chosen.map(\.reference))
    } catch {
      throw ControlError(error)
    }
    if let store { try await drop(kept, from: store) }
    return chosen.map { RecordName(id: $0.id, name: $0.name) }
  }

  private func refuseDependents(of chosen: [VaultSnapshot.Candidate], _ kind: RecordKind)
    async throws(ControlError)
  {
    let gone = Set(chosen.map(\.reference))
    for one in chosen {
      let dependents: [VaultDependent]
      do throws(StoreError) { dependents = try await vault.dependents(of: one.reference) } catch {
        throw ControlError(error)
      }
      let left = dependents.filter { !gone.contains($0.record) }
      guard !left.isEmpty else { continue }
      let names = left.prefix(20).map { "\($0.record.kind.rawValue) '\($0.name)' \($0.use.words)" }
      throw ControlError(
        .needsForce,
        "The \(kind.noun) '\(one.name)' is still used: \(names.joined(separator: ", "))"
          + (left.count > 20 ? " and \(left.count - 20) more" : "")
          + ". With --force it is removed all the same."
      )
    }
  }
}

extension VaultDependent.Use {
  /// What the record that depends does with the other one.
  fileprivate nonisolated var words: String {
    switch self {
    case .authenticates: "authenticates with it"
    case .offersKey: "offers it"
    case .jumpsThrough: "is reached through it"
    case .runsAtStart: "runs it at start"
    case .opens: "opens it"
    }
  }
}

extension VaultBatch {
  /// Refuses what may not be saved, with every problem of the first record that has one.
  nonisolated func check(in vault: VaultSnapshot) throws(ControlError) {
    let context = vault.context
    for host in hosts {
      try Self.check(
        host.name,
        host.problems(in: context).map { ($0.field.optionName, $0.problem) }
      )
    }
    for identity in identities {
      let problems = identity.problems(in: context)
      try Self.check(identity.name, problems.map { ($0.field.rawValue, $0.problem) })
    }
    for key in keys {
      try Self.check(key.name, key.problems().map { ($0.field.rawValue, $0.problem) })
    }
    for snippet in snippets {
      try Self.check(snippet.name, snippet.problems().map { ($0.field.rawValue, $0.problem) })
    }
    for template in templates {
      try Self.check(template.name, template.nameProblem(in: context).map { [("name", $0)] } ?? [])
    }
  }

  private nonisolated static func check(_ name: String, _ problems: [(String, FieldProblem)])
    throws(ControlError)
  {
    guard !problems.isEmpty else { return }
    if problems.contains(where: { $0.1 == .taken }) {
      throw ControlError(.conflict, "Another record has the name '\(name)'.")
    }
    let texts = problems.map { "\($0.0) \(ImportWords.text($0.1))" }
    throw ControlError(.invalid, "Nothing was saved: \(texts.joined(separator: "; ")).")
  }
}

extension HostField {
  /// The option that sets the field.
  nonisolated var optionName: String {
    switch self {
    case .connectionProtocol: "protocol"
    case .username: "user"
    case .keyFiles: "key-file"
    case .usesAgent: "agent"
    case .jumps: "jump"
    case .tags: "tag"
    case .shellIntegration: "shell-integration"
    case .startDirectory: "directory"
    case .startupSnippet: "snippet"
    case .environment: "env"
    case .keepAlive: "keepalive"
    case .notes: "note"
    case .isPinned: "pinned"
    case .name, .address, .port, .identity, .color, .theme, .engine: rawValue
    }
  }
}

extension ControlError {
  /// Says why the store did not do it.
  nonisolated init(_ error: StoreError) {
    let text = ErrorText.explain(error).detail
    switch error {
    case .nameTaken, .alreadyThere, .conflict: self.init(.conflict, text)
    case .missingReference: self.init(.invalid, text)
    case .notFound: self.init(.notFound, text)
    case .cannotOpen, .corrupt, .newerSchema, .locked, .notWritable, .diskFull:
      self.init(.store, text)
    case .failed: self.init(.failed, text)
    }
  }
}
