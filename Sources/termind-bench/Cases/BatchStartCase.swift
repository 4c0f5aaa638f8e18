import TermindInfrastructure
import TermindTerminal

/// 20 saved hosts opened together as panes of one workspace, to the last prompt.
enum BatchStartCase {
  private static let rounds = 5
  private static let tag = "batch"
  private static let addresses = (2...21).map { "127.0.0.\($0)" }

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux, .ssh, .sshd, .sshKeygen])
    let scratch = try ScratchFolder()
    let server = try LoopbackSSHServer(scratch: scratch, addresses: addresses)
    let instance = try TermindInstance(scratch: scratch, home: server.home)
    // The prompts of the round before would be taken for those that are awaited.
    try instance.configure("restore-session = off\n")
    for (number, address) in addresses.enumerated() {
      try instance.run(
        [
          "host", "add", "host\(number + 1)", "--address", address, "--port", "\(server.port)",
          "--user", server.user, "--key-file", server.userKey, "--tag", tag,
        ]
      )
    }
    let tmux = try TmuxServer(scratch: scratch, home: server.home)
    let panes = try tmuxPanes(server)
    var cold = (ours: Samples(), peer: Samples())
    var warm = (ours: Samples(), peer: Samples())
    for _ in 0..<rounds {
      cold.ours.add(
        try measure(server, end: instance.end) {
          let terminal = try instance.open(["open", "--tag", tag])
          return (terminal, terminal.started)
        }
      )
      cold.peer.add(
        try measure(server, end: tmux.end) {
          let terminal = try tmux.open(["new-session"] + panes)
          return (terminal, terminal.started)
        }
      )
      warm.ours.add(
        try measure(server, end: instance.end) {
          let terminal = try instance.open([])
          try terminal.settle()
          let start = ContinuousClock.now
          try instance.control("open", "--tag", tag)
          return (terminal, start)
        }
      )
      warm.peer.add(
        try measure(server, end: tmux.end) {
          let terminal = try tmux.open(["new-session", "exec cat"])
          try terminal.settle()
          let start = ContinuousClock.now
          try tmux.command(["new-window"] + panes)
          return (terminal, start)
        }
      )
    }
    for (name, samples) in [("20 hosts, cold server", cold), ("20 hosts, warm server", warm)] {
      report.add(
        Measurement(
          caseName: "batch-start",
          name: name,
          ours: samples.ours.median,
          peer: samples.peer.median,
          peerName: "20 ssh in tmux",
          unit: "ms",
          budget: .ratioAtMost(1),
          runs: rounds
        )
      )
    }
  }

  /// What follows `new-session` or `new-window`: an `ssh` in each pane, all tiled.
  private static func tmuxPanes(_ server: LoopbackSSHServer) throws -> [String] {
    var words = try server.sshCommand(address: addresses[0])
    for address in addresses.dropFirst() {
      words += [";", "split-window"] + (try server.sshCommand(address: address))
      // Without it there is soon no room for another pane.
      words += [";", "select-layout", "tiled"]
    }
    return words
  }

  /// Milliseconds from the start to the last prompt on the screen; everything has ended when it returns.
  private static func measure(
    _ server: LoopbackSSHServer,
    end: () throws -> Void,
    start: () throws -> (DrivenTerminal, ContinuousClock.Instant)
  ) throws -> Double {
    let before = server.loginCount
    let (terminal, started) = try start()
    let shown = try terminal.wait(for: "\(addresses.count) prompts", seconds: 60) { screen in
      !screen.isSynchronizedUpdateActive && promptCount(screen) == addresses.count
    }
    try end()
    let deadline = ContinuousClock.now + .seconds(20)
    while try server.clientCount() > 0 {
      guard ContinuousClock.now < deadline else {
        throw BenchError.timeout(awaited: "the end of every session", screen: "")
      }
      _ = DescriptorWait.readable([], milliseconds: 20)
    }
    // A connection that was used twice would be none of the measured ones.
    let logins = server.loginCount - before
    guard logins == addresses.count else {
      throw BenchError.failed(step: "log in everywhere", diagnostic: "\(logins) logged in")
    }
    return (shown - started).milliseconds
  }

  private static func promptCount(_ screen: Terminal) -> Int {
    screen.screenText().reduce(0) {
      $0 + $1.ranges(of: LoopbackSSHServer.promptSign).count
    }
  }
}
