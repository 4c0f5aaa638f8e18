import TermindTerminal

/// From a typed key to the letter on the screen, in an SSH pane behind a line of 100 ms each way, where echoes are guessed.
enum LocalEchoCase {
  private static let rounds = 6
  private static let keysPerRound = 18
  private static let roundTrip = Duration.milliseconds(200)

  static func run(_ report: Report) throws {
    try PeerProgram.require([.sshd, .sshKeygen])
    let scratch = try ScratchFolder()
    let server = try LoopbackSSHServer(scratch: scratch)
    let proxy = try DelayProxy(to: server.port, roundTrip: roundTrip)
    try server.trust(port: proxy.port)
    let instance = try TermindInstance(scratch: scratch, home: server.home)
    try instance.configure("local-echo = on\n")
    let terminal = try instance.open([
      "ssh", "-p", "\(proxy.port)", "-i", server.userKey, "\(server.user)@127.0.0.1",
    ])
    let prompt = LoopbackSSHServer.promptSign
    try terminal.wait(forText: prompt)
    try terminal.settle(milliseconds: 600)
    var guessed = Samples()
    var echoed = Samples()
    for _ in 0..<rounds { try type(terminal, after: prompt, &guessed, &echoed) }
    try instance.end()
    for (label, part) in [("p50", 0.5), ("p99", 0.99)] {
      report.add(row("key to letter, \(label)", guessed.percentile(part), guessed, 10))
    }
    report.add(row("the first key of a line, p50", echoed.percentile(0.5), echoed, nil))
  }

  /// Types a line: its first letter is shown with its echo, since this shell marks no prompt, the others at once.
  private static func type(
    _ terminal: DrivenTerminal,
    after prompt: String,
    _ guessed: inout Samples,
    _ echoed: inout Samples
  ) throws {
    var line = ""
    for index in 0...keysPerRound {
      line += String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
      let sent = ContinuousClock.now
      try terminal.type(String(line.suffix(1)))
      let seen = try terminal.wait(forText: "\(prompt) \(line)")
      let time = (seen - sent).milliseconds
      if index == 0 { echoed.add(time) } else { guessed.add(time) }
      EchoTyping.pause(terminal)
    }
    try terminal.type("\u{15}")
    try terminal.wait(for: "an empty line") { screen in
      !screen.screenText().contains { $0.contains("\(prompt) a") }
    }
    try terminal.settle(milliseconds: 600)
  }

  private static func row(
    _ name: String,
    _ value: Double,
    _ samples: Samples,
    _ budget: Double?
  ) -> Measurement {
    Measurement(
      caseName: "local-echo",
      name: name,
      ours: value,
      peer: nil,
      peerName: nil,
      unit: "ms",
      budget: budget.map(Budget.oursAtMost),
      runs: samples.values.count
    )
  }
}
