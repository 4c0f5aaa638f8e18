import TermindPresentation
import Testing

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
