import TermindTerminal
import Testing

@Suite("Scrollback") struct ScrollbackTests {
  @Test("the newest lines are kept, up to the limit")
  func limit() {
    let test = TestTerminal(
      rows: 2,
      columns: 10,
      configuration: TerminalConfiguration(scrollbackLines: 100)
    )
    for line in 0..<1_000 { test.feed("\(line)\r\n") }
    #expect(test.terminal.scrollbackRows == 100)
    #expect(test.terminal.text(row: 0, scrolledBack: 100) == "899")
    #expect(test.terminal.text(row: 0, scrolledBack: 101) == "")
    #expect(test.terminal.rowsScrolledOut == 999)
    test.terminal.setScrollbackLimit(10)
    #expect(test.terminal.scrollbackRows == 10)
    #expect(test.terminal.text(row: 0, scrolledBack: 10) == "989")
    test.terminal.setScrollbackLimit(0)
    test.feed("x\r\ny\r\n")
    #expect(test.terminal.scrollbackRows == 0)
  }

  @Test("lines that leave at the top of a partial region that begins at the top row are kept")
  func partialRegion() {
    let test = TestTerminal(rows: 4, columns: 5)
    test.feed("1\r\n2\r\n3\r\n4\(csi)1;3r\(csi)3;1H\n\nx")
    #expect(test.screen == ["3", "", "x", "4"])
    #expect(test.terminal.scrollbackText() == ["1", "2"])
  }

  @Test("other regions, and the alternate screen, keep nothing")
  func notKept() {
    let test = TestTerminal(rows: 4, columns: 5)
    test.feed(
      "1\r\n2\r\n3\r\n4\(csi)2;3r\(csi)3;1H\n\n\(csi)r\(csi)?1049h\(csi)4;1H\n\n\(csi)?1049l"
    )
    #expect(test.terminal.scrollbackRows == 0)
    test.feed("\(csi)?69h\(csi)2;3s\(csi)4;2H\n")
    #expect(test.terminal.scrollbackRows == 0)
  }

  @Test("ED 3 removes the scrollback and nothing else")
  func eraseScrollback() {
    let test = TestTerminal(rows: 2, columns: 5)
    test.feed("1\r\n2\r\n3\(csi)3J")
    #expect(test.terminal.scrollbackRows == 0)
    #expect(test.screen == ["2", "3"])
  }

  @Test("text, clusters and blanks come back as they were")
  func content() {
    let test = TestTerminal(rows: 1, columns: 20)
    test.feed("a\(csi)5Cb漢e\u{301}👍🏽 🇩🇪|\r\n")
    #expect(test.terminal.text(row: 0, scrolledBack: 1) == "a     b漢e\u{301}👍🏽 🇩🇪|")
    let cells = test.cells(row: 0, scrolledBack: 1)
    #expect(cells.map(\.width).reduce(0, +) == 20)
    #expect(cells.first { $0.scalar == 0x7C }?.column == 15)
  }

  @Test("a line of a million characters is kept, shown and wrapped anew")
  func hugeLine() {
    let test = TestTerminal(
      rows: 3,
      columns: 100,
      configuration: TerminalConfiguration(scrollbackLines: 20_000)
    )
    let digits = String(repeating: "0123456789", count: 1_000)
    for _ in 0..<100 { test.feed(digits) }
    test.feed("\r\nhello")
    #expect(test.terminal.scrollbackRows == 9_998)
    test.terminal.resize(to: TerminalSize(rows: 3, columns: 80))
    #expect(test.terminal.scrollbackRows >= 12_497)
    #expect(test.terminal.text(row: 0, scrolledBack: 12_000).count == 80)
    #expect(test.terminal.captureText(includingScrollback: true).utf8.count == 1_000_006)
  }

  @Test("soft-wrapped rows are told from others")
  func wrapBits() {
    let test = TestTerminal(rows: 3, columns: 4)
    test.feed("abcdef\r\nx")
    #expect(test.terminal.isWrapped(row: 0))
    #expect(!test.terminal.isWrapped(row: 1))
    test.feed("\r\n\n\n")
    #expect(test.terminal.isWrapped(row: 0, scrolledBack: 3))
    #expect(test.terminal.scrollbackText().first == "abcdef")
  }
}
