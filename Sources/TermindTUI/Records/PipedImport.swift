import FoundationEssentials
import TermindInfrastructure

/// What an import reads from a pipe or from standard input, in a file of its own for as long as it takes: it is
/// read for the preview and once more when it is carried out, maybe by a server that does not have the pipe.
struct PipedImport {
  private static let limit = 16 << 20
  private let path: String

  /// Reads the pipe of a job, and points the job to what came; nil when its path is no pipe.
  init?(_ job: inout ImportJob, _ paths: TermindPaths) throws(ControlError) {
    guard job.path == "-" || BoundedFile.isPipe(job.path) else { return nil }
    let title = job.path == "-" ? "standard input" : job.path
    let bytes: [UInt8]
    do throws(BoundedFileError) {
      bytes = try DescriptorText.read(path: job.path, limit: Self.limit)
    } catch {
      let reason =
        switch error {
        case .absent, .notRegular: "it is not open"
        case .tooLarge: "it is larger than \(Self.limit >> 20) MiB"
        case .unreadable(let diagnostic): diagnostic
        }
      throw ControlError(.invalid, "'\(title)' cannot be read: \(reason).")
    }
    do throws(DirectoryError) { try paths.prepareAll() } catch {
      throw ControlError(.failed, ControlClient.sentence(ProcessErrorText.text(of: error)))
    }
    path = "\(paths.runtime)/import-\(ProcessEnvironment.processNumber)"
    // Of an earlier process with this number; when it cannot be removed, writing fails.
    try? FileManager.default.removeItem(atPath: path)
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw ControlError(.failed, "What was read from '\(title)' cannot be kept for the import.")
    }
    job.path = path
    job.title = title
  }

  /// Removes the file.
  func remove() {
    // `try?`: it lies in the folder of the session, which is emptied at its end.
    try? FileManager.default.removeItem(atPath: path)
  }
}
