import TermindTerminal

/// Another width of the terminal, with 100,000 lines in each of four panes: until the last cell of the screen is right.
enum ReflowCase {
  private static let lines = 100_000
  private static let panes = 4
  /// Each pane holds a line in the wide terminal, and needs two rows for it in the narrow one.
  private static let widths = (wide: 480, narrow: 360)
  private static let lineWidth = 100
  private static let rounds = 5

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux])
    let scratch = try ScratchFolder()
    let home = try scratch.makeFolder("home")
    let bytes = ParseInput.fullLines(lines + 60, columns: lineWidth, isColoured: false)
    let file = try scratch.write("lines", bytes)
    let program = ["/bin/sh", "-c", "cat \(file); echo fil''led; exec cat"]
    let instance = try TermindInstance(scratch: scratch, home: home)
    try instance.configure("scrollback-lines = \(lines)\n")
    let ours = try measure(try openOurs(instance, program))
    try instance.end()
    let tmux = try TmuxServer(scratch: scratch, home: home)
    let peer = try measure(try openTmux(tmux, program))
    try tmux.end()
    for (name, path) in [("narrower", \Figures.narrow), ("wider again", \Figures.wide)] {
      report.add(
        Measurement(
          caseName: "reflow",
          name: "\(panes) x 100,000 lines, \(name)",
          ours: ours[keyPath: path].median,
          peer: peer[keyPath: path].median,
          peerName: "tmux",
          unit: "ms",
          budget: .oursAtMost(16),
          runs: rounds
        )
      )
    }
  }

  private struct Figures {
    var narrow = Samples()
    var wide = Samples()
  }

  private static func measure(_ terminal: DrivenTerminal) throws -> Figures {
    var figures = Figures()
    for _ in 0..<rounds {
      for (columns, path) in [(widths.narrow, \Figures.narrow), (widths.wide, \Figures.wide)] {
        let start = terminal.resize(rows: 50, columns: columns)
        try terminal.settle(milliseconds: 500, seconds: 60)
        figures[keyPath: path].add(terminal.timeToFinalScreen(since: start).milliseconds)
      }
    }
    return figures
  }

  private static func openOurs(
    _ instance: TermindInstance,
    _ program: [String]
  ) throws -> DrivenTerminal {
    let terminal = try instance.open(
      ["run", "--"] + program,
      columns: widths.wide,
      isRecording: true
    )
    try waitForEnd(terminal, 1)
    for count in 2...panes {
      // The first split makes columns of halves, the others halve one of them.
      try terminal.settle()
      let rows = try instance.control("panes").split(separator: "\n")
      guard let first = rows.first?.split(separator: "\t").first else {
        throw BenchError.failed(step: "list the panes", diagnostic: "there is none")
      }
      let pane = count == 3 ? String(first) : String(rows[rows.count - 1].prefix { $0 != "\t" })
      _ = try instance.run(["ctl", "split", "--right", "--pane", pane, "--"] + program)
      try waitForEnd(terminal, count)
    }
    return terminal
  }

  private static func openTmux(_ tmux: TmuxServer, _ program: [String]) throws -> DrivenTerminal {
    let terminal = try tmux.open(["new-session", "cat"], columns: widths.wide, isRecording: true)
    try terminal.settle()
    try tmux.command("set-option", "-g", "history-limit", "\(lines)")
    let command = program.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    try tmux.command("new-window", command)
    for count in 1...panes {
      if count > 1 {
        try tmux.command(["split-window", "-h", command, ";", "select-layout", "even-horizontal"])
      }
      try waitForEnd(terminal, count)
    }
    return terminal
  }

  private static func waitForEnd(_ terminal: DrivenTerminal, _ count: Int) throws {
    try terminal.wait(for: "\(count) filled panes", seconds: 60) { screen in
      screen.screenText().reduce(0) { $0 + $1.ranges(of: "filled").count } == count
    }
    try terminal.settle()
  }
}
