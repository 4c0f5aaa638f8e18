import TermindTerminal
import Testing

@Suite("Cursor movement") struct MovementTests {
  /// Sequence, start (1-based row and column), end (1-based), on a screen of 8 rows and 20 columns.
  static let moves: [(String, (Int, Int), (Int, Int))] = [
    ("A", (3, 4), (2, 4)), ("0A", (3, 4), (2, 4)), ("99A", (3, 4), (1, 4)),
    ("2B", (3, 4), (5, 4)), ("99B", (3, 4), (8, 4)), ("3C", (3, 4), (3, 7)),
    ("99C", (3, 4), (3, 20)), ("2D", (3, 4), (3, 2)), ("99D", (3, 4), (3, 1)),
    ("2E", (3, 4), (5, 1)), ("2F", (3, 4), (1, 1)), ("7G", (3, 4), (3, 7)), ("7`", (3, 4), (3, 7)),
    ("99`", (3, 4), (3, 20)), ("5a", (3, 4), (3, 9)), ("99a", (3, 4), (3, 20)),
    ("6d", (3, 4), (6, 4)),
    ("99d", (3, 4), (8, 4)), ("2e", (3, 4), (5, 4)), ("99e", (3, 4), (8, 4)), ("H", (3, 4), (1, 1)),
    ("5;6H", (3, 4), (5, 6)), ("5;6f", (3, 4), (5, 6)), ("0;0H", (3, 4), (1, 1)),
    ("99;99H", (3, 4), (8, 20)), ("99999999999;1H", (3, 4), (8, 1)), ("I", (3, 4), (3, 9)),
    ("2I", (3, 4), (3, 17)), ("9I", (3, 4), (3, 20)), ("Z", (3, 12), (3, 9)),
    ("9Z", (3, 12), (3, 1)),
  ]

  @Test("every movement ends where xterm's does", arguments: moves.indices)
  func move(index: Int) {
    let (sequence, start, end) = Self.moves[index]
    let test = TestTerminal(rows: 8, columns: 20)
    test.feed("\(csi)\(start.0);\(start.1)H\(csi)\(sequence)")
    #expect(test.cursor == CellPosition(row: end.0 - 1, column: end.1 - 1), "\(sequence)")
  }

  @Test("vertical movement stops at the margins when it starts inside them")
  func verticalMargins() {
    let test = TestTerminal(rows: 8, columns: 20)
    test.feed("\(csi)3;6r\(csi)4;1H\(csi)99A")
    #expect(test.cursor.row == 2)
    test.feed("\(csi)99B")
    #expect(test.cursor.row == 5)
    test.feed("\(csi)8;1H\(csi)1B")
    #expect(test.cursor.row == 7)
    test.feed("\(csi)1;1H\(csi)A")
    #expect(test.cursor.row == 0)
    test.feed("\(csi)2;1H\(csi)99B")
    #expect(test.cursor.row == 5)
  }

  @Test("horizontal movement stops at the margins when it starts inside them")
  func horizontalMargins() {
    let test = TestTerminal(rows: 8, columns: 20)
    test.feed("\(csi)?69h\(csi)5;10s\(csi)1;7H\(csi)99D")
    #expect(test.cursor.column == 4)
    test.feed("\(csi)99C")
    #expect(test.cursor.column == 9)
    test.feed("\(csi)1;15H\(csi)99C")
    #expect(test.cursor.column == 19)
    test.feed("\(csi)1;2H\(csi)99D")
    #expect(test.cursor.column == 0)
  }

  @Test("origin mode counts from the margins and stays inside them")
  func originMode() {
    let test = TestTerminal(rows: 8, columns: 20)
    test.feed("\(csi)?69h\(csi)5;10s\(csi)3;6r\(csi)?6h")
    #expect(test.cursor == CellPosition(row: 2, column: 4))
    test.feed("\(csi)2;2H")
    #expect(test.cursor == CellPosition(row: 3, column: 5))
    test.feed("\(csi)99;99H")
    #expect(test.cursor == CellPosition(row: 5, column: 9))
    test.feed("\(csi)6n")
    #expect(test.replies() == "␛[4;6R")
    test.feed("\(csi)?6l")
    #expect(test.cursor == CellPosition(row: 0, column: 0))
  }

