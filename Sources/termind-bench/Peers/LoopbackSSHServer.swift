import Glibc
import TermindInfrastructure

/// An OpenSSH server on a loopback port, for one case; on several addresses it stands for several hosts.
///
/// Whoever logs in gets a plain shell whose prompt is `prompt`, whatever the account's own shell is, or SFTP.
final class LoopbackSSHServer {
  /// The prompt of every session.
  static let prompt = "\(promptSign) "
  /// The prompt without its blank, as it is found on a screen.
  static let promptSign = "ready>"
  /// What known hosts call it beside its addresses.
  private static let alias = "bench"
  /// The port on every address.
  let port: Int
  /// Where it listens.
  let addresses: [String]
  /// The private key that it accepts.
  let userKey: String
  /// A home directory whose known hosts name this server.
  let home: String
  private let knownHosts: String
  /// One process listens on at most so many addresses; OpenSSH allows 16.
  private static let addressesPerProcess = 10
  private let processes: [BenchProcess]
  private let scratch: ScratchFolder

  /// Makes keys and starts the server.
  ///
  /// - Parameters:
  ///   - scratch: Where its files lie.
  ///   - addresses: Where it listens.
  ///   - servesFiles: Whether it serves SFTP within its own process, and the account's own shell instead of the plain one.
  ///   - options: Lines of its configuration that come first and so win.
  /// - Throws: `.failed` when it does not start.
  init(
    scratch: ScratchFolder,
    addresses: [String] = ["127.0.0.1"],
    servesFiles: Bool = false,
    options: [String] = []
  ) throws(BenchError) {
    self.scratch = scratch
    self.addresses = addresses
    let program = try PeerProgram.sshd.find()
    home = try scratch.makeFolder("home")
    let environment = BenchEnvironment.variables(home: home)
    let keygen = try PeerProgram.sshKeygen.find()
    for key in ["host_key", "user_key"] {
      _ = try FinishedProgram.output(
        [keygen, "-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", scratch.file(key)],
        environment: environment,
        scratch: scratch
      )
    }
    userKey = scratch.file("user_key")
    try scratch.write(
      "session",
      """
      #!/bin/sh
      [ -z "$SSH_ORIGINAL_COMMAND" ] || exec $SSH_ORIGINAL_COMMAND
      export PS1='\(Self.prompt)'
      unset ENV
      exec /bin/sh
      """,
      mode: 0o700
    )
    // As root the server insists on its folder for privilege separation.
    if getuid() == 0 { unsafe _ = mkdir("/run/sshd", 0o755) }
    var started: (processes: [BenchProcess], port: Int)?
    for _ in 0..<10 where started == nil {
      let port = Int.random(in: 20_000..<60_000)
      started =
        try Self.start(program, addresses, port, servesFiles, scratch, environment, options)
        .map { ($0, port) }
    }
    guard let started else {
      throw .failed(
        step: "start sshd",
        diagnostic: ScratchFolder.text(of: scratch.file("sshd-0.log"))
      )
    }
    (processes, port) = started
    let folder = try scratch.makeFolder("home/.ssh")
    let key = ScratchFolder.text(of: scratch.file("host_key.pub"))
    knownHosts = "\(folder)/known_hosts"
    try scratch.write("home/.ssh/id_ed25519", ScratchFolder.text(of: scratch.file("user_key")))
    let known = ["\(Self.alias) \(key)"] + addresses.map { "[\($0)]:\(started.port) \(key)" }
    try scratch.write("home/.ssh/known_hosts", known.joined())
  }

  /// Lets the home directory's known hosts name another port that leads to it.
  func trust(port: Int) throws(BenchError) {
    let key = ScratchFolder.text(of: scratch.file("host_key.pub"))
    let known = ScratchFolder.text(of: knownHosts) + "[127.0.0.1]:\(port) \(key)"
    try scratch.write("home/.ssh/known_hosts", known)
  }

  /// The account that logs in.
  var user: String { UserAccount.current()?.name ?? "root" }

  /// How many clients are connected or connecting: each has a process.
  func clientCount() throws(BenchError) -> Int {
    let servers = Set(processes.map(\.number))
    return try ProcessFigures.childCount(of: servers)
  }

