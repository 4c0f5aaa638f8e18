import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindRemoteInfrastructure

/// Runs a command about records: in the running server, so that its windows see the change at once, else
/// on the store itself.
enum RecordClient {
  /// Runs a command of one kind of record, or an export; the exit status.
  static func run(_ arguments: RecordArguments, paths: TermindPaths) -> UInt8 {
    do throws(ControlError) {
      let secrets = try SecretReader.read(arguments.secrets)
      let request = absolute(arguments.request)
      let result = try ask(request, secrets, paths)
      try CommandOutput.write(
        arguments.isJSON ? RecordOutput.json(result) : text(result, request)
      )
      if case .changed(_, let left?) = result {
        StandardStream.error.say(ControlOutput.safe(left) + "\n")
      }
      if case .removed(_, let left?) = result {
        StandardStream.error.say(ControlOutput.safe(left) + "\n")
      }
      if case .configured(_, let leftOut) = result, !leftOut.isEmpty {
        StandardStream.error.say(ControlOutput.safe(SSHConfigText.note(leftOut)) + "\n")
      }
      return 0
    } catch {
      return RecordOutput.fail(error, isJSON: arguments.isJSON)
    }
  }

  /// Asks; when the secret store is locked, a person at a terminal is asked for its passphrase.
  private static func ask(
    _ request: RecordRequest,
    _ secrets: [String: SecretBytes],
    _ paths: TermindPaths
  ) throws(ControlError) -> RecordResult {
    let route = RecordRoute(paths: paths)
    do throws(ControlError) { return try route.ask(request, secrets) } catch {
      guard error.code == .locked, secrets["unlock"] == nil, SecretReader.isAtTerminal else {
        throw error
      }
      StandardStream.error.say(ControlOutput.safe(error.message) + "\n")
      var secrets = secrets
      try secrets.merge(SecretReader.read(["unlock": .prompt])) { $1 }
      return try route.ask(request, secrets)
    }
  }

  private static func text(_ result: RecordResult, _ request: RecordRequest) -> String {
    switch (request, result) {
    case (.add, .records(let rows)): RecordOutput.saved(rows, "added")
    case (.show, _): RecordOutput.text(result, isDetailed: true)
    default: RecordOutput.text(result, isDetailed: false)
    }
  }

  /// Paths that were typed are relative to the client's directory, not to the server's.
  private static func absolute(_ request: RecordRequest) -> RecordRequest {
    func absolute(_ changes: [RecordChange]) -> [RecordChange] {
      changes.map { change in
        guard change.field == "file" || change.field == "key-file" else { return change }
        switch change {
        case .set(let field, let paths): return .set(field, paths.map(absolutePath))
        case .add(let field, let paths): return .add(field, paths.map(absolutePath))
        case .remove(let field, let paths): return .remove(field, paths.map(absolutePath))
        case .unset: return change
        }
      }
    }
    switch request {
    case .add(let kind, let changes): return .add(kind, absolute(changes))
    case .edit(let kind, let words, let changes, let isForced):
      return .edit(kind, words, absolute(changes), isForced: isForced)
    default: return request
    }
  }

  private static func absolutePath(_ path: String) -> String {
    if path.isEmpty || path.hasPrefix("/") || path.hasPrefix("~/") { return path }
    return (ProcessEnvironment.currentDirectory() ?? "") + "/" + path
  }

  // MARK: Imports

  /// Prints what an import would do, and carries it out when that was asked for.
  static func run(_ arguments: ImportArguments, paths: TermindPaths) -> UInt8 {
    do throws(ControlError) {
      var job = arguments.job
      let piped = try PipedImport(&job, paths)
      defer { piped?.remove() }
      if !job.path.isEmpty {
        job.path = job.path == "~" || job.path.hasPrefix("~/") ? job.path : absolutePath(job.path)
      }
      job.directory = ProcessEnvironment.currentDirectory() ?? "/"
      let route = RecordRoute(paths: paths)
      guard case .preview(let preview) = try route.ask(.preview(job), [:]) else {
        throw ControlError(.lost, "The answer is not what was asked for.")
      }
      if !arguments.isJSON {
        try CommandOutput.write(RecordOutput.text(.preview(preview), isDetailed: false))
      }
      guard preview.count > 0 else {
        if arguments.isJSON { try CommandOutput.write(RecordOutput.json(preview, nil)) }
        return 0
      }
      guard try decides(arguments, preview.count) else {
        if arguments.isJSON { try CommandOutput.write(RecordOutput.json(preview, nil)) }
        return arguments.mode == .preview ? 0 : ControlErrorCode.unconfirmed.exitStatus
      }
      let result = try route.ask(.commit(job, digest: preview.digest), [:])
      guard case .imported(let row) = result else {
        throw ControlError(.lost, "The answer is not what was asked for.")
      }
      try CommandOutput.write(
        arguments.isJSON
          ? RecordOutput.json(preview, row) : "\n" + RecordOutput.text(result, isDetailed: false)
      )
      return 0
    } catch {
      return RecordOutput.fail(error, isJSON: arguments.isJSON)
    }
  }

  /// Whether the import is carried out; a person at a terminal is asked.
  private static func decides(_ arguments: ImportArguments, _ count: Int)
    throws(ControlError) -> Bool
  {
    switch arguments.mode {
    case .commit: return true
    case .preview: return false
    case .ask: break
    }
    guard !arguments.isJSON, SecretReader.isAtTerminal, StandardStream.output.isTerminal else {
      if !arguments.isJSON {
        StandardStream.error.say("Nothing was imported; --yes imports this.\n")
      }
      return false
    }
    try CommandOutput.write("\nImport \(count == 1 ? "this" : "these \(count)")? [y/N] ")
    let isYes = readLine()?.lowercased().hasPrefix("y") == true
    if !isYes { try CommandOutput.write("Nothing was imported.\n") }
    return isYes
  }
}
