import TermindInfrastructure
import TermindTerminal

/// Finding text in 100,000 lines of 200 columns: the engine alone, and from a key to the count on the screen.
enum FindCase {
  private static let lines = 100_000
  private static let columns = 200
  /// Lines between two that hold the word.
  private static let spacing = 5_000
  private static let word = "needle"
  private static let rounds = 5
  /// Wide enough that a pane beside a sidebar still holds a line.
  private static let terminalColumns = 260

  static func run(_ report: Report) throws {
    try PeerProgram.require([.tmux])
    measureEngine(report)
    let scratch = try ScratchFolder()
    let home = try scratch.makeFolder("home")
    let file = try scratch.write("lines", text)
    let program = ["/bin/sh", "-c", "cat \(file); echo fil''led; exec cat"]
    let ours = try measureOurs(program, scratch, home)
    let peer = try measureTmux(program, scratch, home)
    report.add(
      Measurement(
        caseName: "find",
        name: "key to count, against the first match alone, 100,000 lines",
        ours: ours.median,
        peer: peer.median,
        peerName: "tmux copy mode",
        unit: "ms",
        budget: .ratioAtMost(0.1),
        runs: rounds
      )
    )
  }

  private static var matches: Int { lines / spacing }

  /// Lines of words, some of which end with the word that is looked for.
  private static var text: [UInt8] {
    let plain = ParseInput.fullLines(lines, columns: columns - 1, isColoured: false)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(plain.count + lines)
    for (number, line) in plain.split(separator: 0x0A).enumerated() {
      var line = line.last == 0x0D ? line.dropLast() : line
      if number % spacing == spacing - 1 { line = line.dropLast(word.utf8.count) + word.utf8 }
      bytes += line
      bytes += [0x0D, 0x0A]
    }
    return bytes
  }

