import TermindTerminal
import Testing

@Suite("Find") struct FindTests {
  @Test("words are found on the screen and above it, and counted")
  func plain() throws {
    let test = TestTerminal(rows: 2, columns: 20)
    test.feed("one two\r\nanother one\r\nOne\r\nnone")
    let found = try test.find("one")
    #expect(found.map(\.start.line) == [0, 1, 2, 3])
    #expect(found.map(\.start.column) == [0, 8, 0, 1])
    #expect(found.map(\.end.column) == [3, 11, 3, 4])
    #expect(test.marks(found, scrolledBack: 2) == ["###.................", "........###........."])
  }

  @Test(
    "an upper-case letter makes the case count, unless another rule is chosen",
    arguments: [
      ("err", FindQuery.CaseRule.smart, 3), ("Err", .smart, 1), ("ERR", .smart, 1),
      ("err", .exact, 1), ("ERR", .ignored, 3), ("nothing", .smart, 0),
    ]
  )
  func caseRules(text: String, rule: FindQuery.CaseRule, count: Int) throws {
    let test = TestTerminal(rows: 4, columns: 20)
    test.feed("err\r\nErr\r\nERR")
    #expect(try test.find(text, caseRule: rule).count == count)
  }

  @Test("case is ignored beyond ASCII too")
  func caseBeyondASCII() throws {
    let test = TestTerminal(rows: 4, columns: 20)
    test.feed("GRÖSSE\r\ngröße größe\r\nПривет")
    #expect(try test.find("grö").count == 3)
    #expect(try test.find("Grö").isEmpty)
    #expect(try test.find("привет").count == 1)
  }

  @Test("an expression's classes do not make its case count")
  func smartCaseOfExpressions() {
    #expect(FindQuery(#"\Sab\W"#, isRegex: true).ignoresCase)
    #expect(!FindQuery(#"\SAb"#, isRegex: true).ignoresCase)
    #expect(!FindQuery(#"\\A"#, isRegex: true).ignoresCase)
    #expect(!FindQuery(#"\W"#).ignoresCase)
  }

  @Test("whole words have no letter, digit or underscore beside them")
  func wholeWords() throws {
    let test = TestTerminal(rows: 4, columns: 30)
    test.feed("cat concat cat_1 cat-2 (cat)\r\nécat caté 漢cat cat")
    let plain = try test.find("cat", isWholeWord: true)
    #expect(plain.map(\.start.column) == [0, 17, 24, 16])
    let regex = try test.find("c.t", isWholeWord: true, isRegex: true)
    #expect(regex.map(\.start) == plain.map(\.start))
    #expect(try test.find("(cat", isWholeWord: true).count == 1)
  }

  @Test(
    "an empty pattern and empty matches find nothing",
    arguments: ["", "()", "x*", "(?=c)", "^"]
  )
  func empty(pattern: String) throws {
    let test = TestTerminal(rows: 2, columns: 10)
    test.feed("abc\r\n")
    #expect(try test.find(pattern, isRegex: true).isEmpty)
  }

  @Test("an expression that could be empty still finds what is not")
  func notEmpty() throws {
    let test = TestTerminal(rows: 2, columns: 20)
    test.feed("abc 12 x 345")
    #expect(try test.find("[0-9]*", isRegex: true).map(\.start.column) == [4, 9])
    #expect(try test.find("^abc|345$", isRegex: true).map(\.start.column) == [0, 9])
  }

  @Test("a wrong expression says why and where; a text of words has no syntax")
  func badPattern() throws {
    #expect(throws: FindError.badPattern(reason: "missing closing parenthesis", offset: 3)) {
      try Finder(FindQuery("(ab", isRegex: true))
    }
    #expect(throws: FindError.tooLong) {
      try Finder(FindQuery(String(repeating: "a", count: 5_000)))
    }
    let test = TestTerminal(rows: 1, columns: 10)
    test.feed("f(ab [c")
    #expect(try test.find("(ab [").map(\.start.column) == [1])
  }

  @Test("a match over a soft wrap is one, marked on both rows, also where one is in the scrollback")
  func softWrap() throws {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("abcdefgh\r\nxyz")
    let found = try test.find("def")
    #expect(found.count == 1)
    #expect(test.marks(found) == ["...##", "#....", "....."])
    test.feed("\r\n1\r\n2")
    #expect(try test.find("def") == found)
    #expect(test.marks(found, scrolledBack: 2) == ["...##", "#....", "....."])
    #expect(try test.find("c.*g", isRegex: true).map(\.end) == [TextPlace(line: 1, column: 2)])
    #expect(try test.find("hx").isEmpty)
    #expect(try test.find("^f", isRegex: true).isEmpty)
  }

  @Test("what is erased before a wrap counts as blanks")
  func erasedBeforeWrap() throws {
    let test = TestTerminal(rows: 3, columns: 6)
    test.feed("abcdefgh\(csi)1;3H\(csi)3X")
    #expect(try test.find("ab   fgh").count == 1)
    test.feed("\(csi)3;1H\r\n\n\n")
    #expect(try test.find("ab   fgh").count == 1)
  }

  @Test("wide characters and marks count in columns, not in bytes", arguments: [0, 6])
  func wide(pushed: Int) throws {
    let test = TestTerminal(rows: 3, columns: 12)
    test.feed("漢字 e\u{301}x 👍🏽 ok" + String(repeating: "\r\n", count: pushed))
    func columns(_ text: String) throws -> [Range<Int>] {
      try test.find(text).map { $0.start.column..<$0.end.column }
    }
    #expect(try columns("字") == [2..<4])
    #expect(try columns("e\u{301}x") == [5..<7])
    #expect(try columns("e") == [5..<6])
    #expect(try columns("👍🏽") == [8..<10])
    #expect(try test.find("ok").map(\.end.column) == [1])
  }

  @Test("a wide character that did not fit the row leaves no blank in the text")
  func filler() throws {
    let test = TestTerminal(rows: 3, columns: 5)
    test.feed("abcd漢字")
    let found = try test.find("d漢")
    #expect(found.count == 1)
    #expect(test.marks(found) == ["...#.", "##...", "....."])
    test.feed("\r\n\n\n\n")
    #expect(test.marks(try test.find("d漢"), scrolledBack: 3) == ["...#.", "##...", "....."])
  }

  @Test("the alternate screen is searched alone")
  func alternateScreen() throws {
    let test = TestTerminal(rows: 2, columns: 10)
    test.feed("word\r\n\n\nword\(csi)?1049h\(csi)Hword")
    #expect(try test.find("word").count == 1)
    test.feed("\(csi)?1049l")
    #expect(try test.find("word").count == 2)
  }
}
