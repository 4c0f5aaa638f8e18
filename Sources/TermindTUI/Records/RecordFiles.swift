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
  /// The path that a job means.
  func path(of job: ImportJob) -> String
  /// Host keys as OpenSSH reads them.
  func text(of knownHosts: [KnownHostRecord]) -> String
}

/// The files of this machine.
nonisolated struct LocalRecordFiles: RecordFileReading {
  let home: String

  func path(of job: ImportJob) -> String {
    guard job.path.isEmpty else { return job.path }
    return "\(home)/.ssh/\(job.kind == .knownHosts ? "known_hosts" : "config")"
  }

  func hosts(_ job: ImportJob) async throws(ControlError) -> HostImportSource {
    let result = await Self.blocking { Result { () throws(ControlError) in try read(job) } }
    return try result.get()
  }

  func knownHosts(_ job: ImportJob, time: Int64) async throws(ControlError)
    -> (records: [KnownHostRecord], notes: [String])
  {
    let path = path(of: job)
    let result = await Self.blocking {
      Result { () throws(ControlError) in
        try Self.translated { () throws(ImportFileError) in try LocalImports.knownHosts(path: path)
        }
      }
    }
    return knownHosts(try result.get(), path: path, time: time)
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
    guard BoundedFile.exists(path) else {
      throw ControlError(.notFound, "There is no file '\(path)'.")
    }
    return try Self.translated { () throws(ImportFileError) in
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

  private static func translated<Value>(
    _ body: () throws(ImportFileError) -> Value
  ) throws(ControlError) -> Value {
    do throws(ImportFileError) { return try body() } catch {
      switch error {
      case .file(let path, .absent): throw ControlError(.notFound, "There is no file '\(path)'.")
      case .file(let path, let reason):
        throw ControlError(.invalid, "'\(path)' cannot be read: \(ImportWords.text(reason)).")
      case .text(let path, let reason):
        throw ControlError(.invalid, "'\(path)' cannot be read: \(ImportWords.text(reason)).")
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
