import Glibc

/// From starting the program to the first moment at which its terminal shows its final screen.
enum FirstFrameCase {
  private static let coldRuns = 15
  private static let warmRuns = 25
  /// Fills most of a screen, then waits.
  private static let program = [
    "/bin/sh", "-c", "seq -f 'line %g of the first screen' 30; exec cat",
  ]

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux])
    let scratch = try ScratchFolder()
    let home = try scratch.makeFolder("home")
    try cold("cold server, welcome screen", [], scratch, home, report)
    try cold("cold server, a program", ["run", "--"] + program, scratch, home, report)
    try warm(scratch, home, report)
  }

  private static func cold(
    _ name: String,
    _ words: [String],
    _ scratch: ScratchFolder,
    _ home: String,
    _ report: Report
  ) throws {
    var ours = Samples()
    var peer = Samples()
    for round in 0..<coldRuns {
      let instance = try TermindInstance(
        scratch: scratch,
        home: home,
        name: "cold-\(round)\(words.count)"
      )
      ours.add(try firstFrame(try instance.open(words, isRecording: true)))
      try instance.end()
      let tmux = try TmuxServer(scratch: scratch, home: home)
      peer.add(try firstFrame(try tmux.open(["new-session"] + program, isRecording: true)))
      try tmux.end()
    }
    report.add(row(name, ours, peer, "tmux new"))
  }

  private static func warm(_ scratch: ScratchFolder, _ home: String, _ report: Report) throws {
    let instance = try TermindInstance(scratch: scratch, home: home)
    let tmux = try TmuxServer(scratch: scratch, home: home)
    _ = try firstFrame(try instance.open(["run", "--"] + program))
    _ = try firstFrame(try tmux.open(["new-session"] + program))
    var ours = Samples()
    var peer = Samples()
    for _ in 0..<warmRuns {
      try instance.waitForDetachedWindow()
      ours.add(try firstFrame(try instance.open(["attach"], isRecording: true)))
      peer.add(try firstFrame(try tmux.open(["attach-session"], isRecording: true)))
    }
    report.add(row("warm attach", ours, peer, "tmux attach"))
  }

  /// Milliseconds to the first complete frame; the terminal is closed afterwards, as by its window.
  private static func firstFrame(_ terminal: DrivenTerminal) throws -> Double {
    try terminal.settle()
    let time = terminal.timeToFinalScreen()
    terminal.process.signal(SIGHUP)
    _ = terminal.process.wait(milliseconds: 2000)
    return time.milliseconds
  }

  private static func row(_ name: String, _ ours: Samples, _ peer: Samples, _ peerName: String)
    -> Measurement
  {
    Measurement(
      caseName: "first-frame",
      name: name,
      ours: ours.median,
      peer: peer.median,
      peerName: peerName,
      unit: "ms",
      budget: .ratioAtMost(1),
      runs: ours.values.count
    )
  }
}
