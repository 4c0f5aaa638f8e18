/// Resident memory that one more pane costs the server, its scrollback full.
enum MemoryCase {
  private static let lines = 10_000
  private static let columns = 200
  /// Panes over which the growth of the server is shared out.
  private static let panes = 4
  private static let rounds = 3
  /// Wide enough that a pane beside a sidebar still holds a line.
  private static let terminalColumns = 260

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux])
    let scratch = try ScratchFolder()
    let home = try scratch.makeFolder("home")
    let kinds = [
      (name: "ASCII", isColoured: false, budget: 0.35),
      (name: "24-bit colour", isColoured: true, budget: 0.25),
    ]
    for kind in kinds {
      // The screen's own rows come on top of the scrollback.
      let bytes = ParseInput.fullLines(lines + 60, columns: columns, isColoured: kind.isColoured)
      let file = try scratch.write("lines-\(kind.isColoured)", bytes)
      let program = ["/bin/sh", "-c", "cat \(file); echo fil''led; exec cat"]
      var ours = Samples()
      var peer = Samples()
      for round in 0..<rounds {
        ours.add(try measureOurs(program, scratch, home, "\(kind.isColoured)\(round)"))
        peer.add(try measureTmux(program, scratch, home))
      }
      report.add(
        Measurement(
          caseName: "memory",
          name: "pane, 10,000 lines, \(kind.name)",
          ours: ours.median,
          peer: peer.median,
          peerName: "tmux",
          unit: "MB",
          budget: .ratioAtMost(kind.budget),
          runs: rounds
        )
      )
    }
  }

  private static func measureOurs(
    _ program: [String],
    _ scratch: ScratchFolder,
    _ home: String,
    _ name: String
  ) throws -> Double {
    let instance = try TermindInstance(scratch: scratch, home: home, name: "memory-\(name)")
    var terminals = [try instance.open(["run", "--", "cat"], columns: terminalColumns)]
    try terminals[0].settle()
    let server = try instance.serverNumber()
    let before = try ProcessFigures.residentMegabytes(of: server)
    for _ in 0..<panes {
      let terminal = try instance.open(["run", "--"] + program, columns: terminalColumns)
      try terminal.wait(forText: "filled")
      try terminal.settle()
      terminals.append(terminal)
    }
    let after = try ProcessFigures.residentMegabytes(of: server)
    try instance.end()
    return (after - before) / Double(panes)
  }

  private static func measureTmux(
    _ program: [String],
    _ scratch: ScratchFolder,
    _ home: String
  ) throws -> Double {
    let tmux = try TmuxServer(scratch: scratch, home: home)
    let terminal = try tmux.open(["new-session", "cat"], columns: terminalColumns)
    try terminal.settle()
    try tmux.command("set-option", "-g", "history-limit", "\(lines)")
    let server = try tmux.serverNumber()
    let before = try ProcessFigures.residentMegabytes(of: server)
    for _ in 0..<panes {
      try tmux.command(
        "new-window",
        program.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
      )
      try terminal.wait(forText: "filled")
      try terminal.settle()
    }
    let after = try ProcessFigures.residentMegabytes(of: server)
    try tmux.end()
    return (after - before) / Double(panes)
  }
}
