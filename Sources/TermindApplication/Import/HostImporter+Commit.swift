internal import TermindDomain

extension HostImporter {
  /// Saves what the preview says, in one transaction.
  ///
  /// Key files are read again; nothing is saved when one of them is not what the preview showed.
  /// - Parameter preview: A preview with the person's choices.
  /// - Returns: What was saved; nothing when nothing is chosen.
  /// - Throws: Why nothing was saved.
  public func commit(
    _ preview: HostImportPreview
  ) async throws(HostImportError) -> HostImportResult {
    let chosen = preview.hosts.filter { $0.chosenName != nil }
    var names: Set<String> = []
    for host in chosen {
      if let problem = host.problems.first { throw .invalid(name: host.draft.name, problem) }
      guard let name = host.chosenName, names.insert(name).inserted else {
        throw .nameTaken(host.chosenName ?? host.draft.name)
      }
    }
    let used = Set(chosen.flatMap(\.draft.keyFiles))
    let keys = preview.keys.filter { $0.isSelected && used.contains($0.path) }
    try await checkUnchanged(keys)
    var batch = try await emptyBatch()
    for key in keys { batch.add(key) }
    batch.add(chosen)
    try batch.check()
    do throws(StoreError) {
      if !batch.new.isEmpty { try await vault.save(batch.new, policy: .neverOverwrite) }
    } catch {
      if case .nameTaken(.host, let name) = error { throw .nameTaken(name) }
      throw .store(error)
    }
    return HostImportResult(
      hosts: batch.new.hosts,
      keys: batch.new.keys,
      identities: batch.new.identities
    )
  }

  private func checkUnchanged(
    _ keys: [HostImportPreview.Key]
  ) async throws(HostImportError) {
    for key in keys {
      switch (key.result, await inspect(key.path)) {
      case (.failure(let problem), _), (_, .failure(let problem)):
        throw .keyUnusable(path: key.path, problem)
      case (.success(let shown), .success(let found)):
        guard shown == found else { throw .keyChanged(path: key.path) }
      }
    }
  }

  private func emptyBatch() async throws(HostImportError) -> HostImportBatch {
    do throws(StoreError) {
      return HostImportBatch(
        hosts: try await vault.hosts(),
        identities: try await vault.identities(),
        keys: try await vault.keys()
      )
    } catch {
      throw .store(error)
    }
  }
}

/// Makes the records of an import.
struct HostImportBatch {
  private let hosts: [HostRecord]
  private let identities: [IdentityRecord]
  private let keys: [KeyRecord]
  private(set) var new = VaultBatch()
  /// The key record of each selected file.
  private var keyOfPath: [String: KeyID] = [:]
  private var keyOfPublicKey: [[UInt8]: KeyID]
  private var identityOfUse: [Use: IdentityID]
  private var identityNames: Set<String>

  /// What makes two hosts share an identity.
  private struct Use: Hashable {
    let username: String
    let keys: [KeyID]
    let usesAgent: Bool
  }

  init(hosts: [HostRecord], identities: [IdentityRecord], keys: [KeyRecord]) {
    self.hosts = hosts
    self.identities = identities
    self.keys = keys
    keyOfPublicKey = Dictionary(
      keys.map { ($0.publicKey, $0.id) },
      uniquingKeysWith: { first, _ in first }
    )
    identityOfUse = Dictionary(
      identities.filter { $0.password == nil }.map { identity in
        let use = Use(
          username: identity.username,
          keys: identity.keys,
          usesAgent: identity.usesAgent
        )
        return (use, identity.id)
      },
      uniquingKeysWith: { first, _ in first }
    )
    identityNames = Set(identities.map(\.name))
  }

