import TermindTerminal

/// A file of 100 MB shown by `cat` in an SSH session, from Enter to the last line.
enum SSHPaneCase {
  private static let byteCount = 100_000_000
  private static let rounds = 5

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux, .ssh, .sshd, .sshKeygen])
    let scratch = try ScratchFolder()
    let server = try LoopbackSSHServer(scratch: scratch)
    let file = try scratch.write("text", ParseInput.plain(byteCount: byteCount).filter { $0 != 13 })
    let instance = try TermindInstance(scratch: scratch, home: server.home)
    let pane = try instance.open(["ssh"] + server.termindWords)
    let tmux = try TmuxServer(scratch: scratch, home: server.home)
    let tmuxPane = try tmux.open(["new-session"] + (try server.sshCommand()))
    for terminal in [pane, tmuxPane] { try terminal.wait(forText: LoopbackSSHServer.promptSign) }
    var ours = Samples()
    var ssh = Samples()
    var tmuxed = Samples()
    for round in 0..<rounds {
      ssh.add(try plainSSH(file, server, scratch.file("ready-\(round)")))
      ours.add(try show(file, in: pane))
      tmuxed.add(try show(file, in: tmuxPane))
    }
    for (peer, name, budget) in [
      (ssh, "ssh > /dev/null", Budget.ratioAtMost(1.15)), (tmuxed, "tmux + ssh", nil),
    ] {
      report.add(
        Measurement(
          caseName: "ssh-pane",
          name: "100 MB cat",
          ours: ours.median,
          peer: peer.median,
          peerName: name,
          unit: "s",
          budget: budget,
          runs: rounds
        )
      )
    }
  }

  /// Seconds of `cat` in a pane whose shell shows its prompt.
  static func show(_ file: String, in terminal: DrivenTerminal) throws -> Double {
    try terminal.type("clear\r")
    try terminal.settle()
    try terminal.type("cat \(file); echo fin''ished")
    try terminal.settle()
    let start = ContinuousClock.now
    try terminal.type("\r")
    let end = try terminal.wait(for: "the end of the file", seconds: 120) { screen in
      let row = screen.cursor.position.row
      return row > 0 && screen.text(row: row - 1).contains("finished")
    }
    return (end - start).seconds
  }

  /// Seconds of `cat` under a plain `ssh` whose output goes nowhere.
  static func plainSSH(
    _ file: String,
    _ server: LoopbackSSHServer,
    _ mark: String,
    _ address: String = "127.0.0.1"
  ) throws -> Double {
    let terminal = try DrivenTerminal(
      try server.sshCommand(address: address),
      environment: BenchEnvironment.variables(home: server.home),
      discardsOutput: true
    )
    try terminal.type("touch \(mark); read line; cat \(file); exit\r")
    let deadline = ContinuousClock.now + .seconds(20)
    while !ScratchFolder.exists(mark) {
      _ = try terminal.pump(milliseconds: 20)
      guard ContinuousClock.now < deadline else {
        throw BenchError.timeout(awaited: "a session of ssh", screen: terminal.text)
      }
    }
    try terminal.settle()
    let start = ContinuousClock.now
    try terminal.type("\r")
    guard terminal.process.wait(milliseconds: 120_000) != nil else {
      throw BenchError.timeout(awaited: "the end of ssh", screen: terminal.text)
    }
    return (ContinuousClock.now - start).seconds
  }
}
