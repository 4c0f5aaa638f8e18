import FoundationEssentials
import TermindApplication
import TermindDomain

/// Imports: what one would do, and doing it.
extension RecordDesk {
  /// A preview with what is needed to carry it out.
  nonisolated enum Look: Sendable {
    case hosts(HostImportPreview, ImportPreviewRow)
    case knownHosts(KnownHostsPreview, ImportPreviewRow)

    var row: ImportPreviewRow {
      switch self {
      case .hosts(_, let row), .knownHosts(_, let row): row
      }
    }
  }

  /// Looks at a file and at the vault.
  nonisolated func look(_ job: ImportJob) async throws(ControlError) -> Look {
    job.kind == .knownHosts ? try await lookAtKeys(job) : try await lookAtHosts(job)
  }

  private nonisolated var importer: HostImporter { HostImporter(vault: vault, keyFiles: keyFiles) }

  private nonisolated func lookAtHosts(_ job: ImportJob) async throws(ControlError) -> Look {
    let source = try await files.hosts(job)
    var preview: HostImportPreview
    do throws(StoreError) { preview = try await importer.preview(source) } catch {
      throw ControlError(error)
    }
    if !job.takesKeys { preview.leaveKeys() }
    if job.renamesTaken { preview.renameTaken() }
    if let names = job.names {
      let missing = preview.select(only: names)
      if let first = missing.first {
        let near = NearName.nearest(first, among: preview.hosts.map(\.draft.name))
        let isThere = preview.hosts.contains { $0.draft.name == first }
        throw ControlError(
          .notFound,
          isThere
            ? "'\(first)' cannot be saved as it stands in '\(source.path)'."
            : "There is no host '\(first)' in '\(source.path)'"
              + (near.map { "; did you mean '\($0)'?" } ?? ".")
        )
      }
    }
    let report = ImportReport(preview)
    var digest = Digest64()
    // `try?`: what cannot be written cannot be compared; a report always can.
    digest.add((try? report.json()) ?? [])
    for key in preview.keys {
      if case .success(let summary) = key.result { digest.add(summary.digest) }
    }
    let row = ImportPreviewRow(
      lines: report.shortened(),
      report: report,
      knownHosts: nil,
      count: preview.hosts.count { $0.chosenName != nil },
      digest: digest.text
    )
    return .hosts(preview, row)
  }

  private nonisolated func lookAtKeys(_ job: ImportJob) async throws(ControlError) -> Look {
    let (records, notes) = try await files.knownHosts(job, time: now())
    let preview: KnownHostsPreview
    do throws(StoreError) {
      preview = try await KnownHostsImporter(library: vault).preview(records)
    } catch {
      throw ControlError(error)
    }
    let path = files.title(of: job)
    let count = preview.new.count + (job.takesDiffering ? preview.differing.count : 0)
    var lines = ["\(path): \(records.count) keys, \(count) to import, \(preview.known.count) known"]
    lines += preview.new.map { "  + \(Self.line($0))" }
    lines += preview.differing.map {
      "  \(job.takesDiffering ? "+" : "!") \(Self.line($0))  (another key of the type is trusted)"
    }
    if !notes.isEmpty { lines += ["", "Notes"] + notes.map { "  \($0)" } }
    var digest = Digest64()
    digest.add(Array(lines.joined(separator: "\n").utf8))
    let row = ImportPreviewRow(
      lines: lines,
      report: nil,
      knownHosts: KnownHostsRow(
        source: path,
        new: preview.new.map(VaultSnapshot.row),
        known: preview.known.count,
        differing: preview.differing.map(VaultSnapshot.row),
        notes: notes
      ),
      count: count,
      digest: digest.text
    )
    return .knownHosts(preview, row)
  }

  private nonisolated static func line(_ record: KnownHostRecord) -> String {
    let marker = record.marker == .trusted ? "" : " (\(VaultSnapshot.row(record).marker))"
    return "\(record.names.text)\(marker)  \(record.key.type)  \(record.key.fingerprint)"
  }

  /// Carries an import out, if it is still what the preview showed.
  nonisolated func take(_ job: ImportJob, _ digest: String) async throws(ControlError)
    -> ImportedRow
  {
    let look = try await look(job)
    guard look.row.digest == digest else {
      throw ControlError(
        .conflict,
        "Nothing was imported: the file, a key or the vault is not what the preview showed."
      )
    }
    switch look {
    case .hosts(let preview, _):
      do throws(HostImportError) {
        let result = try await importer.commit(preview)
        return ImportedRow(
          hosts: result.hosts.map { RecordName(id: "\($0.id)", name: $0.name) },
          keys: result.keys.map { RecordName(id: "\($0.id)", name: $0.name) },
          identities: result.identities.map { RecordName(id: "\($0.id)", name: $0.name) }
        )
      } catch {
        throw ControlError(error)
      }
    case .knownHosts(let preview, _):
      do throws(StoreError) {
        let count = try await KnownHostsImporter(library: vault).commit(
          preview,
          includesDiffering: job.takesDiffering
        )
        return ImportedRow(knownHosts: count)
      } catch {
        throw ControlError(error)
      }
    }
  }
}

extension ImportReport {
  /// The lines of the report, where what is left out of every host stands once.
  fileprivate nonisolated func shortened() -> [String] {
    var short = self
    guard let first = hosts.first, hosts.count > 1 else { return lines() }
    let shared = first.dropped.filter { option in
      hosts.allSatisfy { $0.dropped.contains(option) }
    }
    guard !shared.isEmpty else { return lines() }
    for index in short.hosts.indices {
      short.hosts[index].dropped.removeAll { shared.contains($0) }
    }
    // A report of one host lays the shared options out as everywhere else.
    var all = first
    all.dropped = shared
    all.remarks = []
    var one = self
    one.hosts = [all]
    one.keys = []
    one.notes = []
    return short.lines() + ["", "All hosts"] + one.lines().dropFirst(2)
  }
}

/// 64-bit FNV-1a, for telling whether something is still the same; nobody gains by a meeting of two.
private nonisolated struct Digest64 {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  var text: String { String(hash, radix: 16) }
}

extension ControlError {
  /// Says why nothing was imported.
  nonisolated init(_ error: HostImportError) {
    switch error {
    case .store(let error): self.init(error)
    case .keyChanged(let path):
      self.init(.conflict, "Nothing was imported: the key '\(path)' has changed since the preview.")
    case .keyUnusable(let path, let problem):
      self.init(
        .invalid,
        "Nothing was imported: the key '\(path)' cannot be used: \(ImportWords.text(problem))."
      )
    case .nameTaken(let name):
      self.init(.conflict, "Nothing was imported: another host has the name '\(name)'.")
    case .invalid(let name, let problem):
      self.init(.invalid, "Nothing was imported: '\(name)': \(ImportWords.text(problem)).")
    }
  }
}
