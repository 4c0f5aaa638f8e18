/// Something in a configuration file that was not understood, with the place it stands at.
public struct ConfigurationNote: Hashable, Sendable, CustomStringConvertible {
  /// How much it matters.
  public enum Severity: Hashable, Sendable {
    /// The line had no effect; what was in force before stays.
    case error
    /// The line is fine elsewhere, but means nothing here.
    case remark
  }

  /// How much it matters.
  public let severity: Severity
  /// The file, as people know it.
  public let file: String
  /// The line, counted from 1; 0 means the file as a whole.
  public let line: Int
  /// What is wrong, in one clause without a full stop.
  public let reason: String

  /// Makes a note.
  public init(_ severity: Severity, file: String, line: Int, reason: String) {
    self.severity = severity
    self.file = file
    self.line = line
    self.reason = reason
  }

  /// `file:line: reason`, or `file: reason` for a whole file.
  public var description: String {
    line > 0 ? "\(file):\(line): \(reason)" : "\(file): \(reason)"
  }
}
