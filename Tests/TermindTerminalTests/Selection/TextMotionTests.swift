import TermindTerminal
import Testing

@Suite("Movements through text") struct TextMotionTests {
  private static let text = "foo.bar baz\r\n\r\n  (a [b] c)\r\n漢字 end"

  private func moved(_ motion: TextMotion, _ row: Int, _ column: Int) -> [Int] {
    let test = TestTerminal(rows: 5, columns: 12)
    test.feed(Self.text)
    var reader = TextReader(test.terminal)
    let place = reader.move(motion, from: CellPosition(row: row, column: column))
    return [place.row, place.column]
  }

  @Test(
    "words, signs and blank lines",
    arguments: [
      (TextMotion.wordStart(isBig: false), 0, 0, [0, 3]),
      (.wordStart(isBig: false), 0, 3, [0, 4]), (.wordStart(isBig: true), 0, 0, [0, 8]),
      (.wordStart(isBig: false), 0, 8, [1, 0]), (.wordStart(isBig: false), 1, 0, [2, 2]),
      (.wordEnd(isBig: false), 0, 0, [0, 2]), (.wordEnd(isBig: true), 0, 0, [0, 6]),
      (.wordEnd(isBig: false), 0, 10, [2, 2]), (.wordBack(isBig: false), 0, 8, [0, 4]),
      (.wordBack(isBig: true), 0, 8, [0, 0]), (.wordBack(isBig: false), 2, 2, [1, 0]),
      (.wordBack(isBig: false), 0, 0, [0, 0]), (.wordEnd(isBig: false), 3, 0, [3, 2]),
    ]
  )
  func words(motion: TextMotion, row: Int, column: Int, expected: [Int]) {
    #expect(moved(motion, row, column) == expected)
  }

  @Test(
    "rows, paragraphs, brackets and characters",
    arguments: [
      (TextMotion.left, 1, 0, [0, 10]), (.right, 0, 10, [1, 0]), (.right, 3, 0, [3, 2]),
      (.left, 3, 2, [3, 0]), (.down, 2, 1, [3, 0]), (.up, 0, 4, [0, 4]),
      (.rowStart, 2, 5, [2, 0]), (.firstCharacter, 2, 9, [2, 2]), (.rowEnd, 2, 0, [2, 10]),
      (.rowEnd, 1, 0, [1, 0]), (.paragraphForward, 0, 3, [1, 0]), (.paragraphBack, 3, 2, [1, 0]),
      (.bracket, 2, 0, [2, 10]), (.bracket, 2, 10, [2, 2]), (.bracket, 2, 5, [2, 7]),
      (.bracket, 0, 0, [0, 0]), (.top, 3, 3, [0, 0]), (.bottom, 0, 3, [4, 3]),
      (.character(0x62, isForward: true, isBeside: false), 0, 0, [0, 4]),
      (.character(0x62, isForward: true, isBeside: true), 0, 0, [0, 3]),
      (.character(0x66, isForward: false, isBeside: false), 0, 5, [0, 0]),
      (.character(0x7A7A, isForward: true, isBeside: false), 0, 5, [0, 5]),
    ]
  )
  func others(motion: TextMotion, row: Int, column: Int, expected: [Int]) {
    #expect(moved(motion, row, column) == expected)
  }

  @Test("a word over a soft wrap is one")
  func softWrap() {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("a longword b")
    var reader = TextReader(test.terminal)
    let end = reader.move(.wordEnd(isBig: false), from: CellPosition(row: 0, column: 2))
    #expect(end == CellPosition(row: 1, column: 4))
    let word = reader.word(at: CellPosition(row: 1, column: 0), isBig: false)
    #expect(word.first == CellPosition(row: 0, column: 2))
    #expect(word.last == CellPosition(row: 1, column: 4))
  }

  @Test("a double click on an address takes all of it")
  func bigWord() {
    let test = TestTerminal(rows: 2, columns: 40)
    test.feed("see https://example.org/a?b=c#d now")
    var reader = TextReader(test.terminal)
    let word = reader.word(at: CellPosition(row: 0, column: 10), isBig: true)
    #expect(word.first.column == 4)
    #expect(word.last.column == 30)
  }
}
