/// The kinds of records that have commands of their own.
nonisolated enum RecordKind: String, Hashable, Sendable, Codable, CaseIterable {
  case host
  case identity
  case key
  case knownHost = "known-host"
  case snippet
  case template

  /// What one of them is called.
  var noun: String { self == .knownHost ? "known host" : rawValue }
  /// What several of them are called.
  var plural: String { self == .identity ? "identities" : noun + "s" }
}

/// One change of a field, as it was typed.
nonisolated enum RecordChange: Hashable, Sendable, Codable {
  /// The field becomes these values; lists take all of them, other fields the last.
  case set(String, [String])
  /// A list gets these values at its end.
  case add(String, [String])
  /// A list loses these values.
  case remove(String, [String])
  /// The field becomes what it is in a new record.
  case unset(String)

  /// The name of the field.
  var field: String {
    switch self {
    case .set(let field, _), .add(let field, _), .remove(let field, _), .unset(let field): field
    }
  }
}

/// What the command line asks of the vault.
nonisolated enum RecordRequest: Hashable, Sendable, Codable {
  /// The records whose text has every word and that have every tag.
  case list(RecordKind, words: [String], tags: [String])
  /// The records of these names or ids.
  case show(RecordKind, [String])
  /// A new record.
  case add(RecordKind, [RecordChange])
  /// Changes of existing records, all or none; forced ones leave secrets behind that cannot be removed.
  case edit(RecordKind, [String], [RecordChange], isForced: Bool = false)
  /// The end of records, all or none.
  case remove(RecordKind, [String], options: RemoveOptions)
  /// What an import would do.
  case preview(ImportJob)
  /// An import; with a digest it must still be what the preview showed.
  case commit(ImportJob, digest: String)
  /// Records in a form for other programs.
  case export(ExportKind)

  /// Whether it can change records.
  var isChange: Bool {
    switch self {
    case .list, .show, .preview, .export: false
    case .add, .edit, .remove, .commit: true
    }
  }
}

/// How far `rm` may go.
nonisolated struct RemoveOptions: Hashable, Sendable, Codable {
  /// Whether records are removed that others depend on, or whose secrets cannot be removed.
  var isForced = false
  /// Whether a name means every record that has it.
  var takesAll = false
}

/// An import, with what the person chose.
nonisolated struct ImportJob: Hashable, Sendable, Codable {
  /// What the file is.
  nonisolated enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case sshConfig = "ssh-config"
    case knownHosts = "known-hosts"
    case putty
    case csv
  }

  var kind: Kind
  /// An absolute path; empty for the file that `ssh` reads.
  var path = ""
  /// What the file is called where its path says nothing: what came through a pipe lies in a file of its own.
  var title: String?
  /// What relative paths in the file start from.
  var directory = "/"
  /// Only these hosts; nil for all.
  var names: [String]?
  /// Whether hosts whose name is taken get another one.
  var renamesTaken = false
  /// Whether key files become keys of the vault.
  var takesKeys = true
  /// Whether host keys are trusted beside others for the same host.
  var takesDiffering = false
}

/// What can be exported.
nonisolated enum ExportKind: String, Hashable, Sendable, Codable, CaseIterable {
  case hosts
  case knownHosts = "known-hosts"
  case sshConfig = "ssh-config"
}

/// A request about records, on its way to the server.
public nonisolated struct RecordQuestion: Hashable, Sendable, Codable {
  var request: RecordRequest

  init(_ request: RecordRequest) { self.request = request }
}

/// The answer to a request about records.
public nonisolated struct RecordAnswer: Hashable, Sendable, Codable {
  var result: RecordResult

  init(_ result: RecordResult) { self.result = result }
}

/// What became of a request about records.
nonisolated enum RecordResult: Hashable, Sendable, Codable {
  /// The records asked for, or those that were saved, as they are now.
  case records(RecordRows)
  /// Records that were changed, as they are now; with what was left behind, if anything.
  case changed(RecordRows, left: String?)
  /// Records that are gone; with what was left behind, if anything.
  case removed([RecordName], left: String?)
  /// What an import would do.
  case preview(ImportPreviewRow)
  /// What an import did.
  case imported(ImportedRow)
  /// A text for other programs, and the same as objects.
  case exported(text: String, RecordRows)
  /// A configuration of `ssh`, by host, and the hosts that it cannot have.
  case configured([ConfigRow], leftOut: [RecordName])
}
