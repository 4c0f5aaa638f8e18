import TermindTerminal
import Testing

/// Lines of double width and height: they hold half as many characters, drawn twice as wide.
@Suite("Line sizes") struct LineSizeTests {
  /// The drawn row: the scalars with their columns, blanks left out.
  private func drawn(_ test: TestTerminal, row: Int) -> String {
    var text = String.UnicodeScalarView()
    var next = 0
    for cell in test.cells(row: row) {
      #expect(cell.column == next)
      next = cell.column + cell.width
      text.append(cell.scalar == 0 ? " " : Unicode.Scalar(cell.scalar) ?? "?")
    }
    #expect(next == test.terminal.size.columns)
    return String(text)
  }

  @Test(
    "letters are drawn in their wide forms, other characters with a blank",
    arguments: [3, 4, 6]
  )
  func wideForms(kind: Int) {
    let test = TestTerminal(rows: 2, columns: 12)
    test.feed("\(esc)#\(kind)Ab ~é")
    #expect(drawn(test, row: 0) == "Ａｂ  ～é   ")
    #expect(test.screen[0] == "Ab ~é")
    #expect(test.cursor == CellPosition(row: 0, column: 10))
  }

  @Test("a wide character takes four columns")
  func wideCharacter() {
    let test = TestTerminal(rows: 1, columns: 8)
    test.feed("\(esc)#6漢x")
    #expect(drawn(test, row: 0) == "漢  ｘ  ")
  }

  @Test("drawn lines go on without gaps")
  func boxes() {
    let test = TestTerminal(rows: 1, columns: 12)
    test.feed("\(esc)#6\(esc)(0lqkx")
    #expect(drawn(test, row: 0) == "┌───┐ │     ")
  }

  @Test("text wraps in the middle of the screen")
  func wraps() {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed("\(esc)#6abcdefg")
    #expect(test.screen == ["abcde", "fg", ""])
    #expect(drawn(test, row: 1) == "fg        ")
  }

  static let cursors: [(String, String)] = [
    ("\(csi)1;9H", "␛[1;5R"), ("\(csi)99C", "␛[1;5R"), ("\(csi)2;9H\(csi)A", "␛[1;5R"),
    ("\(csi)2;9H\(esc)M", "␛[1;5R"), ("\t\t", "␛[1;5R"), ("\(csi)9G", "␛[1;5R"),
    ("\(csi)2;9H", "␛[2;9R"), ("\(csi)2;9H\(csi)d", "␛[1;5R"), ("\(csi)?7labcdefg", "␛[1;5R"),
    ("\(csi)2;9H\(esc)7\(csi)H\(esc)8", "␛[2;9R"),
    ("\(esc)9\(esc)9\(esc)9\(esc)9\(esc)9", "␛[1;5R"),
  ]

  @Test("the cursor stays on its half", arguments: cursors.indices)
  func cursorStays(index: Int) {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed("\(esc)#6\(Self.cursors[index].0)\(csi)6n")
    #expect(test.replies() == Self.cursors[index].1)
  }

  @Test("making a line double moves the cursor onto it, making it single shows everything again")
  func single() {
    let test = TestTerminal(rows: 1, columns: 10)
    test.feed("0123456789\(esc)#6\(csi)6n")
    #expect(test.replies() == "␛[1;5R")
    #expect(drawn(test, row: 0) == "０１２３４")
    test.feed("\(esc)#5")
    #expect(drawn(test, row: 0) == "0123456789")
  }

  @Test(
    "the size goes with the line, and with an erased line",
    arguments: [
      ("\(csi)L", [false, true, false]), ("\(csi)2J", [false, false, false]),
      ("\(csi)K", [true, false, false]), ("\(csi)3;1H\n", [false, false, false]),
      ("\(csi)?69h", [false, false, false]), ("\(esc)c", [false, false, false]),
      ("\(csi)?69h\(esc)#6\(csi)?69l", [false, false, false]), ("\(csi)T", [false, true, false]),
    ]
  )
  func moves(text: String, isDouble: [Bool]) {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed("\(esc)#6\(text)\(csi)HA\(csi)2;1HA\(csi)3;1HA")
    #expect((0..<3).map { test.cells(row: $0)[0].width == 2 } == isDouble)
  }

  @Test("the other screen has sizes of its own, and a change of the size makes lines single")
  func screens() {
    let test = TestTerminal(rows: 2, columns: 10)
    test.feed("A\(esc)#6\(csi)?1049hA")
    #expect(test.cells(row: 0)[0].width == 1)
    test.feed("\(csi)?1049l")
    #expect(test.cells(row: 0)[0].width == 2)
    test.terminal.resize(to: TerminalSize(rows: 2, columns: 12))
    #expect(test.cells(row: 0)[0].width == 1)
    #expect(test.screen[0] == "A")
  }

  @Test("a screen of one column does not trap the cursor")
  func narrow() {
    let test = TestTerminal(rows: 2, columns: 1)
    test.feed("\(esc)#6ab漢c")
    #expect(test.cells(row: 0).count == 1)
  }
}
