import TermindApplication
import TermindDomain
import TermindPresentation

/// Records whose secrets are in the secret store: passwords of identities, private keys.
extension VaultController {
  /// Saves an identity whose password was typed or is to be forgotten.
  ///
  /// A new password is kept before the record that names it is saved, and goes again when that fails.
  func savePassword(
    of editor: IdentityEditor,
    then work: @escaping (VaultController) -> Void
  ) {
    var record = editor.record
    let old = editor.original.password
    let name = record.name.isEmpty ? record.defaultName : record.name
    if editor.password == .removed {
      record.password = nil
      return change { controller in
        try await controller.write(record)
        controller.finishSaving(.record(record.id.rawValue), then: work)
        if let old { controller.forget([old]) }
      }
    }
    window.withSecrets("The password of \(name) is kept there.") { [weak self] store in
      self?.change { controller in
        switch editor.password {
        case .kept, .removed: break
        case .typed(let bytes):
          let secret = NewSecret(bytes, label: "Termind: password of \(name)")
          try await store.keeping([secret]) { ids in
            record.password = ids.first
            try await controller.write(record)
          }
        }
        if let old { try await store.delete(old) }
        controller.finishSaving(.record(record.id.rawValue), then: work)
      }
    }
  }

  private func write(_ identity: IdentityRecord) async throws {
    try await library.save(
      VaultBatch(identities: [identity]),
      label: "the change of \(identity.name)"
    ) { step in
      // The password before is gone; taking the change back keeps the present one.
      for place in step.restored.identities.indices {
        step.restored.identities[place].password = identity.password
      }
    }
  }

  /// The secrets that are kept for records.
  func secrets(of records: [VaultReference]) -> [SecretItemID] {
    let batch = contents.batch(of: records)
    return batch.identities.compactMap(\.password) + batch.keys.flatMap(\.secrets)
  }

  /// Removes secrets of records that are deleted.
  func forget(_ secrets: [SecretItemID]) {
    guard !secrets.isEmpty else { return }
    window.withSecrets("The secrets that are no longer named are removed.", forgets: true) {
      [weak self] store in self?.run { _ in try await store.delete(secrets) }
    }
  }
}

extension KeyRecord {
  /// The secrets that are kept for it.
  var secrets: [SecretItemID] {
    var all: [SecretItemID] = []
    if case .secret(let id) = location { all.append(id) }
    if let passphrase { all.append(passphrase) }
    return all
  }
}

extension VaultUndo {
  /// Takes out of the step what cannot come back because its secrets are gone.
  mutating func dropSecrets() {
    for place in restored.identities.indices { restored.identities[place].password = nil }
    restored.keys.removeAll { key in
      if case .secret = key.location { return true }
      return false
    }
    for place in restored.keys.indices { restored.keys[place].passphrase = nil }
  }
}
