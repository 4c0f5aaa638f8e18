import TermindTerminal
import Testing

@Suite("Find in long lines") struct LongLineFindTests {
  private func folded() -> TestTerminal {
    let test = TestTerminal(
      rows: 5,
      columns: 100,
      configuration: TerminalConfiguration(scrollbackLines: 30_000)
    )
    let digits = String(repeating: "0123456789", count: 1_000)
    for _ in 0..<100 { test.feed(digits) }
    test.feed("\r\nhello world\r\n")
    for _ in 0..<100 { test.feed(digits) }
    return test
  }

  @Test("lines of a million digits around a word do not hide it")
  func betweenLongLines() throws {
    let test = folded()
    let found = try test.find("^hello", isRegex: true)
    #expect(found.map(\.start) == [TextPlace(line: 10_000, column: 0)])
    #expect(try test.find("90123456789h").isEmpty)
    #expect(try test.find("hello world").count == 1)
  }

  @Test("matches over the folds of a long line are counted and placed")
  func folds() throws {
    let test = folded()
    let found = try test.find("90")
    #expect(found.count == 2 * 99_999)
    let wrapped = found.filter { $0.start.line != $0.end.line }
    #expect(wrapped.count == 2 * 9_999)
    #expect(wrapped[0].start == TextPlace(line: 0, column: 99))
    #expect(wrapped[0].end == TextPlace(line: 1, column: 1))
    #expect(try test.find("9.1", isRegex: true).count == 2 * 99_999)
  }

  @Test("an expression without end in a long line can be ended")
  func endedInside() throws {
    let test = folded()
    var looks = 0
    let finder = try Finder(FindQuery("(.*)(.*)(.*)x\\1y", isRegex: true))
    let results = finder.search(
      test.terminal.findText(),
      mayGoOn: {
        looks += 1; return looks < 6
      }
    )
    #expect(results == nil || results?.isCostly == true)
  }
}
