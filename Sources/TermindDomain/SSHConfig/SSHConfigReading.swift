/// What reading a configuration asks of the machine.
///
/// Calls block; the caller brings a thread that may wait.
public protocol SSHConfigReading: Sendable {
  /// Reads a whole file of bounded size.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - isChecked: Whether a file that others may change is refused.
  /// - Returns: Its bytes.
  /// - Throws: Why it cannot be read.
  func read(_ path: String, isChecked: Bool) throws(SSHConfigFileError) -> [UInt8]

  /// The files that an Include pattern names.
  ///
  /// - Parameter pattern: An absolute path or one with a leading `~`, with `*`, `?` and `[...]`.
  /// - Returns: Absolute paths, ordered by their bytes; none when nothing matches.
  /// - Throws: `patternFailed` when too many match.
  func paths(matching pattern: String) throws(SSHConfigFileError) -> [String]

  /// The TCP port of a service, nil when the system knows none of that name.
  func port(ofService name: String) -> UInt16?
}

/// What a configuration depends on beside its text.
public struct SSHLocalMachine: Hashable, Sendable {
  /// The local account's name.
  public var userName: String
  /// The local account's number.
  public var userNumber: UInt32
  /// The home directory, absolute.
  public var home: String
  /// What relative key paths start from, absolute.
  public var workingDirectory: String
  /// The machine's name.
  public var hostName: String
  /// The environment.
  public var variables: [String: String]

  /// Describes a machine and its account.
  public init(
    userName: String,
    userNumber: UInt32 = 0,
    home: String,
    workingDirectory: String? = nil,
    hostName: String = "",
    variables: [String: String] = [:]
  ) {
    self.userName = userName
    self.userNumber = userNumber
    self.home = home
    self.workingDirectory = workingDirectory ?? home
    self.hostName = hostName
    self.variables = variables
  }
}
