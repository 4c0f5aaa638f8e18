import TermindTerminal
import Testing

/// Random input of a terminal's grammar: mostly well-formed sequences with odd numbers, and rubbish.
struct RandomOutput {
  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func bytes(pieces: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<pieces { append(to: &bytes) }
    return bytes
  }

  private static let texts = [
    "hello", "漢字", "e\u{301}", "👍🏽", "🇩🇪", "👨\u{200D}👩\u{200D}👧", "\u{26A0}\u{FE0F}", "x", "\r\n",
    "\n", "\t",
    "\u{08}", "\u{200D}", "\u{301}", "a long run of plain text that wraps somewhere", "\u{85}",
    "가각", " ", "Ж─é", "か\u{3099}な", "\u{1100}가", "\u{600}字\u{600}a", "😀漢a😀\u{200D}🚀", "\u{AD}ｱＡ",
    "क्षि漢", "𠀀漢",
  ]

  private mutating func append(to bytes: inout [UInt8]) {
    switch number(0...11) {
    case 0...3: bytes += (Self.texts.randomElement(using: &random) ?? "").utf8
    case 4...7: appendControlSequence(to: &bytes)
    case 8: appendMode(to: &bytes)
    case 9: appendString(to: &bytes)
    case 10: appendEscape(to: &bytes)
    default: for _ in 0..<number(1...6) { bytes.append(UInt8(number(0...255))) }
    }
  }

  private mutating func parameter() -> String {
    switch number(0...9) {
    case 0: ""
    case 1: "0"
    case 2: "\(number(0...999_999_999_999))"
    case 3: "\(number(0...300)):\(number(0...5))::\(number(0...255))"
    default: "\(number(1...12))"
    }
  }

  private mutating func appendControlSequence(to bytes: inout [UInt8]) {
    bytes += number(0...20) == 0 ? [0xC2, 0x9B] : [0x1B, 0x5B]
    if number(0...5) == 0 { bytes.append(UInt8(number(0x3C...0x3F))) }
    let count = number(0...20) == 0 ? number(15...40) : number(0...6)
    for index in 0..<count { bytes += ((index > 0 ? ";" : "") + parameter()).utf8 }
    if number(0...4) == 0 {
      bytes += [Array(" !\"#$'*".utf8).randomElement(using: &random) ?? 0x20]
    }
    bytes.append(UInt8(number(0x40...0x7E)))
  }

  private mutating func appendMode(to bytes: inout [UInt8]) {
    let modes = [
      "?6", "?7", "?45", "?69", "?47", "?1047", "?1048", "?1049", "?1045", "?2027", "?3", "?40",
      "4", "20", "?95",
    ]
    let mode = modes.randomElement(using: &random) ?? "4"
    bytes += "\u{1B}[\(mode)\(number(0...2) == 0 ? "l" : "h")".utf8
    if number(0...1) == 0 {
      bytes += "\u{1B}[\(number(1...6));\(number(1...12))\(number(0...1) == 0 ? "r" : "s")".utf8
    }
  }

  private mutating func appendString(to bytes: inout [UInt8]) {
    let strings = [
      "]2;title", "]8;;http://x", "]8;;", "]52;c;aGk=", "]4;1;?", "]10;#fff;?", "]104", "]133;A",
      "]7;file:///x%20",
      "P$qm", "P+q544E", "P1$t1;1;1;@;@;@;0;2;@;BBBB", "P2$t1/5/9", "_apc", "^pm", "Xsos",
      "]9;4;1;3", "]99;;x",
    ]
    bytes += "\u{1B}\(strings.randomElement(using: &random) ?? "")".utf8
    switch number(0...4) {
    case 0: bytes.append(0x07)
    case 1: break
    case 2: bytes += [0xC2, 0x9C]
    default: bytes += [0x1B, 0x5C]
    }
  }

  private mutating func appendEscape(to bytes: inout [UInt8]) {
    let sequences = [
      "7", "8", "D", "E", "M", "H", "6", "9", "#8", "(0", "(B", ")A", "N", "O", "n", "o", "=", ">",
      "V", "W", "c",
      "%G", " F", " G", "#3", "#4", "#5", "#6", "\u{18}", "\u{1B}", "$(B",
    ]
    bytes += "\u{1B}\(sequences.randomElement(using: &random) ?? "")".utf8
  }
}

@Suite("Random input") struct FuzzTests {
  /// Everything that can be seen or heard of a terminal.
  private func observed(_ terminal: Terminal) -> [String] {
    var lines = [terminal.captureText(includingScrollback: true)]
    lines.append(String(decoding: terminal.captureANSI(includingScrollback: true), as: UTF8.self))
    lines.append("\(terminal.cursor) \(terminal.modes) \(terminal.title)")
    lines.append(String(decoding: terminal.takeReplies(), as: UTF8.self))
    lines.append("\(terminal.takeEvents())")
    return lines
  }

