import TermindTerminal
import Testing

@Suite("Basic screen") struct BasicScreenTests {
  @Test("text wraps at the edge and scrolls at the bottom")
  func wrapsAndScrolls() {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("abcdefgh\r\n12\r\n34\r\n56")
    #expect(test.screen == ["12", "34", "56"])
    #expect(test.everything == "abcdefgh\n12\n34\n56")
    #expect(test.terminal.scrollbackRows == 2)
  }

  @Test("the cursor stays on the last column until the next character")
  func pendingWrap() {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("abcde")
    #expect(test.cursor == CellPosition(row: 0, column: 4))
    test.feed("f")
    #expect(test.screen == ["abcde", "f", ""])
  }

  @Test("erasing, moving and the alternate screen")
  func erasing() {
    let test = TestTerminal()
    test.feed("hello\(csi)2D\(csi)K")
    #expect(test.screen[0] == "hel")
    test.feed("\(csi)?1049h\(csi)Halt")
    #expect(test.screen[0] == "alt")
    #expect(test.terminal.modes.isAlternateScreen)
    test.feed("\(csi)?1049l")
    #expect(test.screen[0] == "hel")
    #expect(test.cursor == CellPosition(row: 0, column: 3))
  }

  @Test("narrowing and widening again gives the same text")
  func resize() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("0123456789abcdef\r\nsecond\r\n$ ")
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 5))
    #expect(test.screen == ["f", "secon", "d", "$"])
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 10))
    #expect(test.screen == ["0123456789", "abcdef", "second", "$"])
    #expect(test.cursor == CellPosition(row: 3, column: 2))
  }
}
