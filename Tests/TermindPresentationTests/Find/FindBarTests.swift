import TermindDomain
import TermindScreen
import TermindTerminal
import Testing

@testable import TermindPresentation

@Suite("Find bar") struct FindBarTests {
  private func bar(_ text: String, _ outcome: FindBar.Outcome, isFocused: Bool = true) -> FindBar {
    FindBar(
      field: TextField(text),
      outcome: outcome,
      toggles: [
        FindBar.Toggle("aA?", isOn: false), FindBar.Toggle("W", isOn: true),
        FindBar.Toggle(".*", isOn: false),
      ],
      isFocused: isFocused
    )
  }

  private func drawn(_ bar: FindBar, columns: Int) -> (text: String, cursor: CanvasCursor?) {
    var canvas = Canvas(rows: 1, columns: columns)
    bar.draw(on: &canvas, in: CellRectangle(rows: 1, columns: columns), GoldenScreen.dark)
    return (canvas.rowsText[0], canvas.cursor)
  }

  @Test("what was found stands at the right, the cursor behind what is typed")
  func wide() {
    let (text, cursor) = drawn(bar("needle", .found(place: 3, count: 17, more: "")), columns: 50)
    #expect(text == " Find needle                       3/17  aA? W .* ")
    #expect(cursor?.column == 12)
  }

  @Test("a narrow pane keeps the field", arguments: [4, 8, 12, 20, 30])
  func narrow(columns: Int) {
    let (text, cursor) = drawn(
      bar("漢字needle", .found(place: 3, count: 17, more: "")),
      columns: columns
    )
    #expect(text.count <= columns)
    #expect(cursor.map { $0.column < columns } == true)
    if columns == 20 { #expect(text.contains("3/17")) }
  }

  @Test("a narrow pane says that a pattern is wrong, and which choices are on")
  func narrowProblem() {
    let wrong = bar("(2", .problem("missing closing parenthesis at 2"))
    #expect(drawn(wrong, columns: 39).text == "/(2                     bad pattern  W ")
    #expect(drawn(wrong, columns: 22).text == "/(2       bad pattern ")
    #expect(drawn(bar("x", .idle), columns: 17).text == "/x             W ")
  }

  @Test("a bar without the focus has no cursor")
  func unfocused() {
    #expect(drawn(bar("x", .idle, isFocused: false), columns: 30).cursor == nil)
  }

  @Test(
    "outcomes are said",
    arguments: [
      (FindBar.Outcome.nothing(isSearching: false), "no match"), (.nothing(isSearching: true), "…"),
      (.problem("missing closing parenthesis at 3"), "missing closing parenthesis at 3"),
      (.found(place: nil, count: 5, more: "…"), " 5…"),
      (.found(place: 1, count: 1_000_000, more: "+"), "1/1000000+"),
    ]
  )
  func outcomes(outcome: FindBar.Outcome, words: String) {
    #expect(drawn(bar("(ab", outcome), columns: 60).text.contains(words))
  }

  @Test("the pictures of the bar", arguments: [40, 80])
  func picture(columns: Int) throws {
    try GoldenScreen.expect("find-bar", rows: 3, columns: columns) { canvas, window in
      let bars = [
        bar("needle", .found(place: 3, count: 17, more: "")),
        bar("nothing", .nothing(isSearching: false)),
        bar("(ab", .problem("missing closing parenthesis at 3")),
      ]
      for (row, bar) in bars.enumerated() {
        let line = CellRectangle(row: row, column: 0, rows: 1, columns: columns)
        bar.draw(on: &canvas, in: line, GoldenScreen.dark)
      }
    }
  }

  @Test("marks can be read in every shipped theme, and the match that is shown differs")
  func marks() throws {
    for theme in AppearanceTests.themes {
      let look = Appearance(theme: theme, depth: .trueColor)
      let plain = look.found(look.paneStyle, isCurrent: false)
      let current = look.found(look.paneStyle, isCurrent: true)
      #expect(plain.background != look.paneStyle.background, "\(theme.name)")
      #expect(plain.background != current.background, "\(theme.name)")
    }
    for depth in [ScreenColorDepth.indexed16, .monochrome] {
      let look = Appearance(theme: ThemeLibrary.standard(dark: true), depth: depth)
      #expect(look.found(.plain, isCurrent: false) != .plain)
      #expect(look.found(.plain, isCurrent: true) != look.found(.plain, isCurrent: false))
    }
  }

  @Test("why nothing can be searched is said in a few words")
  func errors() {
    #expect(
      ErrorText.phrase(FindError.badPattern(reason: "missing )", offset: 3)) == "missing ) at 3"
    )
    #expect(ErrorText.phrase(FindError.tooLong) == "longer than 4096 bytes")
  }
}