  @Test("any SGR gives the same style whole and cut after each byte", arguments: 0..<40)
  func renditions(seed: Int) {
    var output = RandomOutput(seed: UInt64(seed) + 5_000)
    let codes = [
      "", "0", "1", "4", "7", "22", "24", "31", "38", "48", "58", "5", "2", "255", "256", "97",
      "104", "39", "99999999", "999999999", "000000031", "00000031",
    ]
    for round in 0..<60 {
      var sequence = "\u{1B}["
      // At most 16 numbers are taken on the quick way.
      for index in 0..<output.number(round % 6 == 0 ? 14...18 : 0...12) {
        if index > 0 { sequence += output.number(0...9) == 0 ? ":" : ";" }
        sequence += codes[output.number(0...codes.count - 1)]
      }
      let bytes = Array("\u{1B}[3;92;45m\(sequence)mx".utf8)
      let whole = TestTerminal(rows: 1, columns: 2)
      whole.terminal.feed(bytes)
      let cut = TestTerminal(rows: 1, columns: 2)
      for byte in bytes { cut.terminal.feed([byte]) }
      #expect(whole.style(row: 0, column: 0) == cut.style(row: 0, column: 0), "\(sequence)")
    }
  }

  @Test("input cut anywhere gives the same screen, replies and events", arguments: 0..<60)
  func randomSplits(seed: Int) {
    var output = RandomOutput(seed: UInt64(seed) + 100)
    let bytes = output.bytes(pieces: 150)
    let whole = Terminal(size: TerminalSize(rows: 6, columns: 17))
    whole.feed(bytes)
    let expected = observed(whole)
    for most in [1, 3, 40] {
      let parts = Terminal(size: TerminalSize(rows: 6, columns: 17))
      var place = 0
      while place < bytes.count {
        let end = min(place + output.number(1...most), bytes.count)
        parts.feed(Array(bytes[place..<end]))
        place = end
      }
      #expect(observed(parts) == expected, "seed \(seed), pieces of at most \(most)")
    }
  }

  @Test("text of every kind gives the same screen whole and cut anywhere", arguments: 0..<40)
  func textSplits(seed: Int) {
    var output = RandomOutput(seed: UInt64(seed) + 20_000)
    let pieces: [[UInt8]] =
      [
        "漢", "字", "か", "\u{3099}", "가", "\u{1100}", "\u{1161}", "\u{11A8}", "ab", " ", "é", "Ж",
        "─", "e\u{301}",
        "😀", "👍", "\u{1F3FD}", "\u{200D}", "\u{FE0F}", "\u{FE0E}", "⌚", "⚠", "🇩", "🇪", "\u{600}",
        "\u{AD}",
        "क", "\u{94D}", "𠀀", "\u{10FFFF}", "\r\n", "\n", "\u{1B}[31m", "\u{1B}[0m",
        "\u{1B}[4;48;2;1;2;3m",
        "\u{1B}[2G", "\u{1B}[?2027l", "\u{1B}[?2027h", "\u{1B}[?7l", "\u{1B}[?7h",
      ].map { Array($0.utf8) } + [
        [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xC0, 0xAF],
        [0xE4, 0xB8],
        [0xF0, 0x9F], [0xF4, 0x90, 0x80, 0x80], [0xBC], [0xFF], [0xC1, 0x81],
      ]
    var bytes: [UInt8] = []
    for _ in 0..<400 { bytes += pieces[output.number(0...pieces.count - 1)] }
    let size = TerminalSize(rows: output.number(1...4), columns: output.number(1...12))
    let whole = Terminal(size: size)
    whole.feed(bytes)
    let expected = observed(whole)
    for most in [1, 2, 5] {
      let parts = Terminal(size: size)
      var place = 0
      while place < bytes.count {
        let end = min(place + output.number(1...most), bytes.count)
        parts.feed(Array(bytes[place..<end]))
        place = end
      }
      #expect(observed(parts) == expected, "seed \(seed), pieces of at most \(most)")
    }
  }

  @Test("no input crashes, hangs or breaks the grid, whatever the size does", arguments: 0..<40)
  func randomGrammar(seed: Int) {
    var output = RandomOutput(seed: UInt64(seed) + 9_000)
    let terminal = Terminal(
      size: TerminalSize(rows: 5, columns: 20),
      configuration: TerminalConfiguration(scrollbackLines: 50)
    )
    for _ in 0..<60 {
      terminal.feed(output.bytes(pieces: 30))
      if output.number(0...5) == 0 {
        terminal.resize(
          to: TerminalSize(rows: output.number(1...12), columns: output.number(1...30))
        )
      }
      if output.number(0...20) == 0 { terminal.resetProgramModes() }
      checkGrid(terminal, "seed \(seed)")
    }
    _ = terminal.takeReplies()
  }

  /// Every row is covered by whole cells, and the cursor is on the screen.
  private func checkGrid(_ terminal: Terminal, _ comment: Comment) {
    let size = terminal.size
    let cursor = terminal.cursor.position
    #expect((0..<size.rows).contains(cursor.row), comment)
    #expect((0..<size.columns).contains(cursor.column), comment)
    for back in [0, 3, 40] {
      for row in 0..<size.rows {
        var column = 0
        var isWhole = true
        terminal.visitRow(row, scrolledBack: back) { cell in
          if cell.column != column || cell.width < 1 || cell.width > 2 { isWhole = false }
          column += cell.width
        }
        #expect(isWhole && column == size.columns, comment)
      }
    }
  }

  @Test("pure rubbish is harmless", arguments: 0..<20)
  func rubbish(seed: Int) {
    var output = RandomOutput(seed: UInt64(seed) + 77)
    let terminal = Terminal(size: TerminalSize(rows: 5, columns: 20))
    for _ in 0..<20 {
      terminal.feed((0..<500).map { _ in UInt8(output.number(0...255)) })
      checkGrid(terminal, "seed \(seed)")
    }
  }
}
