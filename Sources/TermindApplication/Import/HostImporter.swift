public import TermindDomain

/// Why an import was not made; nothing was saved.
public enum HostImportError: Error, Hashable, Sendable {
  /// The vault cannot be read or written.
  case store(StoreError)
  /// A key file is not what the preview showed.
  case keyChanged(path: String)
  /// A key file cannot be read any more.
  case keyUnusable(path: String, KeyFileProblem)
  /// Two hosts would have the name, or a record has it by now.
  case nameTaken(String)
  /// A host may not be saved.
  case invalid(name: String, FieldError<HostField>)
}

/// What an import has saved.
public struct HostImportResult: Hashable, Sendable {
  /// The new hosts, in the order of the file.
  public let hosts: [HostRecord]
  /// The new keys.
  public let keys: [KeyRecord]
  /// The new identities.
  public let identities: [IdentityRecord]
}

/// Shows what an import would do, and does it: all of it, or nothing.
public struct HostImporter: Sendable {
  /// The most key files that are looked at in one import.
  public static let maximumKeyFiles = 1000

  let vault: any VaultStoring
  let keyFiles: any KeyFileInspecting

  /// Makes an importer.
  public init(vault: any VaultStoring, keyFiles: any KeyFileInspecting) {
    self.vault = vault
    self.keyFiles = keyFiles
  }

  /// Looks at the vault and at the key files.
  ///
  /// - Parameter source: What a file holds.
  /// - Returns: What would be done; hosts whose name is taken, who may not be saved, or whose way is
  ///   lost are skipped unless the person says otherwise.
  /// - Throws: Why the vault cannot be read.
  public func preview(_ source: HostImportSource) async throws(StoreError) -> HostImportPreview {
    let saved = Dictionary(
      try await vault.hosts().map { ($0.name, $0.id) },
      uniquingKeysWith: { first, _ in first }
    )
    var taken = Set(saved.keys)
    taken.formUnion(source.hosts.map(\.name))
    var seen: Set<String> = []
    var numbers: [String: Int] = [:]
    var hosts: [HostImportPreview.Host] = []
    for draft in source.hosts {
      let isRepeated = !seen.insert(draft.name).inserted
      let problems = draft.problems
      let isNameTaken = isRepeated || saved[draft.name] != nil
      var freeName = draft.name
      if isNameTaken {
        freeName = Self.freeName(draft.name, taken, &numbers[draft.name, default: 2])
        taken.insert(freeName)
      }
      hosts.append(
        HostImportPreview.Host(
          draft: draft,
          existing: saved[draft.name],
          isRepeated: isRepeated,
          problems: problems,
          freeName: freeName,
          choice: isNameTaken || !problems.isEmpty || draft.losesItsWay ? .skip : .add
        )
      )
    }
    var notes = source.notes
    let keys = try await previewKeys(source, &notes)
    return HostImportPreview(path: source.path, hosts: hosts, keys: keys, notes: notes)
  }

  private func previewKeys(
    _ source: HostImportSource,
    _ notes: inout [ImportNote]
  ) async throws(StoreError) -> [HostImportPreview.Key] {
    let known = try await vault.keys()
    var paths: [String] = []
    var certificates: [String: [String]] = [:]
    for draft in source.hosts {
      for path in draft.keyFiles {
        if certificates[path] == nil { paths.append(path) }
        certificates[path, default: []] += draft.certificateFiles
      }
    }
    if paths.count > Self.maximumKeyFiles {
      let place = SourcePlace(path: source.path, line: 0)
      notes.append(ImportNote(.tooManyKeyFiles(limit: Self.maximumKeyFiles), at: place))
      paths.removeLast(paths.count - Self.maximumKeyFiles)
    }
    var keys: [HostImportPreview.Key] = []
    for path in paths {
      let result = await inspect(path)
      var existing: KeyID?
      var certificate: [UInt8]?
      var isSelected = false
      if case .success(let summary) = result {
        existing = known.first { $0.publicKey == summary.publicKey }?.id
        isSelected = true
        // As `ssh` does: the file beside the key, when no other is named.
        for file in (certificates[path] ?? []) + [path + "-cert.pub"] where certificate == nil {
          certificate = await keyFiles.certificate(at: file, for: summary.publicKey)
        }
      }
      keys.append(
        HostImportPreview.Key(
          path: path,
          result: result,
          existing: existing,
          certificate: certificate,
          isSelected: isSelected
        )
      )
    }
    return keys
  }

  func inspect(_ path: String) async -> Result<KeyFileSummary, KeyFileProblem> {
    do throws(KeyFileProblem) {
      return .success(try await keyFiles.inspect(path))
    } catch {
      return .failure(error)
    }
  }

  /// The name with the first number behind it that makes it free, shortened where it must be.
  private static func freeName(
    _ name: String,
    _ taken: Set<String>,
    _ number: inout Int
  ) -> String {
    while true {
      let suffix = "-\(number)"
      number += 1
      var base = Substring(name)
      while base.utf8.count + suffix.utf8.count > HostRecord.maximumNameLength {
        base = base.dropLast()
      }
      let candidate = base + suffix
      if !taken.contains(String(candidate)) { return String(candidate) }
    }
  }
}

extension HostDraft {
  /// What keeps it from being saved, apart from its name being taken and its jumps.
  var problems: [FieldError<HostField>] {
    let record = HostRecord(
      name: name,
      endpoint: endpoint,
      username: username,
      keyFiles: keyFiles,
      tags: tags,
      environment: environment,
      keepAliveSeconds: keepAliveSeconds,
      notes: notes
    )
    let problems = record.problems()
    guard name.isEmpty else { return problems }
    return [FieldError(.name, .empty)] + problems.filter { $0.field != .name }
  }
}
