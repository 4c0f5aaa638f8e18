public import TermindDomain

/// What is recorded, and where to.
public struct RecordingRequest: Hashable, Sendable {
  /// How it is written down.
  public var format: RecordingFormat
  /// The folder of the files; made when it does not exist.
  public var directory: String
  /// What the files' names begin with; characters that do not belong in a name are replaced.
  public var name: String
  /// What an asciicast says it is of.
  public var title: String
  /// The width at the start, in cells.
  public var columns: Int
  /// The height at the start, in cells.
  public var rows: Int
  /// The TERM value of the program.
  public var terminalType: String

  /// Makes a request.
  public init(
    format: RecordingFormat,
    directory: String,
    name: String,
    title: String,
    columns: Int,
    rows: Int,
    terminalType: String = "xterm-256color"
  ) {
    self.format = format
    self.directory = directory
    self.name = name
    self.title = title
    self.columns = columns
    self.rows = rows
    self.terminalType = terminalType
  }
}

/// Why nothing more is written.
public enum RecordingProblem: Error, Hashable, Sendable {
  /// A file or folder cannot be made or written; the reason is the system's.
  case file(path: String, reason: String)
  /// More came than the disk could take in time.
  case tooSlow(path: String)

  /// The file that is concerned.
  public var path: String {
    switch self {
    case .file(let path, _), .tooSlow(let path): path
    }
  }
}

/// The bounds of a recording.
public struct RecordingLimits: Hashable, Sendable {
  /// The size from which on another file is begun, in bytes.
  public var fileSize = 256 * 1_048_576
  /// How many bytes may wait for the disk.
  public var waiting = 16 * 1_048_576

  /// The usual bounds.
  public init() {}
}
