import TermindDomain
import TermindPresentation
import TermindTerminal

/// A keystroke in Quick Open over 10,000 hosts: the list alone, and from the key to the frame.
enum QuickOpenCase {
  private static let count = 10_000
  private static let rounds = 5

  static func run(_ report: Report) throws {
    try runList(report)
    try runWindow(report)
  }

  private static func row(
    _ name: String,
    _ value: Double,
    _ budget: Budget?,
    _ runs: Int
  ) -> Measurement {
    Measurement(
      caseName: "quick-open",
      name: name,
      ours: value,
      peer: nil,
      peerName: nil,
      unit: "ms",
      budget: budget,
      runs: runs
    )
  }

  // MARK: The list

  /// What the server keeps prepared for Quick Open: the same texts, bonuses and scope.
  private static func items(_ hosts: [HostRecord]) -> [FilteredList.Item] {
    hosts.map { host in
      let words = [host.name, "\(host.endpoint)"] + host.tags
      return FilteredList.Item(
        words.joined(separator: " "),
        bonus: (host.lastUsed == nil ? 0 : 20) + (host.isPinned ? 25 : 0),
        scope: "@"
      )
    }
  }

  private static func list(_ items: [FilteredList.Item]) -> FilteredList {
    FilteredList(
      items + [FilteredList.Item("")],
      scopes: [FilterScope("@", "hosts"), FilterScope(">", "actions")],
      fallback: FilteredList.Fallback(place: items.count, scope: "@") { text in
        (try? ConnectCommand(line: text, isSavedHost: { _ in false })) != nil
      }
    )
  }

  private static func runList(_ report: Report) throws {
    let hosts = ManyHosts.batch(hosts: count).hosts
    var prepare = Samples()
    var open = Samples()
    var keys = Samples()
    var slowest: [String: Samples] = [:]
    for _ in 0..<rounds {
      try Interruption.check()
      var prepared: [FilteredList.Item] = []
      prepare.add(time { prepared = items(hosts) })
      var list = list([])
      open.add(time { list = Self.list(prepared) })
      for query in ManyHosts.queries {
        type(query, into: &list) { text, milliseconds in
          keys.add(milliseconds)
          slowest[text, default: Samples()].add(milliseconds)
        }
        list.apply(.clear)
      }
      guard list.matchCount == count else {
        throw BenchError.failed(step: "clear the field", diagnostic: "\(list.matchCount) match")
      }
    }
    // Of each text the median of its rounds: what interrupts one of them is not the list's.
    let worst = slowest.mapValues(\.median).max { $0.value < $1.value }
    report.add(row("key, list alone, p50", keys.median, .oursAtMost(4), keys.values.count))
    report.add(
      row(
        "key, list alone, worst: '\(worst?.key ?? "")'",
        worst?.value ?? .nan,
        .oursAtMost(4),
        keys.values.count
      )
    )
    report.add(row("prepare the hosts", prepare.median, nil, rounds))
    report.add(row("open the list", open.median, nil, rounds))
  }

  private static func type(
    _ query: String,
    into list: inout FilteredList,
    _ sample: (String, Double) -> Void
  ) {
    var typed = ""
    for character in query {
      typed.append(character)
      sample(typed, time { list.apply(.insert(String(character))) })
    }
  }

  /// Milliseconds of processor time: nothing waits.
  private static func time(_ body: () -> Void) -> Double {
    let start = ProcessorTime.now()
    body()
    return (ProcessorTime.now() - start).milliseconds
  }

  // MARK: The window

  private static func runWindow(_ report: Report) throws {
    let scratch = try ScratchFolder()
    let home = try scratch.makeFolder("home")
    let instance = try TermindInstance(scratch: scratch, home: home)
    try instance.save(ManyHosts.batch(hosts: count))
    let terminal = try instance.open([])
    try terminal.settle()
    var open = Samples()
    var keys = Samples()
    for _ in 0..<rounds {
      open.add(try openSheet(terminal))
      for query in ManyHosts.queries {
        try type(query, into: terminal, &keys)
        try terminal.type("\u{15}")
        try terminal.wait(for: "an empty field", until: isEmpty)
        try terminal.settle(milliseconds: 30)
      }
      // Escape, as a terminal sends it that tells it from the start of a sequence.
      try terminal.type("\u{1B}[27u")
      try terminal.wait(for: "the window without the list") { !isEmpty($0) }
      try terminal.settle()
    }
    report.add(row("key to frame, p50", keys.percentile(0.5), nil, keys.values.count))
    report.add(row("key to frame, p99", keys.percentile(0.99), nil, keys.values.count))
    report.add(row("leader p to frame", open.median, nil, rounds))
    try instance.end()
  }

  private static let placeholder = "a host, a pane, an action"

  private static func isEmpty(_ screen: Terminal) -> Bool {
    !screen.isSynchronizedUpdateActive
      && screen.text(row: screen.cursor.position.row).contains(placeholder)
  }

  private static func openSheet(_ terminal: DrivenTerminal) throws -> Double {
    try terminal.type("\u{0}")
    try terminal.settle()
    let start = ContinuousClock.now
    try terminal.type("p")
    let end = try terminal.wait(for: "Quick Open", until: isEmpty)
    try terminal.settle()
    return (end - start).milliseconds
  }

  /// Types a query key by key, each one's frame awaited; a key later than the frame before by a moment.
  private static func type(
    _ query: String,
    into terminal: DrivenTerminal,
    _ samples: inout Samples
  ) throws {
    var typed = ""
    for character in query {
      try terminal.settle(milliseconds: Int.random(in: 18..<30))
      typed.append(character)
      let start = ContinuousClock.now
      try terminal.type(String(character))
      let shown = "› \(typed)"
      let end = try terminal.wait(for: "'\(typed)' in the field", seconds: 10) { screen in
        !screen.isSynchronizedUpdateActive
          && screen.text(row: screen.cursor.position.row).contains(shown)
      }
      samples.add((end - start).milliseconds)
    }
  }
}