  /// Lines of wide characters, some of which end with a word of them.
  private static var wideText: [UInt8] {
    let letters = Array("日本語文字列検索行列端末画面表示接続失敗成功時間秒分記録開始終了設定変更中한국어서버연결").map {
      Array(String($0).utf8)
    }
    let length = (columns - 1) / 2
    var numbers = ParseInput.Numbers()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines * (length * 3 + 2))
    for number in 0..<lines {
      let hasWord = number % spacing == spacing - 1
      for _ in 0..<length - (hasWord ? wideWord.count : 0) {
        bytes += letters[numbers.next(letters.count)]
      }
      if hasWord { bytes += wideWord.utf8 }
      bytes += [0x0D, 0x0A]
    }
    return bytes
  }

  private static let wideWord = "針の穴"

  // MARK: The engine

  private static func terminal(with bytes: [UInt8]) -> Terminal {
    let terminal = Terminal(
      size: TerminalSize(rows: 50, columns: columns),
      configuration: TerminalConfiguration(scrollbackLines: lines)
    )
    terminal.feed(bytes)
    return terminal
  }

  private static func measureEngine(_ report: Report) {
    let plain = terminal(with: text)
    let wide = terminal(with: wideText)
    let digits = [UInt8]((0..<1_000_000).map { 0x30 + UInt8($0 % 10) })
    let long = terminal(with: digits + Array("\r\nhello world\r\n".utf8) + digits)
    let cases: [(name: String, Terminal, FindQuery, budget: Double?)] = [
      ("engine, plain text, all", plain, FindQuery(word), 50),
      ("engine, absent text, all", plain, FindQuery("absent-\(word)"), 50),
      ("engine, whole word, all", plain, FindQuery("port", isWholeWord: true), 50),
      ("engine, expression, all", plain, FindQuery("n[e]+dle", isRegex: true), nil),
      ("engine, CJK, all", wide, FindQuery(wideWord), 50),
      ("engine, CJK as an expression, all", wide, FindQuery("針.穴", isRegex: true), nil),
      ("engine, Cyrillic in either case, all", wide, FindQuery("привет"), nil),
      ("engine, lines of 1 MB", long, FindQuery("^hello", isRegex: true), 20),
    ]
    for (name, terminal, query, budget) in cases {
      var all = Samples()
      var first = Samples()
      for _ in 0..<rounds {
        guard let (whole, start) = measure(query, in: terminal) else { continue }
        all.add(whole.seconds * 1_000)
        if let start { first.add(start.seconds * 1_000) }
      }
      report.add(row(name, all, budget))
      if name.contains("plain") { report.add(row("engine, plain text, first", first, 10)) }
    }
  }

  private static func row(_ name: String, _ samples: Samples, _ budget: Double?) -> Measurement {
    Measurement(
      caseName: "find",
      name: name,
      ours: samples.median,
      peer: nil,
      peerName: nil,
      unit: "ms",
      budget: budget.map(Budget.oursAtMost),
      runs: rounds
    )
  }

  /// The time to all matches, and to the first that is told; nil for a pattern that is wrong.
  private static func measure(
    _ query: FindQuery,
    in terminal: Terminal
  ) -> (all: Duration, first: Duration?)? {
    let clock = ContinuousClock()
    let start = clock.now
    // The patterns above are all right.
    guard let finder = try? Finder(query) else { return nil }
    var first: Duration?
    let results = finder.search(
      terminal.findText(),
      progress: { partial in
        if first == nil, partial.count > 0 { first = clock.now - start }
      }
    )
    return results == nil ? nil : (clock.now - start, first)
  }

  // MARK: Key to count

  private static func measureOurs(
    _ program: [String],
    _ scratch: ScratchFolder,
    _ home: String
  ) throws -> Samples {
    let instance = try TermindInstance(scratch: scratch, home: home, name: "find")
    try instance.configure("scrollback-lines = \(lines)\n")
    let terminal = try instance.open(["run", "--"] + program, columns: terminalColumns)
    try terminal.wait(forText: "filled", seconds: 120)
    try terminal.settle()
    var samples = Samples()
    for _ in 0..<rounds {
      try terminal.type("\u{0}/")
      try terminal.wait(forText: " Find ")
      // The word of the last time is searched at once; without it nothing is counted yet.
      try terminal.type("\u{7F}")
      try terminal.wait(for: "an empty find bar") { screen in
        !screen.screenText().contains { $0.contains(" Find \(word)") }
      }
      try terminal.settle()
      // Pasted, as a part of the word alone would be found as often.
      let start = ContinuousClock.now
      try terminal.type("\u{1B}[200~\(word)\u{1B}[201~")
      let end = try terminal.wait(forText: "1/\(matches) ")
      samples.add((end - start).seconds * 1_000)
      // Escape, in the form of the keyboard protocol, which this terminal speaks.
      try terminal.type("\u{1B}[27u")
      try terminal.wait(for: "no find bar") { screen in
        !screen.screenText().contains { $0.contains(" Find ") }
      }
      try terminal.settle()
    }
    try instance.end()
    return samples
  }

  private static func measureTmux(
    _ program: [String],
    _ scratch: ScratchFolder,
    _ home: String
  ) throws -> Samples {
    let tmux = try TmuxServer(scratch: scratch, home: home)
    let terminal = try tmux.open(["new-session", "cat"], columns: terminalColumns)
    try terminal.settle()
    try tmux.command("set-option", "-g", "history-limit", "\(lines)")
    try tmux.command("set-option", "-g", "mode-keys", "vi")
    try tmux.command(
      "new-window",
      program.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    )
    try terminal.wait(forText: "filled", seconds: 120)
    try terminal.settle()
    var samples = Samples()
    for _ in 0..<rounds {
      try terminal.type("\u{2}[")
      try terminal.settle()
      // Keys that come together are a paste to tmux, and no command of copy mode.
      try terminal.type("?")
      try terminal.wait(forText: "(search up)")
      try terminal.settle()
      try terminal.type(word)
      try terminal.wait(forText: "(search up) \(word)")
      try terminal.settle()
      let start = ContinuousClock.now
      try terminal.type("\r")
      // So much text it does not count: it gives up after a fifth of a second and shows the nearest match.
      let end = try terminal.wait(for: "the cursor on a match", seconds: 60) { screen in
        let row = screen.text(row: screen.cursor.position.row)
        return row.contains(word) && !row.contains("(search up)")
      }
      samples.add((end - start).seconds * 1_000)
      try terminal.type("q")
      try terminal.settle()
    }
    try tmux.end()
    return samples
  }
}
