/// A line of a configuration file.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The file's path.
  public let path: String
  /// The line's number, from 1; zero when the whole file is meant.
  public let line: Int

  /// Makes a place.
  public init(path: String, line: Int) {
    self.path = path
    self.line = line
  }

  /// `path:line`.
  public var description: String { line == 0 ? path : "\(path):\(line)" }
}

/// Something in a file that `ssh` itself would refuse; the line has no effect here.
public struct SSHConfigProblem: Error, Hashable, Sendable {
  /// What is wrong.
  public indirect enum Reason: Hashable, Sendable {
    /// A Host or Match line cannot be read, so that nobody can tell whom the lines under it are for.
    case block(Reason)
    /// The keyword stands alone.
    case missingArgument(keyword: String)
    /// A quoted word that must not be empty is.
    case emptyArgument(keyword: String)
    /// More words than the keyword takes.
    case extraArguments(keyword: String)
    /// A quote is not closed.
    case invalidQuotes
    /// The value is none of those that the keyword takes.
    case unsupportedValue(keyword: String, value: String)
    /// No port from 1 to 65,535 and no known service.
    case invalidPort(String)
    /// No whole number from zero.
    case invalidNumber(keyword: String, value: String)
    /// No time such as `90` or `1m30s`.
    case invalidTime(keyword: String, value: String)
    /// The hosts of a ProxyJump cannot be read.
    case invalidJump(String)
    /// A forwarding cannot be read.
    case invalidForward(String)
    /// The name of a variable, or a `NAME=VALUE`, cannot be read.
    case invalidVariable(String)
    /// `none` stands beside other values.
    case noneNotAlone(keyword: String)
    /// A Match line has no criterion, or one without its argument.
    case missingCriterion(String)
    /// A Match criterion that is not known.
    case unknownCriterion(String)
    /// `all` stands beside other criteria.
    case allCombined
    /// More values than `ssh` takes.
    case tooManyValues(keyword: String)
    /// A `~` path in a system-wide file.
    case invalidInclude(String)
    /// An included file cannot be read.
    case includeUnreadable(path: String, SSHConfigFileError)
    /// A file includes itself, directly or through others.
    case includeCycle(path: String)
    /// Includes are nested deeper than `SSHConfigLimits.depth`.
    case includeTooDeep(path: String)
    /// More included files, or more text, than is read.
    case tooMuch
    /// The line is longer than `SSHConfigLimits.lineLength`.
    case lineTooLong
    /// The words are not UTF-8.
    case invalidText
    /// A value could not be expanded.
    case expansion(keyword: String, SSHExpansionError)
  }

  /// Where it stands.
  public let place: SourcePlace
  /// What is wrong.
  public let reason: Reason

  /// Makes a problem.
  public init(_ reason: Reason, at place: SourcePlace) {
    self.reason = reason
    self.place = place
  }
}

/// Something that was left out without being wrong.
public struct SSHConfigNote: Hashable, Sendable {
  /// What was left out.
  public enum Kind: Hashable, Sendable {
    /// A keyword that is not known; `isExpected` when IgnoreUnknown names it.
    case unknownOption(keyword: String, isExpected: Bool)
    /// A keyword of `ssh` that has no counterpart here.
    case unusedOption(keyword: String)
    /// A block whose other criteria match, but which would run a program first.
    case matchExec(command: String)
    /// A block with a criterion that only a running `ssh` can judge.
    case matchNotJudged(criterion: String)
    /// The name may be completed by the name service, which was not asked.
    case notCanonicalized
  }

  /// Where it stands.
  public let place: SourcePlace
  /// What was left out.
  public let kind: Kind

  /// Makes a note.
  public init(_ kind: Kind, at place: SourcePlace) {
    self.kind = kind
    self.place = place
  }
}

/// Why a file cannot be read.
public enum SSHConfigFileError: Error, Hashable, Sendable {
  /// There is no such file.
  case absent
  /// It is a folder, a pipe or a device.
  case notRegular
  /// It is larger than what is read.
  case tooLarge(byteCount: Int)
  /// Others than the person and the superuser may change it.
  case insecure
  /// The pattern finds more files than are read, or folders that cannot be searched.
  case patternFailed
  /// Anything else, with the system's text.
  case unreadable(diagnostic: String)
}
