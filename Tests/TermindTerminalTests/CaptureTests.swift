import TermindTerminal
import Testing

/// `captureANSI` is a picture: printed again, it gives the same cells.
@Suite("Captures with styles") struct CaptureTests {
  /// A cell as a person sees it.
  private struct Look: Equatable {
    var column: Int
    var width: Int
    var text: String
    var style: TerminalStyle
  }

  private func looks(_ terminal: Terminal, row: Int, scrolledBack: Int = 0) -> [Look] {
    var looks: [Look] = []
    terminal.visitRow(row, scrolledBack: scrolledBack) { cell in
      var text = cell.isCluster ? terminal.clusterText(cell) : " "
      if !cell.isCluster, cell.scalar != 0, let scalar = Unicode.Scalar(cell.scalar) {
        text = String(Character(scalar))
      }
      looks.append(
        Look(
          column: cell.column,
          width: cell.width,
          text: text,
          style: terminal.style(cell.styleIndex)
        )
      )
    }
    return looks
  }

  /// Prints a capture into a new terminal, as `cat` would on a tty.
  private func printed(_ capture: [UInt8], rows: Int, columns: Int) -> Terminal {
    let terminal = Terminal(size: TerminalSize(rows: rows, columns: columns))
    var bytes: [UInt8] = []
    // The last line's end would scroll the screen.
    for byte in capture.last == 0x0A ? capture.dropLast() : capture[...] {
      if byte == 0x0A { bytes.append(0x0D) }
      bytes.append(byte)
    }
    terminal.feed(bytes)
    return terminal
  }

  private func expectSameScreen(_ source: Terminal, _ name: String = "") {
    let (rows, columns) = (source.size.rows, source.size.columns)
    let capture = source.captureANSI(includingScrollback: false)
    let replay = printed(capture, rows: rows, columns: columns)
    for row in 0..<rows {
      let (wanted, found) = (looks(source, row: row), looks(replay, row: row))
      guard wanted == found else {
        Issue.record("\(name) row \(row): \(wanted) became \(found)")
        return
      }
    }
  }

  @Test(
    "text and style of each kind come back",
    arguments: [
      "plain", "\(csi)1;2;3;4;5;7;8;9;53mall\(csi)m plain", "\(csi)21mdouble\(csi)24m none",
      "\(csi)4:3mcurly\(csi)4:4mdotted\(csi)4:5mdashed\(csi)m",
      "\(csi)4;58:2::9:8:7mrgb\(csi)58:5:32mindexed\(csi)59mdefault",
      "\(csi)31;102mlow\(csi)38;5;200;48;5;17mindexed\(csi)38;2;1;2;3;48;2;4;5;6mrgb\(csi)39;49mnone",
      "\(csi)1mbold\(csi)22m not \(csi)3mitalic\(csi)23m not \(csi)7minverse\(csi)27m not",
      "\(osc)8;;https://example.org/\(st)link\(osc)8;;\(st) \(osc)8;id=x;https://b\(st)\(csi)1mb\(csi)m",
      "\u{4E16}\u{754C} e\u{301}o \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F466} \u{2601}\u{FE0F}",
      "\(csi)44m\(csi)2J\(csi)3;3Hmiddle\(csi)K", "\(csi)41mred to the end\(csi)K\(csi)m\r\nnext",
      "a\(csi)20Cb\(csi)2;30Hx", "abc\(csi)?5h", "\(esc)(0lqqk\(esc)(B\u{2603}",
    ]
  )
  func kinds(text: String) {
    let source = Terminal(size: TerminalSize(rows: 4, columns: 30))
    source.feed(Array(text.utf8))
    expectSameScreen(source)
  }

  @Test("a wide character that did not fit at a row's end leaves the same gap")
  func wrappedWide() {
    let source = Terminal(size: TerminalSize(rows: 4, columns: 7))
    source.feed(Array("\(csi)45m\u{4E16}\u{4E16}\u{4E16}\u{754C}\u{754C}\(csi)m.".utf8))
    expectSameScreen(source)
  }

  /// Texts whose clusters never join with what may come to stand beside them.
  private static let texts = [
    "plain", "x", " ", "\u{4E16}\u{754C}", "e\u{301}", "\u{1F44D}", "\u{2601}\u{FE0F}", "─é", "漢a",
    "a long run that wraps at the end of its row",
  ]

  private static let sequences = [
    "\r\n", "\(csi)K", "\(csi)1K", "\(csi)J", "\(csi)3X", "\(csi)2P", "\(csi)4@", "\(csi)L",
    "\(csi)m", "\(csi)M",
    "\(csi)7m", "\(csi)1;3m", "\(csi)2;53m", "\(csi)4:3;58:2::1:2:3m", "\(csi)21m", "\(csi)9;8m",
    "\(csi)24;27m",
    "\(csi)33;44m", "\(csi)38;5;99;103m", "\(csi)48;2;9;8;7m",
    "\(osc)8;;https://example.org/1\(st)",
    "\(osc)8;;https://example.org/2\(st)", "\(osc)8;;\(st)",
  ]

  @Test("random output comes back cell by cell", arguments: 0..<40)
  func random(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let source = Terminal(size: TerminalSize(rows: 12, columns: 37))
    for _ in 0..<8 {
      for _ in 0..<60 {
        var text = ""
        switch Int.random(in: 0...2, using: &random) {
        case 0: text = Self.texts.randomElement(using: &random) ?? ""
        case 1: text = Self.sequences.randomElement(using: &random) ?? ""
        default:
          let row = Int.random(in: 1...12, using: &random)
          text = "\(csi)\(row);\(Int.random(in: 1...37, using: &random))H"
        }
        source.feed(Array(text.utf8))
      }
      expectSameScreen(source, "seed \(seed)")
    }
  }

  @Test("the scrollback comes first, line for line")
  func scrollback() {
    let source = Terminal(size: TerminalSize(rows: 3, columns: 20))
    for number in 1...50 {
      source.feed(Array("\(csi)38;5;\(number)mline \(number)\(csi)m\u{4E16}\r\n".utf8))
    }
    let capture = source.captureANSI(includingScrollback: true)
    let replay = printed(capture, rows: 3, columns: 20)
    #expect(replay.scrollbackRows == source.scrollbackRows)
    for row in 0..<3 { #expect(looks(replay, row: row) == looks(source, row: row)) }
    for back in 1...source.scrollbackRows {
      #expect(
        looks(replay, row: 0, scrolledBack: back) == looks(source, row: 0, scrolledBack: back)
      )
    }
  }
}
