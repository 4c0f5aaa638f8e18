import TermindApplication
import TermindDomain

/// The end of records.
extension RecordDesk {
  nonisolated func remove(
    _ kind: RecordKind,
    _ words: [String],
    _ options: RemoveOptions,
    _ secrets: [String: SecretBytes]
  ) async throws(ControlError) -> RecordResult {
    let vault = try await snapshot(kind)
    var chosen: [VaultSnapshot.Candidate] = []
    for word in words {
      for one in try await vault.findHashed(kind, word, takesAll: options.takesAll)
      where !chosen.contains(where: { $0.id == one.id }) { chosen.append(one) }
    }
    if !options.isForced { try await refuseDependents(of: chosen, kind) }
    let kept = vault.secrets(of: Set(chosen.map(\.reference)))
    let left = try await dropping(kept, isForced: options.isForced, secrets) {
      () async throws(ControlError) in
      do throws(StoreError) {
        try await self.vault.delete(chosen.map(\.reference))
      } catch {
        throw ControlError(error)
      }
    }
    return .removed(chosen.map { RecordName(id: $0.id, name: $0.name) }, left: left)
  }

  private nonisolated func refuseDependents(
    of chosen: [VaultSnapshot.Candidate],
    _ kind: RecordKind
  )
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
