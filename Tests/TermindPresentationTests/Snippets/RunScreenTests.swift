import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Outputs side by side") struct RunScreenTests {
  @Test("an output's lines hold no control characters")
  func lines() {
    let text =
      "a\tb\r\n\u{1B}[31;1mred\u{1B}[m\u{7}\n\u{1B}]0;title\u{7}x\u{1B}]8;;u\u{1B}\\y\u{1B}(Bz\u{1B}[3\nlast"
    #expect(
      RunScreen.lines(of: Array(text.utf8)) == ["a       b", "red\u{FFFD}", "xyz", "last"]
    )
    #expect(RunScreen.lines(of: []) == [])
  }
}

@Suite("The screen of a run") struct RunScreenGoldenTests {
  /// Hosts in every state; the second prints more than fits.
  private static let columns: [RunScreen.Column] = {
    func column(
      _ name: String,
      _ state: RunScreen.Column.State,
      _ lines: [String] = []
    ) -> RunScreen.Column {
      var column = RunScreen.Column(name: name)
      column.state = state
      column.lines = lines
      return column
    }
    var cut = column("web2", .done(status: 3), (1...80).map { "line \($0) of a longer output" })
    cut.isCut = true
    return [
      column("web1", .done(status: 0), ["one short line", "漢字 and é"]), cut,
      column("gone.example.org", .failed("refused")),
      column("db1", .running, [String(repeating: "a wide line ", count: 12)]),
      column("db2", .stopping), column("db3", .failed("given up; it may go on there"), ["begun"]),
      column("later", .waiting),
    ]
  }()

  @Test("every state is told, at each size, dark and light", arguments: GoldenScreen.sizes)
  func picture(rows: Int, columns: Int) throws {
    for isDark in [true, false] {
      let look = Appearance(theme: ThemeLibrary.standard(dark: isDark), depth: .trueColor)
      let screen = RunScreen(
        title: "check",
        columns: Self.columns,
        first: 0,
        scrolled: 0,
        isRunning: true
      )
      let name = isDark ? "run" : "run-light"
      try GoldenScreen.expect(name, rows: rows, columns: columns, look: look) { canvas, window in
        screen.draw(on: &canvas, in: window, look)
      }
    }
  }

  private func text(_ columns: Int, first: Int, scrolled: Int = 0) -> [String] {
    var canvas = Canvas(rows: 12, columns: columns)
    let screen = RunScreen(
      title: "check",
      columns: Self.columns,
      first: first,
      scrolled: scrolled,
      isRunning: false
    )
    screen.draw(on: &canvas, in: CellRectangle(rows: 12, columns: columns), GoldenScreen.dark)
    return canvas.rowsText
  }

  @Test("where not all hosts fit, a row tells how each of them is")
  func overview() {
    let first = text(80, first: 0)
    #expect(first[2].contains("✓ web1  ✗ web2  ✗ gone.example.org  … db1  … db2  ✗ db3  · later"))
    #expect(first[1].contains("hosts 1–2"))
    let last = text(80, first: 99)
    #expect(last[2].contains("‹5  ✗ db3  · later") && last[1].contains("hosts 6–7"))
    #expect(text(40, first: 1)[2].contains(/‹1  ✗ web2 .*[1-9]›/))
    #expect(!text(260, first: 0)[2].contains("later  "))
  }

  @Test("a shorter output stays in view at its end while others are scrolled")
  func scrolled() {
    let rows = text(80, first: 0, scrolled: 70)
    #expect(rows.contains { $0.contains("line 70 of a longer output") })
    #expect(rows.contains { $0.contains("one short line") })
  }

  @Test("nothing is drawn outside, and nothing traps, at any size")
  func anySize() {
    for rows in [0, 1, 2, 3, 4, 5, 7] {
      for columns in [0, 1, 2, 5, 8, 13, 34] {
        var canvas = Canvas(rows: rows, columns: columns)
        RunScreen(title: "x", columns: Self.columns, first: 3, scrolled: 2, isRunning: true)
          .draw(on: &canvas, in: CellRectangle(rows: rows, columns: columns), GoldenScreen.dark)
        for text in canvas.rowsText { #expect(text.count <= max(columns, 0)) }
      }
    }
  }
}
