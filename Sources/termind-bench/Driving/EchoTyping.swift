import TermindTerminal

/// Letters that are typed at a shell's prompt at a person's fastest pace, and how long each takes to be seen.
enum EchoTyping {
  /// Types so many letters, or until something is the case, one after the other, each awaited.
  static func type(
    _ count: Int,
    _ terminal: DrivenTerminal,
    into samples: inout Samples,
    until isOver: () -> Bool = { false }
  ) throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz").map(String.init)
    let row = try promptRow(terminal)
    let start = LoopbackSSHServer.prompt
    var typed = ""
    for index in 0..<count where !isOver() {
      if typed.count == 20 {
        typed = ""
        try terminal.type("\u{15}")
        try terminal.wait(for: "an empty line") { !$0.text(row: row).contains(start + "a") }
      }
      pause(terminal)
      typed += letters[index % letters.count]
      let sent = ContinuousClock.now
      try terminal.type(letters[index % letters.count])
      let seen = try terminal.wait(for: "the echo of '\(typed)'", seconds: 10) {
        $0.text(row: row).contains(start + typed)
      }
      samples.add((seen - sent).milliseconds)
    }
    guard !typed.isEmpty else { return }
    try terminal.type("\u{15}")
    try terminal.wait(for: "an empty line") { !$0.text(row: row).contains(start + typed) }
  }

  /// Takes what comes for a few milliseconds, never the same number.
  static func pause(_ terminal: DrivenTerminal) {
    let end = ContinuousClock.now + .microseconds(Int.random(in: 12_000..<30_000))
    while ContinuousClock.now < end {
      // A terminal that has ended fails the next step, which names it.
      _ = try? terminal.pump(milliseconds: 1)
    }
  }

  private static func promptRow(_ terminal: DrivenTerminal) throws -> Int {
    let prompt = LoopbackSSHServer.promptSign
    guard let row = terminal.screen.screenText().firstIndex(where: { $0.contains(prompt) }) else {
      throw BenchError.timeout(awaited: "a prompt", screen: terminal.text)
    }
    return row
  }
}
