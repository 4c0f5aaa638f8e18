import TermindPresentation
import Testing

@Suite("Outputs side by side") struct RunScreenTests {
  @Test("an output's lines hold no control characters")
  func lines() {
    let text = "a\tb\r\n\u{1B}[31mred\u{7}\nlast"
    #expect(
      RunScreen.lines(of: Array(text.utf8)) == ["a       b", "\u{FFFD}[31mred\u{FFFD}", "last"]
    )
    #expect(RunScreen.lines(of: []) == [])
  }
}
