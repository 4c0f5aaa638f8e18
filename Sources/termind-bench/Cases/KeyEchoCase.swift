import TermindTerminal

/// From a typed key to its echo on the screen, in an SSH pane; from Ctrl-C to the end of a flood, and away from it and back.
enum KeyEchoCase {
  private static let rounds = 5
  private static let keysPerRound = 80
  private static let switchesPerRound = 10
  /// Floods beside the one of lines.
  ///
  /// Random bytes leave tmux now and then without an answer to Ctrl-C, so they are measured without a peer.
  private static let otherFloods = [
    (name: "yes", command: "yes", hasPeer: true),
    (name: "urandom", command: "cat /dev/urandom", hasPeer: false),
    (name: "find /", command: "while [ -z \"$over\" ]; do find / -xdev; done", hasPeer: true),
  ]
  private static let keysBesideOthers = 40
  /// What the flooding session prints over and over.
  private static let floodLine = (0..<8).map { "flood\($0)" }.joined(separator: " ")

  /// One side: two SSH panes, one to type into and one that floods.
  private struct Side {
    let isPeer: Bool
    let terminal: DrivenTerminal
    let focusQuiet: () throws -> Void
    let focusFlood: () throws -> Void
    /// The keys that make a second page, and those that go to the first and the second.
    let pages: (new: String, first: String, second: String)
    var hasSecondPage = false
    var idle = Samples()
    var flooded = Samples()
    var interrupt = Samples()
    var switching = Samples()
    /// Of the other floods: keys into the quiet pane, and Ctrl-C in the flooded one.
    var others = otherFloods.map { _ in (keys: Samples(), interrupt: Samples()) }
  }

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux, .ssh, .sshd, .sshKeygen])
    let scratch = try ScratchFolder()
    let server = try LoopbackSSHServer(scratch: scratch)
    let instance = try TermindInstance(scratch: scratch, home: server.home)
    let tmux = try TmuxServer(scratch: scratch, home: server.home)
    var sides = [try openOurs(instance, server), try openTmux(tmux, server)]
    for _ in 0..<rounds {
      for index in sides.indices { try measure(&sides[index]) }
    }
    for round in 0..<rounds {
      for index in sides.indices { try measureOthers(&sides[index], round) }
    }
    let ours = sides[0]
    let peer = sides[1]
    for (name, path) in [("idle", \Side.idle), ("under flood", \Side.flooded)] {
      for (label, part) in [("p50", 0.5), ("p99", 0.99)] {
        report.add(
          Measurement(
            caseName: "key-echo",
            name: "\(name), \(label)",
            ours: ours[keyPath: path].percentile(part),
            peer: peer[keyPath: path].percentile(part),
            peerName: "tmux + ssh",
            unit: "ms",
            budget: .ratioAtMost(1),
            runs: ours[keyPath: path].values.count
          )
        )
      }
    }
    for (place, flood) in otherFloods.enumerated() {
      let (own, other) = (ours.others[place], peer.others[place])
      for (label, part) in [("p50", 0.5), ("p99", 0.99)] {
        report.add(
          Measurement(
            caseName: "key-echo",
            name: "under \(flood.name), \(label)",
            ours: own.keys.percentile(part),
            peer: flood.hasPeer ? other.keys.percentile(part) : nil,
            peerName: flood.hasPeer ? "tmux + ssh" : nil,
            unit: "ms",
            budget: flood.hasPeer ? .ratioAtMost(1) : nil,
            runs: own.keys.values.count
          )
        )
      }
      report.add(
        Measurement(
          caseName: "key-echo",
          name: "Ctrl-C under \(flood.name), slowest",
          ours: own.interrupt.percentile(1),
          peer: flood.hasPeer ? other.interrupt.percentile(1) : nil,
          peerName: flood.hasPeer ? "tmux + ssh" : nil,
          unit: "ms",
          budget: .oursAtMost(100),
          runs: own.interrupt.values.count
        )
      )
    }
    for (name, path) in [
      ("Ctrl-C under flood, slowest", \Side.interrupt),
      ("switch under flood, slowest", \Side.switching),
    ] {
      report.add(
        Measurement(
          caseName: "key-echo",
          name: name,
          ours: ours[keyPath: path].percentile(1),
          peer: peer[keyPath: path].percentile(1),
          peerName: "tmux + ssh",
          unit: "ms",
          budget: .oursAtMost(100),
          runs: ours[keyPath: path].values.count
        )
      )
    }
  }

  private static func openOurs(_ instance: TermindInstance, _ server: LoopbackSSHServer) throws
    -> Side
  {
    let terminal = try instance.open([])
    try terminal.settle()
    let answer = try instance.control("open", server.address, server.address)
    let panes = answer.split { $0.isWhitespace }.map(String.init)
    guard panes.count == 2 else {
      throw BenchError.failed(step: "open two panes", diagnostic: answer)
    }
    try waitForPrompts(terminal)
    return Side(
      isPeer: false,
      terminal: terminal,
      focusQuiet: { try instance.control("focus", "--pane", panes[0]) },
      focusFlood: { try instance.control("focus", "--pane", panes[1]) },
      pages: ("\u{0}c", "\u{0}1", "\u{0}2")
    )
  }

  private static func openTmux(_ tmux: TmuxServer, _ server: LoopbackSSHServer) throws -> Side {
    let command = try server.sshCommand()
    let terminal = try tmux.open(["new-session"] + command)
    try terminal.wait(forText: LoopbackSSHServer.promptSign)
    try tmux.command("split-window", "-h", command.joined(separator: " "))
    try waitForPrompts(terminal)
    return Side(
      isPeer: true,
      terminal: terminal,
      focusQuiet: { try tmux.command("select-pane", "-t", ":.0") },
      focusFlood: { try tmux.command("select-pane", "-t", ":.1") },
      pages: ("\u{2}c", "\u{2}0", "\u{2}1")
    )
  }

  /// Waits for both shells, beside each other or one above the other.
  private static func waitForPrompts(_ terminal: DrivenTerminal) throws {
    let prompt = LoopbackSSHServer.promptSign
    try terminal.wait(for: "two prompts") { screen in
      screen.screenText().reduce(0) { $0 + $1.ranges(of: prompt).count } == 2
    }
    try terminal.settle()
  }

  private static func measure(_ side: inout Side) throws {
    try side.focusQuiet()
    try side.terminal.settle()
    try EchoTyping.type(keysPerRound, side.terminal, into: &side.idle)
    try side.focusFlood()
    try side.terminal.settle()
    // A shell that survives the interrupt says so on the line after the flood.
    try side.terminal.type("trap : INT; yes '\(floodLine)'; trap - INT; echo flood''ended\r")
    try side.terminal.wait(forText: "\(floodLine)")
    try side.focusQuiet()
    try EchoTyping.type(keysPerRound, side.terminal, into: &side.flooded)
    try switchPages(&side)
    try side.focusFlood()
    // The focus is where it shall be once the flood has gone on for a while.
    for _ in 0..<20 { _ = try side.terminal.pump(milliseconds: 10) }
    let start = ContinuousClock.now
    try side.terminal.type("\u{3}")
    let end = try side.terminal.wait(forText: "floodended")
    side.interrupt.add((end - start).milliseconds)
    try side.terminal.type("clear\r")
    try side.terminal.settle()
  }

  /// Runs each of the other floods once, with keys into the other pane and then Ctrl-C in its own.
  private static func measureOthers(_ side: inout Side, _ round: Int) throws {
    for (place, flood) in otherFloods.enumerated() where flood.hasPeer || !side.isPeer {
      try side.focusFlood()
      try side.terminal.settle()
      // Random bytes may choose other characters, so the terminal is reset before the word is printed.
      let sign = "over''\(round)-\(place)"
      try side.terminal.type(
        "over=; trap over=1 INT; \(flood.command); trap - INT; printf '\\033c\\033[?1000l'; echo \(sign)\r"
      )
      for _ in 0..<30 { _ = try side.terminal.pump(milliseconds: 10) }
      try side.focusQuiet()
      try EchoTyping.type(keysBesideOthers, side.terminal, into: &side.others[place].keys)
      try side.focusFlood()
      for _ in 0..<20 { _ = try side.terminal.pump(milliseconds: 10) }
      let start = ContinuousClock.now
      try side.terminal.type("\u{3}")
      let end = try side.terminal.wait(forText: "over\(round)-\(place)")
      side.others[place].interrupt.add((end - start).milliseconds)
      // Answers to questions within the random bytes may stand at the prompt.
      try side.terminal.settle()
      try side.terminal.type("\u{15}clear\r")
      try side.terminal.settle()
    }
  }

  /// Goes to a quiet page and back to the flood, each from the key until the page is on the screen.
  private static func switchPages(_ side: inout Side) throws {
    let terminal = side.terminal
    if !side.hasSecondPage {
      try terminal.type(side.pages.new)
      try terminal.wait(for: "a page of its own") { !$0.screenText().joined().contains("flood0") }
      try terminal.type("echo quiet''page\r")
      try terminal.wait(forText: "quietpage")
      try terminal.type(side.pages.first)
      try terminal.wait(forText: floodLine)
      side.hasSecondPage = true
    }
    for _ in 0..<switchesPerRound {
      for (keys, sign) in [(side.pages.second, "quietpage"), (side.pages.first, floodLine)] {
        EchoTyping.pause(terminal)
        let start = ContinuousClock.now
        try terminal.type(keys)
        side.switching.add((try terminal.wait(forText: sign) - start).milliseconds)
      }
    }
  }
}
