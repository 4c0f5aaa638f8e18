import TermindApplication
import TermindDomain
import TermindPresentation

/// Passwords and passphrases that come with records.
extension RecordDesk {
  /// Saves a batch; secrets are kept before it, and gone again when it fails.
  ///
  /// - Returns: What was left behind; nil when nothing was.
  nonisolated func save(
    _ batch: VaultBatch,
    _ policy: VaultBatchPolicy,
    replaced old: VaultSnapshot,
    isForced: Bool = false,
    _ secrets: [String: SecretBytes]
  ) async throws(ControlError) -> String? {
    let field = batch.identities.isEmpty ? "passphrase" : "password"
    let orphans = old.secrets(droppedBy: batch, isReplaced: secrets[field] != nil)
    guard let secret = secrets[field] else {
      return try await dropping(orphans, isForced: isForced, secrets) {
        () async throws(ControlError) in
        try await write(batch, policy)
      }
    }
    if field == "passphrase" { try await check(secret, of: batch.keys) }
    let store = try await openSecrets(secrets)
    let names = batch.identities.map(\.shownName) + batch.keys.map(\.shownName)
    let new = names.map { NewSecret(secret, label: "Termind: \(field) of \($0)") }
    do {
      try await store.keeping(new) { ids in
        var batch = batch
        for index in batch.identities.indices { batch.identities[index].password = ids[index] }
        for index in batch.keys.indices { batch.keys[index].passphrase = ids[index] }
        try await write(batch, policy)
      }
    } catch let error as ControlError {
      throw error
    } catch let error as SecretStoreError {
      throw ControlError(error)
    } catch {
      throw ControlError(.failed, "The secret was not kept: \(error).")
    }
    return await drop(orphans, from: store)
  }

  /// Changes records so that they no longer name secrets, and removes those.
  ///
  /// - Parameters:
  ///   - ids: The secrets.
  ///   - isForced: Whether records are changed also when the secrets cannot be reached.
  ///   - secrets: What opens the store.
  ///   - change: Changes the records.
  /// - Returns: What was left behind; nil when nothing was.
  /// - Throws: Why nothing was changed.
  nonisolated func dropping(
    _ ids: [SecretItemID],
    isForced: Bool,
    _ secrets: [String: SecretBytes],
    _ change: () async throws(ControlError) -> Void
  ) async throws(ControlError) -> String? {
    guard !ids.isEmpty else {
      try await change()
      return nil
    }
    let store: (any SecretStoring)?
    do throws(ControlError) {
      let found = try await secretStore()
      // What is not set up holds nothing that could be removed.
      store = await found.state() == .notSetUp ? nil : try await openSecrets(secrets)
    } catch {
      guard isForced else {
        let way = "With --force it is done all the same, and the secret stays behind."
        throw ControlError(error.code, "\(error.message) \(way)")
      }
      try await change()
      return Self.left(ids, error.message)
    }
    try await change()
    guard let store else { return nil }
    return await drop(ids, from: store)
  }

  private nonisolated static func left(_ ids: [SecretItemID], _ reason: String) -> String {
    let what = ids.count == 1 ? "A secret stays" : "\(ids.count) secrets stay"
    return "\(what) behind in the secret store, where no record names it: \(reason)"
  }

  /// Refuses a passphrase that is not the one of its key.
  private nonisolated func check(_ passphrase: SecretBytes, of keys: [KeyRecord])
    async throws(ControlError)
  {
    for key in keys {
      guard case .file(let path) = key.location else { continue }
      do throws(KeyFileProblem) {
        switch try await keyFiles.fit(of: passphrase, to: path) {
        case .opens: break
        case .wrong:
          throw .unreadable("the passphrase does not open it")
        case .notNeeded:
          throw .unreadable("it has no passphrase, so there is none to keep")
        }
      } catch {
        throw ControlError(
          .invalid,
          "Nothing was saved: the key file '\(path)': \(ImportWords.text(error))."
        )
      }
    }
  }

  private nonisolated func write(_ batch: VaultBatch, _ policy: VaultBatchPolicy)
    async throws(ControlError)
  {
    do throws(StoreError) { try await vault.save(batch, policy: policy) } catch {
      throw ControlError(error)
    }
  }

  /// The secret store, open.
  nonisolated func openSecrets(_ secrets: [String: SecretBytes]) async throws(ControlError)
    -> any SecretStoring
  {
    let store = try await secretStore()
    do throws(SecretStoreError) {
      switch await store.state() {
      case .unlocked: break
      case .locked, .notSetUp:
        // A keyring asks by itself.
        guard store.place == .keyring || secrets["unlock"] != nil else {
          let state = await store.state()
          throw state == .notSetUp ? .notSetUp : .locked
        }
        if await store.state() == .notSetUp, store.place == .sealedFile, let new = secrets["unlock"]
        {
          try await store.changePassphrase(from: nil, to: new)
        } else {
          try await store.unlock(secrets["unlock"])
        }
      case .unusable(let error): throw error
      }
    } catch {
      throw ControlError(error)
    }
    return store
  }

  /// Removes secrets that no record names any more.
  ///
  /// - Returns: What was left behind; nil when nothing was.
  private nonisolated func drop(_ ids: [SecretItemID], from store: any SecretStoring) async
    -> String?
  {
    do throws(SecretStoreError) {
      try await store.delete(ids)
      return nil
    } catch {
      return Self.left(ids, ControlError(error).message)
    }
  }
}

extension VaultSnapshot {
  /// The secrets that records name.
  nonisolated func secrets(of references: Set<VaultReference>) -> [SecretItemID] {
    var ids: [SecretItemID] = []
    for identity in identities where references.contains(.identity(identity.id)) {
      if let id = identity.password { ids.append(id) }
    }
    for key in keys where references.contains(.key(key.id)) {
      if let id = key.passphrase { ids.append(id) }
      if case .secret(let id) = key.location { ids.append(id) }
    }
    return ids
  }

  /// The secrets that changed records no longer name.
  fileprivate nonisolated func secrets(droppedBy batch: VaultBatch, isReplaced: Bool)
    -> [SecretItemID]
  {
    var ids: [SecretItemID] = []
    for new in batch.identities {
      guard let id = identities.first(where: { $0.id == new.id })?.password else { continue }
      if isReplaced || new.password != id { ids.append(id) }
    }
    for new in batch.keys {
      guard let old = keys.first(where: { $0.id == new.id }) else { continue }
      if let id = old.passphrase, isReplaced || new.passphrase != id { ids.append(id) }
      if case .secret(let id) = old.location, old.location != new.location { ids.append(id) }
    }
    return ids
  }
}

extension IdentityRecord {
  fileprivate nonisolated var shownName: String { name.isEmpty ? defaultName : name }
}

extension KeyRecord {
  fileprivate nonisolated var shownName: String { name.isEmpty ? defaultName : name }
}

extension ControlError {
  /// Says why the secret store did not do it.
  nonisolated init(_ error: SecretStoreError) {
    let text = ErrorText.explain(error).detail
    switch error {
    case .locked, .notSetUp:
      self.init(.locked, text + " Its passphrase is read with --unlock-fd N or --ask-unlock.")
    case .wrongPassphrase: self.init(.locked, text)
    default: self.init(.failed, text)
    }
  }
}
