import TermindTerminal
import Testing

@Suite("Erasing and editing") struct EditingTests {
  /// Three full rows of 8 columns with the cursor in the middle.
  private func filled() -> TestTerminal {
    let test = TestTerminal(rows: 3, columns: 8)
    test.feed("abcdefgh\r\nijklmnop\r\nqrstuvwx\(csi)2;4H")
    return test
  }

  static let edits: [(String, [String])] = [
    ("J", ["abcdefgh", "ijk", ""]), ("1J", ["", "    mnop", "qrstuvwx"]), ("2J", ["", "", ""]),
    ("K", ["abcdefgh", "ijk", "qrstuvwx"]), ("1K", ["abcdefgh", "    mnop", "qrstuvwx"]),
    ("2K", ["abcdefgh", "", "qrstuvwx"]), ("2X", ["abcdefgh", "ijk  nop", "qrstuvwx"]),
    ("99X", ["abcdefgh", "ijk", "qrstuvwx"]), ("2@", ["abcdefgh", "ijk  lmn", "qrstuvwx"]),
    ("2P", ["abcdefgh", "ijknop", "qrstuvwx"]), ("99P", ["abcdefgh", "ijk", "qrstuvwx"]),
    ("L", ["abcdefgh", "", "ijklmnop"]), ("M", ["abcdefgh", "qrstuvwx", ""]),
    ("99M", ["abcdefgh", "", ""]), ("S", ["ijklmnop", "qrstuvwx", ""]),
    ("T", ["", "abcdefgh", "ijklmnop"]),
    ("^", ["", "abcdefgh", "ijklmnop"]), ("2'}", ["abc  def", "ijk  lmn", "qrs  tuv"]),
    ("2'~", ["abcfgh", "ijknop", "qrsvwx"]), ("2 @", ["cdefgh", "klmnop", "stuvwx"]),
    ("2 A", ["  abcdef", "  ijklmn", "  qrstuv"]),
  ]

  @Test("each editing function does as xterm's", arguments: edits.indices)
  func edit(index: Int) {
    let test = filled()
    test.feed("\(csi)\(Self.edits[index].0)")
    #expect(test.screen == Self.edits[index].1, "\(Self.edits[index].0)")
  }

  @Test("insert mode moves the rest of the row, replace mode does not")
  func insertMode() {
    let test = filled()
    test.feed("\(csi)4hXY")
    #expect(test.screen[1] == "ijkXYlmn")
    test.feed("\(csi)4lZ")
    #expect(test.screen[1] == "ijkXYZmn")
  }

  @Test("REP repeats the last character, and a huge count ends")
  func repeatCharacter() {
    let test = TestTerminal(rows: 2, columns: 8)
    test.feed("ab\(csi)3b")
    #expect(test.screen[0] == "abbbb")
    test.feed("b\(csi)2147483647b")
    #expect(test.screen == ["bbbbbbbb", "bbbbbb"])
  }

  static let between = [
    "\r", "\(csi)m", "\(csi)C", "\u{07}", "\(osc)2;x\(st)", "\(csi)0b", "\(esc)7",
  ]

  @Test("REP repeats only what stands right before it", arguments: between)
  func repeatNothing(between: String) {
    let test = TestTerminal(rows: 1, columns: 12)
    test.feed("ab\(between)\(csi)3b")
    #expect(!test.screen[0].contains("bbb"), "\(between.replacingEscapes())")
  }

  @Test("scrolling and inserting lines stays inside all four margins")
  func insideMargins() {
    let test = TestTerminal(rows: 4, columns: 6)
    test.feed("aaaaaa\r\nbbbbbb\r\ncccccc\r\ndddddd")
    test.feed("\(csi)?69h\(csi)2;4s\(csi)2;3r\(csi)S")
    #expect(test.screen == ["aaaaaa", "bcccbb", "c   cc", "dddddd"])
    test.feed("\(csi)T")
    #expect(test.screen == ["aaaaaa", "b   bb", "cccccc", "dddddd"])
    test.feed("\(csi)2;2H\(csi)M")
    #expect(test.screen == ["aaaaaa", "bcccbb", "c   cc", "dddddd"])
    test.feed("\(csi)1;1H\(csi)L")
    #expect(test.screen == ["aaaaaa", "bcccbb", "c   cc", "dddddd"])
  }

  @Test("erased cells take the background colour")
  func backgroundColorErase() {
    let test = TestTerminal(rows: 2, columns: 6)
    test.feed("abc\(csi)44;1;4m\(csi)1;2H\(csi)K")
    #expect(test.style(row: 0, column: 3) == TerminalStyle(background: .indexed(4)))
    test.feed("\(csi)2;1H\r\n")
    #expect(test.style(row: 1, column: 5).background == .indexed(4))
  }

  @Test("selective erase leaves protected cells, ordinary erase does not")
  func protection() {
    let test = TestTerminal(rows: 2, columns: 8)
    test.feed("ab\(csi)1\"qcd\(csi)0\"qef\(csi)1;1H\(csi)?K")
    #expect(test.screen[0] == "  cd")
    test.feed("\(csi)1;1Hxx\(csi)?2J")
    #expect(test.screen[0] == "  cd")
    test.feed("\(csi)2K")
    #expect(test.screen[0] == "")
  }

  @Test("erasing in display and line leaves what SPA protected, DECSERA and printing do not")
  func isoProtection() {
    let test = TestTerminal(rows: 2, columns: 8)
    test.feed("ab\(esc)Vcd\(esc)Wef\(csi)2J\(csi)1;1H\(csi)4X")
    #expect(test.screen[0] == "  cd")
    test.feed("\(csi)?2K\(csi)?2J\(csi)2K")
    #expect(test.screen[0] == "  cd")
    test.feed("\(csi)1;3Hx\(csi)1;4;1;4${")
    #expect(test.screen[0] == "  x")
  }

  @Test("DECALN fills the screen and resets the margins")
  func alignment() {
    let test = TestTerminal(rows: 2, columns: 3)
    test.feed("\(csi)2;2r\(esc)#8")
    #expect(test.screen == ["EEE", "EEE"])
    #expect(test.cursor == CellPosition(row: 0, column: 0))
  }

  @Test("a line feed outside the left and right margins does not scroll")
  func lineFeedOutside() {
    let test = TestTerminal(rows: 2, columns: 6)
    test.feed("aaaaaa\r\nbbbbbb\(csi)?69h\(csi)2;4s\(csi)2;6H\n")
    #expect(test.screen == ["aaaaaa", "bbbbbb"])
    test.feed("\(csi)2;3H\n")
    #expect(test.screen == ["abbbaa", "b   bb"])
  }
}
