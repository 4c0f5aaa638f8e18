public import TermindInfrastructure

/// What the OpenSSH engine finds around it.
public struct OpenSSHSurroundings: Sendable {
  /// Gives the `ssh` of this machine; nil when there is none.
  public var ssh: @Sendable () async -> SSHProgram?
  /// The path of a program that calls `OpenSSHHelper.runIfNamed` first.
  public var helper: String
  /// The directory for sockets, for this user alone.
  public var runtime: String
  /// A configuration in place of the person's and the system's; nil for those.
  public var configuration: String?
  /// The home directory whose `.ssh/config` is the person's; nil for the account's own, where `ssh` looks by itself.
  public var home: String?
  /// The variables that `ssh` is started with.
  public var environment: @Sendable () async -> [String: String]

  /// Describes the surroundings.
  ///
  /// - Parameters:
  ///   - ssh: Gives the `ssh` of this machine; nil when there is none.
  ///   - helper: The program that helps; our own file by default.
  ///   - runtime: The directory for sockets, for this user alone.
  ///   - configuration: Another configuration for hosts that are reached through one.
  ///   - home: The person's home directory where it is not the account's own.
  ///   - environment: The variables that `ssh` is started with; read for each attempt.
  public init(
    ssh: @escaping @Sendable () async -> SSHProgram?,
    helper: String? = nil,
    runtime: String,
    configuration: String? = nil,
    home: String? = nil,
    environment: @escaping @Sendable () async -> [String: String] = { ProcessEnvironment.all() }
  ) {
    self.ssh = ssh
    self.helper = helper ?? Self.ownProgram
    self.runtime = runtime
    self.configuration = configuration
    self.home = home
    self.environment = environment
  }

  /// Removes what servers that are dead have left in the directory for sockets.
  public static func removeLeftovers(in runtime: String) {
    MasterFolder.removeLeftovers(in: runtime)
  }

  /// Our own file as other processes find it.
  private static var ownProgram: String {
    let path = ProcessEnvironment.executablePath()
    return path == "/proc/self/exe" ? "/proc/\(ProcessEnvironment.processNumber)/exe" : path
  }
}