  /// Takes a key file into the vault, unless the vault has the key.
  mutating func add(_ key: HostImportPreview.Key) {
    guard case .success(let summary) = key.result else { return }
    if let known = keyOfPublicKey[summary.publicKey] {
      keyOfPath[key.path] = known
      return
    }
    let record = KeyRecord(
      name: Self.lastPart(key.path),
      algorithm: summary.algorithm,
      comment: summary.comment,
      fingerprint: summary.fingerprint,
      publicKey: summary.publicKey,
      certificate: key.certificate,
      location: .file(path: key.path)
    )
    keyOfPath[key.path] = record.id
    keyOfPublicKey[summary.publicKey] = record.id
    new.keys.append(record)
  }

  /// Makes the hosts with their identities and jumps.
  mutating func add(_ chosen: [HostImportPreview.Host]) {
    // What the file calls a host is the host of the import; else it is the saved one of that name.
    var ids: [String: (id: HostID, name: String)] = [:]
    for host in hosts { ids[host.name] = (host.id, host.name) }
    let drafts = chosen.compactMap { host in
      host.chosenName.map { (draft: host.draft, id: HostID(), name: $0) }
    }
    for (draft, id, name) in drafts { ids[draft.name] = (id, name) }
    for (draft, id, name) in drafts {
      var record = HostRecord(
        id: id,
        name: name,
        endpoint: draft.endpoint,
        username: draft.username,
        keyFiles: draft.keyFiles,
        usesAgent: draft.usesAgent,
        jumps: draft.jumps.flatMap { Self.jumps($0, ids) },
        tags: draft.tags,
        environment: draft.environment,
        keepAliveSeconds: draft.keepAliveSeconds,
        notes: draft.notes,
        allowsOldAlgorithms: draft.allowsOldAlgorithms
      )
      let keys = draft.keyFiles.compactMap { keyOfPath[$0] }
      if !keys.isEmpty, keys.count == draft.keyFiles.count {
        record.identity = identity(draft, keys)
        record.username = ""
        record.keyFiles = []
        record.usesAgent = true
      }
      new.hosts.append(record)
    }
  }

  /// Refuses what may not be saved.
  func check() throws(HostImportError) {
    let context = VaultContext(
      hosts: hosts + new.hosts,
      identities: identities + new.identities,
      keys: keys + new.keys
    )
    for host in new.hosts {
      guard let problem = host.problems(in: context).first else { continue }
      if problem.field == .name, problem.problem == .taken { throw .nameTaken(host.name) }
      throw .invalid(name: host.name, problem)
    }
  }

  /// The identity with this account and these keys; hosts that agree share one.
  private mutating func identity(_ draft: HostDraft, _ keys: [KeyID]) -> IdentityID {
    let unique = keys.reduce(into: [KeyID]()) { if !$0.contains($1) { $0.append($1) } }
    let use = Use(username: draft.username, keys: unique, usesAgent: draft.usesAgent)
    if let known = identityOfUse[use] { return known }
    let keyName = Self.lastPart(draft.keyFiles[0])
    let isUsed = identityNames.contains(draft.username)
    let name =
      draft.username.isEmpty
      ? keyName : isUsed ? "\(draft.username) (\(keyName))" : draft.username
    let record = IdentityRecord(
      name: name,
      username: draft.username,
      keys: unique,
      usesAgent: draft.usesAgent
    )
    new.identities.append(record)
    identityOfUse[use] = record.id
    identityNames.insert(name)
    return record.id
  }

  private static func jumps(
    _ draft: JumpDraft,
    _ ids: [String: (id: HostID, name: String)]
  ) -> [HostJump] {
    guard let name = draft.name, let host = ids[name] else {
      return draft.targets.map { .text($0) }
    }
    if draft.jump.user == nil, draft.jump.port == nil { return [.saved(host.id)] }
    let text = SSHJump(user: draft.jump.user, host: host.name, port: draft.jump.port).description
    // A name with blanks cannot stand beside an account; the addresses say the same then.
    guard let target = try? ConnectTarget(parsing: text), target.host == host.name else {
      return draft.targets.map { .text($0) }
    }
    return [.text(text)]
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