  @Test("a carriage return goes to the left margin, or to the edge from left of it")
  func carriageReturn() {
    let test = TestTerminal(rows: 8, columns: 20)
    test.feed("\(csi)?69h\(csi)5;10s\(csi)1;7H\r")
    #expect(test.cursor.column == 4)
    test.feed("\(csi)1;3H\r")
    #expect(test.cursor.column == 0)
    test.feed("\(csi)1;15H\r")
    #expect(test.cursor.column == 4)
  }

  @Test("text wraps inside the left and right margins")
  func wrapInMargins() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("\(csi)?69h\(csi)3;6s\(csi)1;3Habcdefgh")
    #expect(test.screen == ["  abcd", "  efgh", "", ""])
  }

  @Test("a backspace clears the pending wrap and moves from the last column")
  func backspaceAtPendingWrap() {
    let test = TestTerminal(rows: 2, columns: 5)
    test.feed("abcde\u{08}X")
    #expect(test.screen == ["abcXe", ""])
  }

  @Test("reverse wrap goes back over soft-wrapped rows only, its extension over all")
  func reverseWrap() {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("\(csi)?45habcdefg\u{08}\u{08}\u{08}")
    #expect(test.cursor == CellPosition(row: 0, column: 4))
    test.feed("\(csi)2J\(csi)2;1H\u{08}")
    #expect(test.cursor == CellPosition(row: 1, column: 0))
    test.feed("\(csi)?1045h\u{08}")
    #expect(test.cursor == CellPosition(row: 0, column: 4))
    test.feed("\(csi)1;1H\u{08}")
    #expect(test.cursor == CellPosition(row: 2, column: 4))
  }

  @Test("tab stops are set, cleared and reset; without one the edge or the margin stops the tab")
  func tabs() {
    let test = TestTerminal(rows: 2, columns: 30)
    test.feed("\(csi)1;4H\(esc)H\r\t")
    #expect(test.cursor.column == 3)
    test.feed("\(csi)g\r\t")
    #expect(test.cursor.column == 8)
    test.feed("\(csi)3g\r\t")
    #expect(test.cursor.column == 29)
    test.feed("\(csi)?69h\(csi)1;12s\(csi)1;1H\t")
    #expect(test.cursor.column == 11)
    test.feed("\(csi)?69l\(csi)?5W\r\t")
    #expect(test.cursor.column == 8)
  }

  @Test("save and restore keep place, origin mode, style, character sets and pending wrap")
  func saveRestore() {
    let test = TestTerminal(rows: 4, columns: 5)
    test.feed("\(csi)1;31m\(esc)(0abcde\(esc)7\(csi)0m\(esc)(B\(csi)3;1H\(esc)8q")
    #expect(test.screen[0] == "▒␉␌␍␊")
    #expect(test.screen[1] == "─")
    #expect(test.style(row: 1, column: 0).foreground == .indexed(1))
    #expect(test.style(row: 1, column: 0).attributes == .bold)
  }

  @Test("restoring without a save goes home with everything reset")
  func restoreWithoutSave() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("\(csi)3;3H\(csi)1m\(esc)8x")
    #expect(test.cursor == CellPosition(row: 0, column: 1))
    #expect(test.style(row: 0, column: 0).attributes == [])
  }

  @Test("each screen has a saved cursor of its own")
  func savedPerScreen() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("\(csi)2;2H\(esc)7\(csi)?47h\(csi)4;4H\(esc)7\(csi)1;1H\(csi)?47l\(esc)8")
    #expect(test.cursor == CellPosition(row: 1, column: 1))
    test.feed("\(csi)?47h\(esc)8")
    #expect(test.cursor == CellPosition(row: 3, column: 3))
  }

  @Test("index, next line and reverse index scroll at the margins")
  func indexing() {
    let test = TestTerminal(rows: 4, columns: 5)
    test.feed("a\r\nb\r\nc\r\nd\(csi)2;3r\(csi)3;1H\(esc)D")
    #expect(test.screen == ["a", "c", "", "d"])
    test.feed("\(csi)2;1H\(esc)M")
    #expect(test.screen == ["a", "", "c", "d"])
    test.feed("\(csi)2;3H\(esc)E")
    #expect(test.cursor == CellPosition(row: 2, column: 0))
  }

  @Test("back index and forward index move the columns at the margins")
  func columnIndexing() {
    let test = TestTerminal(rows: 2, columns: 6)
    test.feed("abcdef\r\nghijkl\(csi)1;1H\(esc)6")
    #expect(test.screen == [" abcde", " ghijk"])
    test.feed("\(csi)1;6H\(esc)9")
    #expect(test.screen == ["abcde", "ghijk"])
  }
}
