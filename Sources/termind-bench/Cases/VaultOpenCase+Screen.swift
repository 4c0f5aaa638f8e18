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
      try instance.end()
    }
    for (name, samples) in [("first frame of the list", first), ("the list, shown again", again)] {
      report.add(
        Measurement(
          caseName: "vault-open",
          name: name,
          ours: samples.median,
          peer: nil,
          peerName: nil,
          unit: "ms",
          budget: .oursAtMost(30),
          runs: samples.values.count
        )
      )
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
