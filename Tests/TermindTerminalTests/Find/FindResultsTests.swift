import TermindTerminal
import Testing

@Suite("Found matches") struct FindResultsTests {
  private func filled(_ lines: Int, limit: Int = 1_000) -> TestTerminal {
    let test = TestTerminal(
      rows: 3,
      columns: 20,
      configuration: TerminalConfiguration(scrollbackLines: limit)
    )
    for line in 0..<lines { test.feed("line \(line) hit\r\n") }
    return test
  }

  @Test("next and previous go round")
  func goingRound() throws {
    let test = filled(5)
    let results = try TestFind(test, FindQuery("hit")).results
    #expect(results.count == 5)
    #expect(results.isComplete)
    #expect(results.next(from: TextPlace(line: 2, column: 0)) == 2)
    #expect(results.next(from: TextPlace(line: 2, column: 8)) == 3)
    #expect(results.next(from: TextPlace(line: 9, column: 0)) == 0)
    #expect(results.next(from: TextPlace(line: 9, column: 0), wraps: false) == nil)
    #expect(results.previous(before: TextPlace(line: 2, column: 7)) == 1)
    #expect(results.previous(before: TextPlace(line: 0, column: 0)) == 4)
    #expect(results.previous(before: TextPlace(line: 0, column: 0), wraps: false) == nil)
    #expect(results.matches(in: 1...2).map(\.start.line) == [1, 2])
    #expect(results.matches(in: 1...4, limit: 1).map(\.start.line) == [1])
    #expect(results.match(5) == nil)
    #expect(results.match(-1) == nil)
  }

  @Test("marks stay on their text while output comes, before anything is searched again")
  func following() throws {
    let test = filled(2)
    let results = try TestFind(test, FindQuery("hit")).results
    let first = try #require(results.match(0))
    #expect(test.terminal.shownRow(of: first.start) == 0)
    test.feed("a\r\nb\r\n")
    #expect(test.terminal.shownRow(of: first.start) == -2)
    #expect(test.terminal.text(row: 0, scrolledBack: 2) == "line 0 hit")
  }

  @Test("a later search looks only at what is new, and finds the same as a whole one")
  func incremental() throws {
    let test = filled(50, limit: 60)
    let finder = try Finder(FindQuery("hit"))
    var results = try #require(finder.search(test.terminal.findText()))
    for round in 0..<30 {
      test.feed("new hit \(round)\r\nwrapped line of more than twenty hit columns\r\n")
      results = try #require(finder.search(test.terminal.findText(after: results), after: results))
      let whole = try #require(finder.search(test.terminal.findText()))
      #expect(results.count == whole.count)
      #expect(
        (0..<whole.count).allSatisfy { results.match($0) == whole.match($0) },
        "round \(round)"
      )
    }
  }

  @Test("a change of the width begins anew")
  func resized() throws {
    let test = filled(20)
    let finder = try Finder(FindQuery("hit"))
    let results = try #require(finder.search(test.terminal.findText()))
    test.terminal.resize(to: TerminalSize(rows: 3, columns: 7))
    let again = try #require(finder.search(test.terminal.findText(after: results), after: results))
    #expect(again.count == 20)
    let last = try #require(again.match(19))
    #expect(test.terminal.shownRow(of: last.start).map { $0 < 3 } == true)
  }

  @Test("clearing the scrollback takes its matches away")
  func cleared() throws {
    let test = filled(20)
    let finder = try Finder(FindQuery("hit"))
    let results = try #require(finder.search(test.terminal.findText()))
    test.terminal.clearScrollback()
    let again = try #require(finder.search(test.terminal.findText(after: results), after: results))
    #expect(again.count == 2)
    #expect(test.terminal.shownRow(of: TextPlace(line: 3, column: 0)) == nil)
  }

  @Test("a search can be ended, and tells what it knows on the way, newest first")
  func cancelling() throws {
    let test = TestTerminal(
      rows: 3,
      columns: 200,
      configuration: TerminalConfiguration(scrollbackLines: 10_000)
    )
    let line = String(repeating: "x", count: 190) + " hit\r\n"
    for _ in 0..<5_000 { test.feed(line) }
    let finder = try Finder(FindQuery("hit"))
    var seen: [Int] = []
    let whole = finder.search(test.terminal.findText(), progress: { seen.append($0.count) })
    #expect(whole?.count == 5_000)
    #expect(seen.count > 2)
    #expect(seen == seen.sorted())
    #expect(seen.first.map { $0 <= 2 } == true)
    var looks = 0
    let ended = finder.search(
      test.terminal.findText(),
      mayGoOn: {
        looks += 1; return looks < 3
      }
    )
    #expect(ended == nil)
    #expect(looks == 3)
  }

  @Test("the number of matches is bounded, and the newest are kept")
  func capped() throws {
    let test = TestTerminal(
      rows: 3,
      columns: 200,
      configuration: TerminalConfiguration(scrollbackLines: 10_000)
    )
    let line = String(repeating: "x", count: 200) + "\r\n"
    for _ in 0..<6_000 { test.feed(line) }
    let results = try #require(try Finder(FindQuery("x")).search(test.terminal.findText()))
    #expect(results.isCapped)
    #expect(results.count >= Finder.mostMatches)
    #expect(results.count < Finder.mostMatches * 2)
  }

  @Test("a costly expression is given up, and said to be")
  func costly() throws {
    let test = TestTerminal(rows: 3, columns: 80)
    for _ in 0..<100 { test.feed(String(repeating: "a", count: 60) + "b\r\n") }
    let results = try #require(
      try Finder(FindQuery("(a+)+$", isRegex: true)).search(test.terminal.findText())
    )
    #expect(results.isCostly)
    #expect(results.isComplete)
    let fine = try #require(
      try Finder(FindQuery("a+b", isRegex: true)).search(test.terminal.findText())
    )
    #expect(!fine.isCostly)
    #expect(fine.count == 100)
  }
}
