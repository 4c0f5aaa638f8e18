import TermindApplication
import TermindDomain

/// New records and changes of records.
extension RecordDesk {
  nonisolated func edit(
    _ kind: RecordKind,
    _ words: [String],
    _ changes: [RecordChange],
    isForced: Bool,
    _ secrets: [String: SecretBytes]
  ) async throws(ControlError) -> RecordResult {
    let vault = try await snapshot(kind)
    try checkTheme(changes)
    var batch = VaultBatch()
    var chosen: Set<String> = []
    for word in words {
      let found = try vault.find(kind, word)[0]
      guard chosen.insert(found.id).inserted else { continue }
      try await change(found.reference, changes, vault, &batch)
    }
    try batch.check(in: vault)
    let left = try await save(batch, .replace, replaced: vault, isForced: isForced, secrets)
    let saved = try await snapshot(kind)
    return .changed(saved.rows(kind) { chosen.contains($0) }, left: left)
  }

  /// Refuses a theme that there is not.
  private nonisolated func checkTheme(_ changes: [RecordChange]) throws(ControlError) {
    for change in changes where change.field == "theme" {
      guard let name = change.values.map(RecordFieldValues.line) else { continue }
      let known = themes()
      guard !known.contains(name) else { continue }
      let sentence = NearName.sentence("theme: there is no '\(name)'", name, among: known)
      throw ControlError(.invalid, sentence + ".")
    }
  }

  /// Puts a changed record into a batch.
  private nonisolated func change(
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

  nonisolated func add(
    _ kind: RecordKind,
    _ changes: [RecordChange],
    _ secrets: [String: SecretBytes]
  ) async throws(ControlError) -> RecordRows {
    let vault = try await snapshot(kind)
    try checkTheme(changes)
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
    // Nothing is replaced, so nothing is left behind.
    _ = try await save(batch, .neverOverwrite, replaced: VaultSnapshot(), secrets)
    return try await snapshot(kind).rows(kind) { $0 == id }
  }

  /// Looks at a key file for a new record, or for one that gets another file of the same key.
  private nonisolated func key(_ old: KeyRecord?, at path: String) async throws(ControlError)
    -> KeyRecord
  {
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

  private nonisolated func knownHost(_ changes: [RecordChange]) throws(ControlError)
    -> KnownHostRecord
  {
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
    for (field, word) in zip(["host", "key", "comment"], words)
    where FieldRules.hasInvisible(word) || field == "host" && word.contains(where: \.isWhitespace) {
      throw RecordFieldValues.invalid(field, .invisibleCharacters)
    }
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
}
