import TermindTerminal
import Testing

@Suite("Widths and clusters") struct WidthTests {
  @Test("overwriting one half of a wide character blanks the other")
  func halves() {
    let test = TestTerminal(rows: 1, columns: 8)
    test.feed("漢字\(csi)1;2Hx")
    #expect(test.screen == [" x字"])
    test.feed("\(csi)1;3Hy")
    #expect(test.screen == [" xy"])
    test.feed("\(csi)1;1H漢字\(csi)1;2H漢")
    #expect(test.screen == [" 漢"])
  }

  @Test("erasing and shifting never leave half a wide character")
  func shifting() {
    for sequence in ["K", "1K", "X", "@", "P", "2@", "2P", "'}", "'~"] {
      for column in 1...8 {
        let test = TestTerminal(rows: 1, columns: 8)
        test.feed("a漢字b漢\(csi)1;\(column)H\(csi)\(sequence)")
        expectWhole(test, "\(sequence) at \(column)")
      }
    }
  }

  private func expectWhole(_ test: TestTerminal, _ comment: Comment) {
    var column = 0
    for cell in test.cells(row: 0) {
      #expect(cell.column == column, comment)
      column += cell.width
    }
    #expect(column == 8, comment)
  }

  @Test("a wide character that does not fit wraps and leaves a blank")
  func wideAtEdge() {
    let test = TestTerminal(rows: 2, columns: 5)
    test.feed("abcd漢")
    #expect(test.screen == ["abcd", "漢"])
    #expect(test.cursor == CellPosition(row: 1, column: 2))
  }

  @Test("combining marks join the cell before them, also at the pending wrap")
  func combining() {
    let test = TestTerminal(rows: 2, columns: 3)
    test.feed("abe\u{301}f")
    #expect(test.screen == ["abe\u{301}", "f"])
    let cells = test.cells(row: 0)
    #expect(cells[2].isCluster)
    #expect(test.terminal.clusterText(cells[2]) == "e\u{301}")
  }

  /// Text of one cluster, and its columns.
  static let clusters: [(String, Int)] = [
    ("\u{26A0}\u{FE0F}", 2), ("\u{2699}\u{FE0F}", 2), ("\u{2139}\u{FE0F}", 2),
    ("1\u{FE0F}\u{20E3}", 2),
    ("\u{1F5A5}\u{FE0F}", 2), ("\u{2601}\u{FE0F}", 2), ("👨\u{200D}👩\u{200D}👧", 2), ("👍🏽", 2),
    ("🇩🇪", 2),
    ("e\u{301}", 1), ("가", 2), ("\u{231A}\u{FE0E}", 1), ("\u{270D}", 1),
  ]

  @Test("a cluster takes one cell of the right width", arguments: clusters.indices)
  func cluster(index: Int) {
    let (text, columns) = Self.clusters[index]
    let test = TestTerminal(rows: 2, columns: 10)
    test.feed("\(text)\(csi)6n")
    #expect(test.replies() == "␛[1;\(columns + 1)R")
    test.feed("|")
    let cells = test.cells(row: 0)
    #expect(test.terminal.clusterText(cells[0]) == text)
    #expect(cells[0].width == columns)
    #expect(cells[1].scalar == 0x7C)
  }

  @Test("a selector that widens the last cell of a row takes it to the next row")
  func widenAtEdge() {
    let test = TestTerminal(rows: 2, columns: 4)
    test.feed("abc\u{26A0}\u{FE0F}")
    #expect(test.screen == ["abc", "\u{26A0}\u{FE0F}"])
  }

  @Test("with mode 2027 off widths are those of single scalars")
  func legacyWidths() {
    let test = TestTerminal()
    test.feed("\(csi)?2027l\u{26A0}\u{FE0F}\(csi)6n\(csi)?2027$p")
    #expect(test.replies() == "␛[1;2R␛[?2027;2$y")
  }

  @Test("widths of single scalars can be overridden")
  func overrides() {
    let test = TestTerminal(
      configuration: TerminalConfiguration(widthOverrides: [0x270D: 2, 0x4E00: 1])
    )
    test.feed("\u{270D}\(csi)6n\r\u{4E00}\(csi)6n")
    #expect(test.replies() == "␛[1;3R␛[1;2R")
  }

  @Test("an enclosed letter is as wide as it is drawn: 80 columns hold it and 79 dashes")
  func enclosedLetter() {
    let test = TestTerminal(rows: 2, columns: 80)
    test.feed("\u{1F13C}" + String(repeating: "-", count: 79) + "\(csi)6n")
    let widths = test.cells(row: 0)[0].width
    #expect(test.replies() == (widths == 1 ? "␛[1;80R" : "␛[2;2R"))
  }

  /// Bytes, and the text they make: one U+FFFD for each maximal subpart (Unicode 15, chapter 3.9).
  static let decoding: [([UInt8], String)] = [
    ([0x80], "\u{FFFD}"), ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
    ([0xE0, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF0, 0x90, 0x80, 0x41], "\u{FFFD}A"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xE2, 0x94, 0x41], "\u{FFFD}A"),
    ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0x41, 0xFF, 0x42], "A\u{FFFD}B"), ([0xE2, 0x94, 0x1B, 0x5B, 0x6D, 0x42], "\u{FFFD}B"),
    ([0xE2, 0x94, 0x00, 0x80], "\u{FFFD}\u{FFFD}"), ([0xF1, 0x80, 0xC3, 0xA9], "\u{FFFD}é"),
  ]

  @Test(
    "what is not UTF-8 shows replacement characters, wherever it is cut",
    arguments: decoding.indices
  )
  func invalidUTF8(index: Int) {
    let (bytes, text) = Self.decoding[index]
    for cut in 0...bytes.count {
      let test = TestTerminal()
      test.terminal.feed(Array(bytes[..<cut]))
      test.terminal.feed(Array(bytes[cut...]))
      test.feed("\r")
      #expect(test.screen[0] == text, "cut at \(cut)")
    }
  }

  @Test("a letter after a cut combining mark is kept")
  func cutCombiningMark() {
    let bytes: [UInt8] = [0x42, 0xCC, 0x81, 0x43, 0xE2, 0x94, 0x80]
    for cut in 0...bytes.count {
      let test = TestTerminal()
      test.terminal.feed(Array(bytes[..<cut]))
      test.terminal.feed(Array(bytes[cut...]))
      #expect(test.screen[0] == "B\u{301}C─")
    }
  }
}
