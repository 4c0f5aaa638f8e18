import TermindTerminal
import Testing

@Suite("Selected text") struct TextSelectionTests {
  private func select(
    _ test: TestTerminal,
    _ kind: TextSelection.Kind,
    _ from: (Int, Int),
    _ to: (Int, Int)
  ) -> String {
    let reader = TextReader(test.terminal)
    return test.terminal.text(
      of: TextSelection(
        kind,
        anchor: reader.place(of: CellPosition(row: from.0, column: from.1)),
        head: reader.place(of: CellPosition(row: to.0, column: to.1))
      )
    )
  }

  @Test("a soft-wrapped line is copied as one, also where a part is above the screen")
  func softWrap() {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("abcdefghijkl\r\nxy")
    #expect(select(test, .characters, (-1, 1), (2, 0)) == "bcdefghijkl\nx")
    #expect(select(test, .lines, (0, 1), (0, 1)) == "abcdefghijkl")
    #expect(select(test, .lines, (0, 1), (2, 0)) == "abcdefghijkl\nxy\n")
  }

  @Test("blanks at the ends of lines go, those inside stay; both ends may be given in any order")
  func trailingBlanks() {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed("a  b   \r\n  c   \r\nd")
    #expect(select(test, .characters, (0, 0), (2, 0)) == "a  b\n  c\nd")
    #expect(select(test, .characters, (2, 0), (0, 3)) == "b\n  c\nd")
    #expect(select(test, .characters, (0, 0), (0, 9)) == "a  b")
  }

  @Test("a rectangle takes the same columns of each row, wide characters as wholes")
  func rectangle() {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed("abcdef\r\n1漢字56\r\nx")
    #expect(select(test, .rectangle, (0, 2), (2, 3)) == "cd\n漢字\n")
    #expect(select(test, .rectangle, (1, 3), (0, 1)) == "bcd\n漢字")
  }

  @Test("wide characters and marks are copied whole from the scrollback")
  func wide() {
    let test = TestTerminal(rows: 1, columns: 10)
    test.feed("漢e\u{301}👍🏽 z\r\n")
    #expect(select(test, .characters, (-1, 1), (-1, 4)) == "漢e\u{301}👍🏽")
  }

  @Test("the marked cells are those that are copied")
  func marked() {
    let test = TestTerminal(rows: 3, columns: 6)
    test.feed("abcdefgh\r\nxyz")
    let reader = TextReader(test.terminal)
    let selection = TextSelection(
      .characters,
      anchor: reader.place(of: CellPosition(row: 0, column: 4)),
      head: reader.place(of: CellPosition(row: 1, column: 0))
    )
    let columns = (0..<3).map {
      test.terminal.columns(ofRow: $0, scrolledBack: 0, in: selection)
    }
    #expect(columns == [4..<6, 0..<1, 0..<0])
    #expect(test.terminal.text(of: selection) == "efg")
  }

  @Test("a selection stays on its text while output comes")
  func following() {
    let test = TestTerminal(rows: 2, columns: 10)
    test.feed("word one\r\nword two")
    let reader = TextReader(test.terminal)
    let selection = TextSelection(
      .characters,
      anchor: reader.place(of: CellPosition(row: 0, column: 5)),
      head: reader.place(of: CellPosition(row: 0, column: 7))
    )
    test.feed("\r\nmore\r\nand more")
    #expect(test.terminal.text(of: selection) == "one")
    #expect(test.terminal.columns(ofRow: 0, scrolledBack: 2, in: selection) == 5..<8)
  }

  @Test("prompts are found in both directions")
  func prompts() {
    let test = TestTerminal(rows: 3, columns: 10)
    for number in 0..<4 { test.feed("\(osc)133;A\(st)$ \(number)\r\nout\r\n") }
    #expect(test.terminal.prompt(from: 5, isForward: false) == 4)
    #expect(test.terminal.prompt(from: 4, isForward: false) == 2)
    #expect(test.terminal.prompt(from: 4, isForward: true) == 6)
    #expect(test.terminal.prompt(from: 6, isForward: true) == nil)
    #expect(test.terminal.prompt(from: 0, isForward: false) == nil)
  }
}
