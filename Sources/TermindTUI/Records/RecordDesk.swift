import TermindApplication
import TermindDomain

/// Answers requests of the command line about records, over the ports of the vault.
///
/// The server has one on its open store; a client without a server has one on the store that it opened itself.
nonisolated struct RecordDesk: Sendable {
  let vault: any VaultStoring
  let files: any RecordFileReading
  let keyFiles: any KeyFileInspecting
  /// The secret store; asked for only when a secret is written or removed.
  let secretStore: @Sendable () async throws(ControlError) -> any SecretStoring
  /// The names of the themes that there are.
  let themes: @Sendable () -> [String]
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
      for word in words {
        ids.formUnion(try await vault.findHashed(kind, word, takesAll: true).map(\.id))
      }
      return .records(vault.rows(kind) { ids.contains($0) })
    case .add(let kind, let changes): return .records(try await add(kind, changes, secrets))
    case .edit(let kind, let words, let changes, let isForced):
      return try await edit(kind, words, changes, isForced: isForced, secrets)
    case .remove(let kind, let words, let options):
      return try await remove(kind, words, options, secrets)
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
    let vault = try await snapshot(kind)
    let rows = vault.rows(kind)
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
      let hashed = await Self.hashedNames(words, vault.knownHosts)
      return .knownHosts(
        rows.filter { row in
          isWanted(
            [row.id, row.names, row.type, row.fingerprint, row.comment]
              + hashed[row.id, default: []],
            []
          )
        }
      )
    case .snippets(let rows):
      return .snippets(rows.filter { isWanted([$0.id, $0.name, $0.text], $0.tags) })
    case .templates(let rows):
      return .templates(
        rows.filter { row in isWanted([row.id, row.name] + row.panes.compactMap(\.host?.name), []) }
      )
    }
  }

  /// The words that are the whole name of a host that is kept as a hash, by the id of its record.
  private static func hashedNames(_ words: [String], _ records: [KnownHostRecord]) async
    -> [String: [String]]
  {
    let names = HashedNames(records)
    guard !names.isEmpty else { return [:] }
    var found: [String: [String]] = [:]
    for word in words {
      for place in await names.places(of: word) {
        found["\(records[place].id)", default: []].append(word)
      }
    }
    return found
  }
}
