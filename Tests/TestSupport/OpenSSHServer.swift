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
  ///   - password: What `sudo` asks that account for; nil leaves it without `sudo`.
  ///   - loss: How many of a hundred packets are lost in the network of its own that it then has; see `reach`.
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
    sudoPassword password: String? = nil,
    losing loss: Int? = nil,
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
      program = try await Self.startAlone(words, in: folder, sudoPassword: password)
    } else if let loss {
      program = try Self.startLossy(words, loss: loss)
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
    in folder: TemporaryFolder,
    sudoPassword password: String?
  ) async throws -> TestProgram {
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
    var mounts = ["--bind \(accounts) /etc/passwd"]
    if let password {
      let hash = try await TestProgram.run("/usr/bin/openssl", ["passwd", "-6", password])
        .filter { !$0.isNewline }
      let shadow =
        try TemporaryFolder.read("/etc/shadow")
        + "\(ordinaryUser):\(hash):19000:0:99999:7:::\n"
      let rules = "root ALL=(ALL:ALL) ALL\n\(ordinaryUser) ALL=(ALL:ALL) ALL\nDefaults !syslog\n"
      let shadowFile = try folder.write("shadow", shadow)
      let ruleFile = try folder.write("sudoers", rules, mode: 0o440)
      mounts += [
        "--bind \(shadowFile) /etc/shadow", "--bind \(ruleFile) /etc/sudoers",
        // Where sudo notes whom it has lectured, and who was right before.
        "-t tmpfs tmpfs /var/lib/sudo", "-t tmpfs tmpfs /run",
      ]
    }
    let script = mounts.map { "mount \($0) && " }.joined() + "mkdir -p /run/sshd && exec \"$@\""
    return try TestProgram(
      "/usr/bin/unshare",
      ["-m", "--propagation", "private", "/bin/sh", "-c", script, "sh"] + words
    )
  }

  /// Starts the server where the network is its own and loses packets, both ways.
  private static func startLossy(_ words: [String], loss: Int) throws -> TestProgram {
    let rules =
      "table inet t { chain i { type filter hook input priority 0; "
      + "meta l4proto tcp numgen random mod 100 < \(loss) drop; }; }"
    // A packet is sent again after 20 ms at first rather than 200: so much longer would every test be.
    let script =
      "ip link set lo up && ip route replace local 127.0.0.1 dev lo table local proto kernel "
      + "scope host src 127.0.0.1 rto_min 20ms && nft '\(rules)' && exec \"$@\""
    return try TestProgram("/usr/bin/unshare", ["-n", "/bin/sh", "-c", script, "sh"] + words)
  }

  /// The words before a command that is to run in its network.
  public var reach: [String] { ["/usr/bin/nsenter", "-t", "\(program.pid)", "-n", "--"] }

  /// Whether this process may have networks of its own, and what loses packets is there.
  public static let canLose: Bool = {
    guard getuid() == 0 else { return false }
    let programs: [String] = ["/usr/sbin/nft", "/usr/bin/unshare", "/usr/bin/nsenter"]
    return programs.allSatisfy { access($0, X_OK) == 0 }
  }()

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
