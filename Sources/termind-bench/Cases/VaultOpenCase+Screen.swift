import TermindTerminal

/// From the keys that go to the Vault to the first frame with its list of 10,000 hosts.
extension VaultOpenCase {
  private static let servers = 8
  private static let visits = 4

  static func runScreen(_ report: Report) throws {
    let scratch = try ScratchFolder()
    let home = try scratch.makeFolder("home")
    let instance = try TermindInstance(scratch: scratch, home: home)
    try instance.save(ManyHosts.batch(hosts: count))
    var first = Samples()
    var again = Samples()
    var letters = Samples()
    var pages = Samples()
    for _ in 0..<servers {
      try Interruption.check()
      let terminal = try instance.open([])
      try terminal.settle()
      first.add(try visit(terminal))
      for _ in 0..<visits {
        try terminal.type(leader + "gw")
        try terminal.wait(for: "the welcome screen") { !showsList($0) }
        try terminal.settle()
        again.add(try visit(terminal))
      }
      try filter(terminal, &letters)
      try scroll(terminal, &pages)
      try instance.end()
    }
    let rows: [(name: String, samples: Samples, budget: Double)] = [
      ("first frame of the list", first, 30), ("the list, shown again", again, 30),
      ("a letter of the filter", letters, frame), ("a page of the list", pages, frame),
    ]
    for (name, samples, budget) in rows {
      report.add(
        Measurement(
          caseName: "vault-open",
          name: name,
          ours: samples.median,
          peer: nil,
          peerName: nil,
          unit: "ms",
          budget: .oursAtMost(budget),
          runs: samples.values.count
        )
      )
    }
  }

  /// Milliseconds of one frame, for a screen that shows sixty a second.
  private static let frame = 16.0

  /// Adds the time from each letter of a filter to the whole frame with what is left of the hosts.
  private static func filter(_ terminal: DrivenTerminal, _ samples: inout Samples) throws {
    try terminal.type("/")
    try terminal.settle()
    var query = ""
    for letter in "queue-9.fra" {
      query.append(letter)
      let start = ContinuousClock.now
      try terminal.type(String(letter))
      let end = try terminal.wait(for: "the hosts with '\(query)'") { screen in
        guard !screen.isSynchronizedUpdateActive else { return false }
        let rows = screen.screenText()
        return rows.contains { $0.contains("/ \(query)") } && rows.contains { $0.contains(" of ") }
      }
      samples.add((end - start).milliseconds)
      try terminal.settle()
    }
    // Leaves the filter; Escape, as the keyboard protocol has it, shows every host again, and Home the first.
    for key in ["\r", "\u{1B}[27u", "\u{1B}[H"] {
      try terminal.type(key)
      try terminal.settle()
    }
    try terminal.wait(for: "every host", until: showsList)
    try terminal.settle()
  }

  /// Adds the time from each press of Page Down to the whole frame with other hosts.
  private static func scroll(_ terminal: DrivenTerminal, _ samples: inout Samples) throws {
    for _ in 0..<10 {
      let before = terminal.screen.screenText()
      let start = ContinuousClock.now
      try terminal.type("\u{1B}[6~")
      let end = try terminal.wait(for: "the next page") { screen in
        !screen.isSynchronizedUpdateActive && screen.screenText()[10] != before[10]
      }
      samples.add((end - start).milliseconds)
      try terminal.settle()
    }
  }

  /// Ctrl-Space, as terminals send it.
  private static let leader = "\u{0}"

  /// Milliseconds from the last key of the three to the whole frame; the two before it are waited for, since
  /// a person needs longer for them than the program.
  private static func visit(_ terminal: DrivenTerminal) throws -> Double {
    try terminal.type(leader + "g")
    try terminal.settle()
    let start = ContinuousClock.now
    try terminal.type("v")
    let end = try terminal.wait(for: "the list of the hosts", until: showsList)
    try terminal.settle()
    return (end - start).milliseconds
  }

  private static func showsList(_ screen: Terminal) -> Bool {
    guard !screen.isSynchronizedUpdateActive else { return false }
    let rows = screen.screenText()
    return rows.contains { $0.contains("Hosts \(count)") }
      && rows.contains { $0.contains(ManyHosts.firstName) }
  }
}
