import TermindTerminal
import Testing

@Suite("Reflow") struct ReflowTests {
  @Test("narrowing and widening again loses nothing", arguments: [1, 2, 3, 7, 19, 40])
  func roundTrip(width: Int) {
    let test = TestTerminal(rows: 6, columns: 20)
    for line in 0..<12 { test.feed("line \(line): 漢字 and e\u{301} text that is long, 🇩🇪👍🏽 end\r\n") }
    test.feed("$ typed")
    let before = test.everything
    test.terminal.resize(to: TerminalSize(rows: 6, columns: width))
    #expect(test.everything == before)
    test.terminal.resize(to: TerminalSize(rows: 6, columns: 20))
    #expect(test.everything == before)
    #expect(test.terminal.text(row: 5) == "$ typed")
    #expect(test.cursor == CellPosition(row: 5, column: 7))
  }

  @Test("a pane that was one column wide gets its wide characters back")
  func oneColumn() {
    let test = TestTerminal(rows: 3, columns: 6)
    test.feed("漢字ab")
    test.terminal.resize(to: TerminalSize(rows: 3, columns: 1))
    test.terminal.resize(to: TerminalSize(rows: 3, columns: 6))
    #expect(test.screen == ["漢字ab", "", ""])
  }

  @Test("the cursor stays on its text")
  func cursor() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("0123456789abcdef\(csi)4D")
    #expect(test.cursor == CellPosition(row: 1, column: 2))
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 8))
    test.feed("X")
    #expect(test.everything == "0123456789abXdef")
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 20))
    #expect(test.cursor == CellPosition(row: 0, column: 13))
  }

  @Test("the pending wrap survives")
  func pendingWrap() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("0123456789")
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 5))
    #expect(test.cursor == CellPosition(row: 1, column: 4))
    test.feed("X")
    #expect(test.everything == "0123456789X")
    test.feed("\u{08}")
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 10))
    #expect(test.screen[0] == "0123456789")
  }

  @Test("the saved cursor is on its text too, with the alternate screen between")
  func savedCursor() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("0123456789abcd\(esc)7\r\nrest\(csi)?1049h")
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 5))
    #expect(test.screen == ["", "", "", ""])
    test.feed("\(csi)?1049l")
    #expect(test.everything == "0123456789abcd\nrest")
    let plain = TestTerminal(rows: 4, columns: 10)
    plain.feed("0123456789abcd\(esc)7\r\nrest")
    plain.terminal.resize(to: TerminalSize(rows: 4, columns: 8))
    plain.feed("\(esc)8X")
    #expect(plain.everything == "0123456789abcdX\nrest")
  }

  @Test("rows come back from the scrollback when the screen grows, if it was full")
  func heights() {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("1\r\n2\r\n3\r\n4\r\n5")
    test.terminal.resize(to: TerminalSize(rows: 2, columns: 5))
    #expect(test.screen == ["4", "5"])
    #expect(test.cursor.row == 1)
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 5))
    #expect(test.screen == ["2", "3", "4", "5"])
    #expect(test.cursor.row == 3)
    test.feed("\(csi)2J\(csi)H$")
    test.terminal.resize(to: TerminalSize(rows: 6, columns: 5))
    #expect(test.screen == ["$", "", "", "", "", ""])
  }

  @Test("shrinking takes blank rows below the cursor first")
  func blankRows() {
    let test = TestTerminal(rows: 5, columns: 5)
    test.feed("1\r\n2")
    test.terminal.resize(to: TerminalSize(rows: 3, columns: 5))
    #expect(test.screen == ["1", "2", ""])
    #expect(test.terminal.scrollbackRows == 0)
  }

  @Test("an old scroll region larger than the new height is harmless")
  func oldRegion() {
    let test = TestTerminal(rows: 10, columns: 5)
    test.feed("\(csi)3;9r")
    test.terminal.resize(to: TerminalSize(rows: 2, columns: 5))
    test.feed("\(csi)99;1H\n\n\(csi)5Sx")
    #expect(test.cursor.row == 1)
  }

  @Test("sizes of nothing are clamped")
  func nothing() {
    let test = TestTerminal()
    test.terminal.resize(to: TerminalSize(rows: 0, columns: 0))
    test.feed("ab漢\r\n\(csi)2J\(csi)?69h\(csi)1;1s\(csi)5L\(csi)9P🇩🇪")
    #expect(test.terminal.size == TerminalSize(rows: 1, columns: 1))
  }

  @Test("random resizes keep all text")
  func randomResizes() {
    var random = SeededRandom(seed: 7)
    let test = TestTerminal(rows: 8, columns: 30)
    var expected: [String] = []
    for line in 0..<40 {
      let words = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        ["word", "漢字", "é", "x", "a longer one"].randomElement(using: &random) ?? ""
      }
      expected.append("\(line)" + words.joined(separator: "-"))
    }
    for (number, line) in expected.enumerated() {
      test.feed(line + (number == expected.count - 1 ? "" : "\r\n"))
      if number % 3 == 0 {
        test.terminal.resize(
          to: TerminalSize(
            rows: Int.random(in: 1...12, using: &random),
            columns: Int.random(in: 1...40, using: &random)
          )
        )
      }
      let lines = test.everything.split(separator: "\n", omittingEmptySubsequences: false)
      let wrong = zip(lines, expected).first { $0 != $1 }
      #expect(wrong == nil, "after \(number)")
      #expect(lines.count == number + 1, "after \(number)")
    }
  }

  @Test("scrollback is wrapped anew when shown")
  func scrollbackView() {
    let test = TestTerminal(rows: 2, columns: 10)
    test.feed("0123456789abcde\r\n漢字漢字漢\r\nx\r\ny")
    #expect(test.terminal.scrollbackRows == 3)
    test.terminal.resize(to: TerminalSize(rows: 2, columns: 5))
    #expect(test.terminal.scrollbackRows >= 5)
    let shown = (1...6).reversed().map { test.terminal.text(row: 0, scrolledBack: $0) }
    #expect(shown == ["01234", "56789", "abcde", "漢字", "漢字", "漢"])
    #expect(test.terminal.scrollbackRows == 6)
    test.terminal.resize(to: TerminalSize(rows: 2, columns: 30))
    #expect(test.terminal.text(row: 0, scrolledBack: 2) == "0123456789abcde")
  }
}

/// A random source that gives the same numbers each time.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