  /// How often a client has logged in so far.
  var loginCount: Int {
    processes.indices.reduce(0) { sum, place in
      sum + ScratchFolder.text(of: Self.log(place, scratch)).ranges(of: "Accepted publickey").count
    }
  }

  /// What every OpenSSH client is told to reach it, on whatever port.
  var connectOptions: [String] {
    [
      "-F", "none", "-o", "UserKnownHostsFile=\(knownHosts)", "-o", "HostKeyAlias=\(Self.alias)",
      "-o", "IdentitiesOnly=yes", "-i", userKey,
    ]
  }

  /// The command line of a plain `ssh` to it.
  func sshCommand(address: String = "127.0.0.1") throws(BenchError) -> [String] {
    [try PeerProgram.ssh.find(), "-tt"] + connectOptions + ["-p", "\(port)", "\(user)@\(address)"]
  }

  /// The command line of a plain `sftp` to it, or to a port that leads to it, that runs the commands of a file.
  func sftpCommand(batch: String, port: Int) throws(BenchError) -> [String] {
    [try PeerProgram.sftp.find(), "-q"] + connectOptions
      + ["-P", "\(port)", "-b", batch, "\(user)@127.0.0.1"]
  }

  /// The server as `user@host:port`; its key lies where a client looks for the usual keys.
  var address: String { "\(user)@127.0.0.1:\(port)" }

  /// The words of the same connection for Termind.
  var termindWords: [String] { ["-p", "\(port)", "-i", userKey, "\(user)@127.0.0.1"] }

  private static func log(_ place: Int, _ scratch: ScratchFolder) -> String {
    scratch.file("sshd-\(place).log")
  }

  /// Starts its processes on a port; nil when one ended at once, as it does when the port is taken.
  private static func start(
    _ program: String,
    _ addresses: [String],
    _ port: Int,
    _ servesFiles: Bool,
    _ scratch: ScratchFolder,
    _ environment: [String: String],
    _ options: [String]
  ) throws(BenchError) -> [BenchProcess]? {
    var processes: [BenchProcess] = []
    for first in stride(from: 0, to: addresses.count, by: addressesPerProcess) {
      let part = addresses[first..<min(first + addressesPerProcess, addresses.count)]
      let place = processes.count
      guard
        let started = try start(
          program,
          part,
          place,
          port,
          servesFiles,
          scratch,
          environment,
          options
        )
      else { return nil }
      processes.append(started)
    }
    return processes
  }

  private static func start(
    _ program: String,
    _ addresses: ArraySlice<String>,
    _ place: Int,
    _ port: Int,
    _ servesFiles: Bool,
    _ scratch: ScratchFolder,
    _ environment: [String: String],
    _ options: [String]
  ) throws(BenchError) -> BenchProcess? {
    let lines =
      options + addresses.map { "ListenAddress \($0):\(port)" } + [
        "HostKey \(scratch.file("host_key"))",
        "AuthorizedKeysFile \(scratch.file("user_key")).pub",
        "Subsystem sftp \(servesFiles ? "internal-sftp" : try PeerProgram.sftpServer.find())",
        servesFiles ? "" : "ForceCommand \(scratch.file("session"))",
        "UsePAM no", "StrictModes no", "PidFile none", "PermitRootLogin yes", "UseDNS no",
        "PasswordAuthentication no", "KbdInteractiveAuthentication no", "MaxStartups 100",
        "MaxSessions 100", "PrintMotd no", "PrintLastLog no", "AcceptEnv LANG LC_* COLORTERM",
      ]
    let config = try scratch.write(
      "sshd_config-\(place)",
      lines.joined(separator: "\n") + "\n"
    )
    let log = log(place, scratch)
    let process = try BenchProcess(
      [program, "-D", "-e", "-f", config],
      environment: environment,
      descriptors: [.null, .appending(path: log), .appending(path: log)]
    )
    for _ in 0..<200 {
      let text = ScratchFolder.text(of: log)
      if addresses.allSatisfy({ text.contains("listening on \($0) port \(port)") }) {
        return process
      }
      if process.wait(milliseconds: 25) != nil { return nil }
    }
    return nil
  }
}
