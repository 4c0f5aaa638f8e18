import TermindTerminal

/// The OpenSSH engine: a flood through a pane, and the time from nothing to a prompt, both against `ssh` itself.
enum SSHEngineCase {
  private static let byteCount = 100_000_000
  private static let floods = 5
  private static let addresses = (2...9).map { "127.0.0.\($0)" }

  static func run(_ report: Report) throws {
    try PeerProgram.require([.ssh, .sshd, .sshKeygen])
    let scratch = try ScratchFolder()
    let server = try LoopbackSSHServer(
      scratch: scratch,
      addresses: addresses,
      // What libssh2 1.10 does not know, so that nothing else can have carried it.
      options: ["Ciphers aes128-gcm@openssh.com"]
    )
    let instance = try TermindInstance(scratch: scratch, home: server.home)
    for address in addresses {
      try instance.run(
        [
          "host", "add", "at-\(address)", "--address", address, "--port", "\(server.port)",
          "--user", server.user, "--key-file", server.userKey, "--engine", "openssh",
        ]
      )
    }
    try connect(report, server, instance)
    try flood(report, server, instance, scratch)
  }

  /// Each round connects to another address, since a connection that is up would be used again.
  private static func connect(
    _ report: Report,
    _ server: LoopbackSSHServer,
    _ instance: TermindInstance
  ) throws {
    // The server is there, and its window.
    let window = try instance.open([])
    try window.settle()
    var ours = Samples()
    var ssh = Samples()
    for address in addresses {
      let plain = try DrivenTerminal(
        try server.sshCommand(address: address),
        environment: BenchEnvironment.variables(home: server.home)
      )
      let shown = try plain.wait(forText: LoopbackSSHServer.promptSign)
      ssh.add((shown - plain.started).milliseconds)
      let pane = try instance.open(["ssh", "at-\(address)"])
      let prompt = try pane.wait(forText: LoopbackSSHServer.promptSign)
      ours.add((prompt - pane.started).milliseconds)
    }
    guard try instance.control("panes", "--json").contains("OpenSSH") else {
      throw BenchError.failed(step: "use the OpenSSH engine", diagnostic: "another one was used")
    }
    add(report, "connect, to the prompt", ours, ssh, "ssh", "ms", addresses.count)
  }

  private static func flood(
    _ report: Report,
    _ server: LoopbackSSHServer,
    _ instance: TermindInstance,
    _ scratch: ScratchFolder
  ) throws {
    let file = try scratch.write("text", ParseInput.plain(byteCount: byteCount).filter { $0 != 13 })
    let pane = try instance.open(["ssh", "at-\(addresses[0])"])
    try pane.wait(forText: LoopbackSSHServer.promptSign)
    var ours = Samples()
    var ssh = Samples()
    for round in 0..<floods {
      ssh.add(try SSHPaneCase.plainSSH(file, server, scratch.file("ready-\(round)"), addresses[0]))
      ours.add(try SSHPaneCase.show(file, in: pane))
    }
    add(report, "100 MB cat", ours, ssh, "ssh > /dev/null", "s", floods)
  }

  private static func add(
    _ report: Report,
    _ name: String,
    _ ours: Samples,
    _ peer: Samples,
    _ peerName: String,
    _ unit: String,
    _ runs: Int
  ) {
    report.add(
      Measurement(
        caseName: "ssh-engine",
        name: name,
        ours: ours.median,
        peer: peer.median,
        peerName: peerName,
        unit: unit,
        budget: .ratioAtMost(1.15),
        runs: runs
      )
    )
  }
}
