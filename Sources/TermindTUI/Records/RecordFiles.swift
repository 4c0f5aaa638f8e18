import Dispatch
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// Reads the files that imports are made of.
nonisolated protocol RecordFileReading: Sendable {
  /// What a file of hosts holds, away from the caller's thread.
  func hosts(_ job: ImportJob) async throws(ControlError) -> HostImportSource
  /// What a file of host keys holds, with notes about skipped lines.
  func knownHosts(_ job: ImportJob, time: Int64) async throws(ControlError)
    -> (records: [KnownHostRecord], notes: [String])
  /// The host keys of a text, with notes about skipped lines.
  func knownHosts(_ text: [UInt8], path: String, time: Int64) -> (
    records: [KnownHostRecord], notes: [String]
  )
  /// What the file of a job is called.
  func title(of job: ImportJob) -> String
  /// Host keys as OpenSSH reads them.
  func text(of knownHosts: [KnownHostRecord]) -> String
}

/// The files of this machine.
nonisolated struct LocalRecordFiles: RecordFileReading {
  let home: String

  func title(of job: ImportJob) -> String { job.title ?? path(of: job) }

  /// The path that a job means.
  private func path(of job: ImportJob) -> String {
    guard job.path.isEmpty else { return job.path }
    return "\(home)/.ssh/\(job.kind == .knownHosts ? "known_hosts" : "config")"
  }

  func hosts(_ job: ImportJob) async throws(ControlError) -> HostImportSource {
    let result = await Self.blocking { Result { () throws(ControlError) in try read(job) } }
    var source = try result.get()
    source.path = title(of: job)
    return source
  }

  func knownHosts(_ job: ImportJob, time: Int64) async throws(ControlError)
    -> (records: [KnownHostRecord], notes: [String])
  {
    let path = path(of: job)
    let title = title(of: job)
    let result = await Self.blocking {
      Result { () throws(ControlError) in
        try Self.translated(path, title) { () throws(ImportFileError) in
          try LocalImports.knownHosts(path: path)
        }
      }
    }
    return knownHosts(try result.get(), path: title, time: time)
  }

  func knownHosts(_ text: [UInt8], path: String, time: Int64) -> (
    records: [KnownHostRecord], notes: [String]
  ) {
    let content = KnownHostsText.read(text, path: path, time: time)
    return (content.records, content.notes.map { "line \($0.line): \($0.reason)" })
  }

  func text(of knownHosts: [KnownHostRecord]) -> String { KnownHostsText.text(knownHosts) }

  private func read(_ job: ImportJob) throws(ControlError) -> HostImportSource {
    let path = path(of: job)
    return try Self.translated(path, title(of: job)) { () throws(ImportFileError) in
      // Of files that `ssh` reads by itself an absent one is as good as an empty one; here it is an error.
      if let problem = BoundedFile.problem(at: path) {
        throw .file(path: path, SSHConfigFileError(problem))
      }
      switch job.kind {
      case .csv: return try LocalImports.csv(path: path, home: home)
      case .putty: return try LocalImports.putty(path: path)
      case .sshConfig, .knownHosts:
        guard var machine = SSHLocalMachine.current(workingDirectory: job.directory) else {
          let text = "the system does not know the account that runs this program"
          throw .file(path: path, .unreadable(diagnostic: text))
        }
        machine.home = home
        return try LocalImports.sshConfig(path: job.path.isEmpty ? nil : path, machine: machine)
      }
    }
  }

  /// Tells a failure in words, in which a path may have another name.
  private static func translated<Value>(
    _ path: String,
    _ title: String,
    _ body: () throws(ImportFileError) -> Value
  ) throws(ControlError) -> Value {
    do throws(ImportFileError) { return try body() } catch {
      func name(_ failed: String) -> String { failed == path ? title : failed }
      switch error {
      case .file(let failed, .absent):
        throw ControlError(.notFound, "There is no file '\(name(failed))'.")
      case .file(let failed, let reason):
        let text = ImportWords.text(reason)
        throw ControlError(.invalid, "'\(name(failed))' cannot be read: \(text).")
      case .text(let failed, let reason):
        let text = ImportWords.text(reason)
        throw ControlError(.invalid, "'\(name(failed))' cannot be read: \(text).")
      }
    }
  }

  /// Runs what blocks on a thread of its own.
  private static func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      // A serial queue each, as for keys: a concurrent one would run on a pool that never sleeps again.
      DispatchQueue(label: "termind.import").async { continuation.resume(returning: body()) }
    }
  }
}
