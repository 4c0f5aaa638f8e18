import FoundationEssentials
import TermindApplication
import TermindInfrastructure

/// Prints answers about records: tables for people, arrays of objects for scripts.
enum RecordOutput {
  /// Prints an error, as JSON when JSON is asked for; the exit status that goes with it.
  static func fail(_ error: ControlError, isJSON: Bool) -> UInt8 {
    if isJSON { return ControlOutput.fail(error) }
    StandardStream.error.say("termind: \(ControlOutput.safe(error.message))\n")
    return error.code.exitStatus
  }

  /// The answer as JSON, on one line.
  nonisolated static func json(_ result: RecordResult) -> String {
    switch result {
    case .records(let rows), .changed(let rows, _): json(rows)
    case .exported(_, let rows): json(rows)
    case .removed(let names, _): ControlOutput.encode(names)
    case .configured(let rows, _): ControlOutput.encode(rows)
    case .preview(let row): json(row, nil)
    case .imported(let row): ControlOutput.encode(row)
    }
  }

  /// An import as JSON: what it would do, and what it did.
  nonisolated static func json(_ preview: ImportPreviewRow, _ imported: ImportedRow?) -> String {
    ControlOutput.encode(
      ImportOutput(
        hosts: preview.report,
        knownHosts: preview.knownHosts,
        count: preview.count,
        imported: imported
      )
    )
  }

  private nonisolated struct ImportOutput: Encodable {
    var hosts: ImportReport?
    var knownHosts: KnownHostsRow?
    var count: Int
    var imported: ImportedRow?
  }

  private nonisolated static func json(_ rows: RecordRows) -> String {
    switch rows {
    case .hosts(let rows): ControlOutput.encode(rows)
    case .identities(let rows): ControlOutput.encode(rows)
    case .keys(let rows): ControlOutput.encode(rows)
    case .knownHosts(let rows): ControlOutput.encode(rows)
    case .snippets(let rows): ControlOutput.encode(rows)
    case .templates(let rows): ControlOutput.encode(rows)
    }
  }

  /// The answer for people.
  ///
  /// - Parameters:
  ///   - result: The answer.
  ///   - isDetailed: Whether records are shown with all their fields instead of a line each.
  /// - Returns: Whole lines.
  nonisolated static func text(_ result: RecordResult, isDetailed: Bool) -> String {
    switch result {
    case .records(let rows):
      return isDetailed
        ? RecordDetails.all(rows).map(TextTable.fields).joined(separator: "\n") : table(rows)
    case .changed(let rows, _): return saved(rows, "changed")
    case .exported(let text, _): return text
    case .configured(let rows, let leftOut):
      let notes = leftOut.isEmpty ? [] : ["# \(SSHConfigText.note(leftOut))\n"]
      return (notes + rows.map(\.text)).joined(separator: "\n")
    case .removed(let names, _): return lines(names, "removed")
    case .preview(let row): return row.lines.map { ControlOutput.safe($0) + "\n" }.joined()
    case .imported(let row):
      var parts = [
        (row.hosts.count, "host", "hosts"), (row.keys.count, "key", "keys"),
        (row.identities.count, "identity", "identities"),
        (row.knownHosts, "known host", "known hosts"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
      if parts.isEmpty { parts = ["nothing"] }
      return "imported \(parts.joined(separator: ", "))\n"
    }
  }

  /// What was saved, a line each.
  nonisolated static func saved(_ rows: RecordRows, _ word: String) -> String {
    lines(RecordDetails.names(rows), word)
  }

  private nonisolated static func lines(_ names: [RecordName], _ word: String) -> String {
    names.map { "\(word) \(ControlOutput.safe($0.name)) (\($0.id))\n" }.joined()
  }

  private nonisolated static func table(_ rows: RecordRows) -> String {
    switch rows {
    case .hosts(let rows):
      TextTable.text(
        ["NAME", "ADDRESS", "USER", "IDENTITY", "VIA", "TAGS"],
        rows.map {
          [
            $0.name, RecordDetails.address($0), $0.user, $0.identity?.name ?? "",
            $0.jumps.joined(separator: ", "), $0.tags.joined(separator: ", "),
          ]
        }
      )
    case .identities(let rows):
      TextTable.text(
        ["NAME", "USER", "KEYS", "PASSWORD", "AGENT"],
        rows.map {
          [
            $0.name, $0.user, $0.keys.map(\.name).joined(separator: ", "),
            $0.password ? "yes" : "no", $0.agent ? "yes" : "no",
          ]
        }
      )
    case .keys(let rows):
      TextTable.text(
        ["NAME", "TYPE", "FINGERPRINT", "WHERE", "COMMENT"],
        rows.map { [$0.name, $0.algorithm, $0.fingerprint, $0.path ?? $0.location, $0.comment] }
      )
    case .knownHosts(let rows):
      TextTable.text(
        ["ID", "HOST", "TYPE", "FINGERPRINT", "MARKER"],
        rows.map {
          [
            String($0.id.prefix(VaultSnapshot.shortestID)), $0.names, $0.type, $0.fingerprint,
            $0.marker == "trusted" ? "" : $0.marker,
          ]
        }
      )
    case .snippets(let rows):
      TextTable.text(
        ["NAME", "TAGS", "TEXT"],
        rows.map { row in
          let first = row.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
          return [row.name, row.tags.joined(separator: ", "), String(first.prefix(60))]
        }
      )
    case .templates(let rows):
      TextTable.text(
        ["NAME", "PANES", "HOSTS"],
        rows.map {
          [
            $0.name, "\($0.panes.count)",
            $0.panes.compactMap(\.host?.name).joined(separator: ", "),
          ]
        }
      )
    }
  }
}
