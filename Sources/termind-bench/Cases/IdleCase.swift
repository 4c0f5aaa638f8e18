/// How often the server wakes while nothing happens.
enum IdleCase {
  private static let panes = 20
  private static let windowSeconds = 10.0
  private static let rounds = 3

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux])
    let scratch = try ScratchFolder()
    let home = try scratch.makeFolder("home")
    let instance = try TermindInstance(scratch: scratch, home: home)
    let ourTerminal = try instance.open(["run", "--", "cat"], rows: 100, columns: 300)
    try ourTerminal.settle()
    try fill(instance)
    try ourTerminal.settle()
    let tmux = try TmuxServer(scratch: scratch, home: home)
    let tmuxTerminal = try tmux.open(["new-session", "cat"], rows: 100, columns: 300)
    try tmuxTerminal.settle()
    for _ in 1..<panes {
      try tmux.command("split-window", "cat")
      try tmux.command("select-layout", "tiled")
    }
    try tmuxTerminal.settle()
    var ours = Samples()
    var peer = Samples()
    for _ in 0..<rounds {
      ours.add(try wakeups(of: try instance.serverNumber(), ourTerminal))
      peer.add(try wakeups(of: try tmux.serverNumber(), tmuxTerminal))
    }
    report.add(
      Measurement(
        caseName: "idle",
        name: "server with \(panes) panes",
        ours: ours.median,
        peer: peer.median,
        peerName: "tmux",
        unit: "/s",
        budget: .oursAtMost(0),
        runs: rounds
      )
    )
  }

  /// Splits the largest pane again and again: beside each other, one above the other, and so on.
  private static func fill(_ instance: TermindInstance) throws {
    func name(_ answer: String) -> String { String(answer.prefix { !$0.isWhitespace }) }
    var queue = [(pane: name(try instance.control("panes")), isWide: true)]
    for _ in 1..<panes {
      let (pane, isWide) = queue.removeFirst()
      let side = isWide ? "--right" : "--down"
      let made = name(try instance.control("split", "--pane", pane, side, "--", "cat"))
      queue += [(pane, !isWide), (made, !isWide)]
    }
  }

  private static func wakeups(of server: Int32, _ terminal: DrivenTerminal) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let before = try ProcessFigures.wakeups(of: server)
    while clock.now - start < .seconds(windowSeconds) { _ = try terminal.pump(milliseconds: 1000) }
    let after = try ProcessFigures.wakeups(of: server)
    return (after - before) / (clock.now - start).seconds
  }
}
