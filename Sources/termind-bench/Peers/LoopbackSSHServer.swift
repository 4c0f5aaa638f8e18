import Glibc
import TermindInfrastructure

/// An OpenSSH server on a loopback port, for one case.
///
/// Whoever logs in gets a plain shell whose prompt is `prompt`, whatever the account's own shell is.
final class LoopbackSSHServer {
  /// The prompt of every session.
  static let prompt = "\(promptSign) "
  /// The prompt without its blank, as it is found on a screen.
  static let promptSign = "ready>"
  /// The port on 127.0.0.1.
  let port: Int
  /// The private key that it accepts.
  let userKey: String
  /// A home directory whose known hosts name this server.
  let home: String
  private let knownHosts: String
  private let process: BenchProcess
  private let scratch: ScratchFolder

  /// Makes keys and starts the server.
  init(scratch: ScratchFolder) throws(BenchError) {
    self.scratch = scratch
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
      export PS1='\(Self.prompt)'
      unset ENV
      exec /bin/sh
      """,
      mode: 0o700
    )
    // As root the server insists on its folder for privilege separation.
    if getuid() == 0 { unsafe _ = mkdir("/run/sshd", 0o755) }
    var started: (process: BenchProcess, port: Int)?
    for _ in 0..<10 where started == nil {
      let port = Int.random(in: 20_000..<60_000)
      started = try Self.start(program, port, scratch, environment).map { ($0, port) }
    }
    guard let started else {
      throw .failed(
        step: "start sshd",
        diagnostic: ScratchFolder.text(of: scratch.file("sshd.log"))
      )
    }
    (process, port) = started
    let folder = try scratch.makeFolder("home/.ssh")
    let key = ScratchFolder.text(of: scratch.file("host_key.pub"))
    knownHosts = "\(folder)/known_hosts"
    try scratch.write("home/.ssh/id_ed25519", ScratchFolder.text(of: scratch.file("user_key")))
    try scratch.write("home/.ssh/known_hosts", "[127.0.0.1]:\(started.port) \(key)")
  }

  /// The account that logs in.
  var user: String { UserAccount.current()?.name ?? "root" }

  /// The command line of a plain `ssh` to it.
  func sshCommand() throws(BenchError) -> [String] {
    [
      try PeerProgram.ssh.find(), "-F", "none", "-tt", "-o", "UserKnownHostsFile=\(knownHosts)",
      "-o", "IdentitiesOnly=yes", "-i", userKey, "-p", "\(port)", "\(user)@127.0.0.1",
    ]
  }

  /// The server as `user@host:port`; its key lies where a client looks for the usual keys.
  var address: String { "\(user)@127.0.0.1:\(port)" }

  /// The words of the same connection for Termind.
  var termindWords: [String] { ["-p", "\(port)", "-i", userKey, "\(user)@127.0.0.1"] }

  /// Starts it on a port; nil when it ended at once, as it does when the port is taken.
  private static func start(
    _ program: String,
    _ port: Int,
    _ scratch: ScratchFolder,
    _ environment: [String: String]
  ) throws(BenchError) -> BenchProcess? {
    let lines = [
      "ListenAddress 127.0.0.1:\(port)", "HostKey \(scratch.file("host_key"))",
      "AuthorizedKeysFile \(scratch.file("user_key")).pub",
      "ForceCommand \(scratch.file("session"))",
      "UsePAM no", "StrictModes no", "PidFile none", "PermitRootLogin yes", "UseDNS no",
      "PasswordAuthentication no", "KbdInteractiveAuthentication no", "MaxStartups 100",
      "MaxSessions 100", "PrintMotd no", "PrintLastLog no", "AcceptEnv LANG LC_* COLORTERM",
    ]
    let config = try scratch.write("sshd_config", lines.joined(separator: "\n") + "\n")
    let log = scratch.file("sshd.log")
    let process = try BenchProcess(
      [program, "-D", "-e", "-f", config],
      environment: environment,
      descriptors: [.null, .appending(path: log), .appending(path: log)]
    )
    for _ in 0..<200 {
      if ScratchFolder.text(of: log).contains("listening on 127.0.0.1 port \(port)") {
        return process
      }
      if process.wait(milliseconds: 25) != nil { return nil }
    }
    return nil
  }
}
