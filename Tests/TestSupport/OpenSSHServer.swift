import Glibc
public import TermindDomain

/// A real OpenSSH server on a loopback port, with own host keys and one user key that it accepts.
///
/// It runs as the user of the tests, without PAM, and is stopped with the object. Programs get an empty
/// folder as their home, so that no start-up file of the account changes or adds to what they print.
public final class OpenSSHServer: Sendable {
  /// Where its files lie.
  public let folder: TemporaryFolder
  /// Its port on 127.0.0.1.
  public let port: UInt16
  private let program: TestProgram
  /// The account that its user key opens.
  private let account: String

  /// The account of the tests.
  public static var user: String {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else {
      return "root"
    }
    return String(cString: name)
  }

  /// An account without rights of a server that root runs, which knows it alone; else the account of the tests.
  public static var ordinaryUser: String { getuid() == 0 ? "ordinary" : user }

  /// The private key that it accepts.
  public var userKey: String { folder.file("user_key") }

  /// Where it listens.
  public var endpoint: SSHEndpoint { SSHEndpoint(host: "127.0.0.1", port: port) }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - options: Lines of `sshd_config` that come first and so win.
  ///   - hostKeyTypes: Which host keys it has.
  ///   - userKeyType: The type of the user key.
  ///   - addresses: Where it listens, loopback addresses, IPv6 in brackets; sixteen at most.
  ///   - port: Nil takes a free one.
  ///   - environment: Replaces its inherited variables; nil keeps those.
  ///   - isOrdinary: Whether its user key opens `ordinaryUser`.
  ///   - prepare: Makes more files beside its keys, and gives options that name them.
  /// - Throws: A `TestFailure` when it does not start.
  public init(
    _ options: [String] = [],
    hostKeyTypes: [String] = ["ed25519"],
    userKeyType: String = "ed25519",
    listeningOn addresses: [String] = ["127.0.0.1"],
    port: UInt16? = nil,
    environment: [String: String]? = nil,
    asOrdinaryUser isOrdinary: Bool = false,
    preparing prepare: (TemporaryFolder) async throws -> [String] = { _ in [] }
  ) async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let port = try port ?? FreePort.find()
    self.port = port
    for type in hostKeyTypes {
      try await Self.makeKey(folder.file("host_\(type)"), type: type)
    }
    try await Self.makeKey(folder.file("user_key"), type: userKeyType)
    mkdir(folder.file("home"), 0o700)
    // As root sshd insists on its privilege separation folder.
    if getuid() == 0 { mkdir("/run/sshd", 0o755) }
    // Unlike all others, the last line of this option wins.
    let startups = options.contains { $0.hasPrefix("MaxStartups") } ? [] : ["MaxStartups 100"]
    // Its own of these is refused beside another one.
    let files =
      options.contains { $0.hasPrefix("Subsystem sftp") } ? [] : ["Subsystem sftp internal-sftp"]
    let lines =
      options + (try await prepare(folder)) + startups + files
      + addresses.map { "ListenAddress \($0):\(port)" }
      + hostKeyTypes.map { "HostKey \(folder.file("host_\($0)"))" } + [
        "UsePAM no", "StrictModes no", "PidFile none",
        "PermitRootLogin yes", "AuthorizedKeysFile \(folder.file("user_key")).pub",
        "PasswordAuthentication no", "KbdInteractiveAuthentication no",
        "LogLevel VERBOSE", "PrintMotd no", "PrintLastLog no", "UseDNS no",
        "AcceptEnv LANG LC_* COLORTERM", "SetEnv HOME=\(folder.file("home"))", "PermitUserRC no",
      ]
    let config = try folder.write("sshd_config", lines.joined(separator: "\n") + "\n")
    account = isOrdinary ? Self.ordinaryUser : Self.user
    let words = ["/usr/sbin/sshd", "-D", "-e", "-f", config]
    if isOrdinary, getuid() == 0 {
      program = try Self.startAlone(words, in: folder)
    } else {
      program = try TestProgram(words[0], Array(words.dropFirst()), environment: environment)
    }
    for address in addresses {
      let shown = address.filter { !"[]".contains($0) }
      try await program.wait(for: "Server listening on \(shown) ")
    }
  }

  /// Starts the server as root where it alone sees an account more.
  private static func startAlone(
    _ words: [String],
    in folder: TemporaryFolder
  ) throws -> TestProgram {
    let number: uid_t = 64_321
    let line = "\(ordinaryUser):x:\(number):\(number)::\(folder.file("home")):/bin/sh\n"
    let accounts = try folder.write(
      "accounts",
      try TemporaryFolder.read("/etc/passwd") + line,
      mode: 0o644
    )
    chmod(folder.path, 0o755)
    chmod(folder.file("user_key.pub"), 0o644)
    chown(folder.file("home"), number, number)
    let script = "mount --bind \(accounts) /etc/passwd && exec \"$@\""
    return try TestProgram(
      "/usr/bin/unshare",
      ["-m", "--propagation", "private", "/bin/sh", "-c", script, "sh"] + words
    )
  }

  /// What it has logged so far.
  public var log: String { program.text }

  /// Suspends until it has logged a text.
  public func wait(forLog part: String) async throws { try await program.wait(for: part) }

  /// The public host key line of a type.
  public func hostKeyLine(_ type: String = "ed25519") throws -> String {
    try TemporaryFolder.read(folder.file("host_\(type).pub"))
  }

  /// The processes that serve its connections, one or two for each.
  public var sessionProcesses: [Int32] {
    get throws {
      let text = try TemporaryFolder.read("/proc/\(program.pid)/task/\(program.pid)/children")
      return text.split(separator: " ").compactMap { Int32($0.filter(\.isNumber)) }
    }
  }

  /// Sends a signal to what serves its connections.
  public func signalSessions(_ number: Int32) throws {
    for process in try sessionProcesses { kill(process, number) }
  }

  /// Stops it; connections that are up stay until their peers go.
  public func stop() { program.stop() }

  /// Makes a key pair without a passphrase.
  public static func makeKey(
    _ path: String,
    type: String,
    passphrase: String = ""
  ) async throws {
    // RSA keys of the default size take seconds to make.
    let size = type == "rsa" ? ["-b", "2048"] : []
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-t", type, "-N", passphrase, "-C", "test", "-f", path] + size
    )
  }

  /// A hop to it with its user key.
  public var hop: Hop {
    Hop(
      endpoint: endpoint,
      credentials: HopCredentials(username: account, keyFiles: [userKey], usesAgent: false)
    )
  }
}
