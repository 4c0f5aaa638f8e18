internal import CLinux
internal import Glibc
internal import TermindInfrastructure

/// The `ssh` of this machine.
public struct SSHProgram: Hashable, Sendable {
  /// Its path.
  public let path: String
  /// Its version as it tells it, such as `9.2p1`.
  public let version: String

  /// What to do where it is missing.
  public static let missingText =
    "the OpenSSH client (ssh) is not installed; install the package openssh-client"
  /// The oldest version that does what is needed: prompts by force, `KnownHostsCommand`, and `SessionType`.
  private static let oldest = (8, 7)

  /// Finds the program, and asks it for its version; blocks for some milliseconds.
  ///
  /// - Parameter searchPath: The directories, as in `PATH`; those of the system are searched too.
  /// - Returns: The program; nil when there is none.
  public static func find(searchPath: String?) -> SSHProgram? {
    let places = (searchPath.map { "\($0):" } ?? "") + "/usr/bin:/bin:/usr/local/bin"
    guard let path = ExecutableSearch.find("ssh", in: places) else { return nil }
    return SSHProgram(path: path, version: version(of: path))
  }

  /// Why it cannot be used; nil when it can.
  public var problem: String? {
    let numbers = version.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    guard (numbers[0], numbers[1]) < Self.oldest else { return nil }
    return "OpenSSH \(version) at \(path) is too old; 8.7 or later is needed"
  }

  /// `OpenSSH_9.2p1 Debian-2, OpenSSL 3.0` becomes `9.2p1`.
  static func version(in text: String) -> String {
    guard let start = text.firstRange(of: "OpenSSH_") else { return "" }
    return String(text[start.upperBound...].prefix { $0 != " " && $0 != "," && !$0.isNewline })
  }

  private static func version(of path: String) -> String {
    guard let pipe = DescriptorPipe() else { return "" }
    let spawn = ProgramSpawn(
      program: path,
      arguments: ["ssh", "-V"],
      environment: ["LC_ALL": "C", "PATH": "/usr/bin:/bin"],
      directory: "/",
      descriptors: [.null, .copy(pipe.writing), .copy(pipe.writing)]
    )
    // `try?`: a program that cannot be started has no version either, and fails again where it is needed.
    guard let process = try? spawn.start() else { return "" }
    let text = pipe.readOnce(within: 2_000)
    process.signalGroup(SIGKILL)
    var wait = pollfd(fd: process.descriptor.number, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&wait, 1, 1_000)
    _ = process.collect()
    return version(in: text)
  }
}
