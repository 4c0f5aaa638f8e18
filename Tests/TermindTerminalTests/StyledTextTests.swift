import TermindTerminal
import Testing

@Suite("Text with its colours") struct StyledTextTests {
  private func text(_ test: TestTerminal, _ lines: ClosedRange<UInt64>? = nil) -> String {
    String(decoding: test.terminal.styledText(lines: lines), as: UTF8.self).replacingEscapes()
  }

  @Test("each change of the look is told, and no line leaves one on")
  func looks() {
    let test = TestTerminal(rows: 3, columns: 12)
    test.feed("a\(csi)31mred\(csi)m b\r\n\(csi)1mx\(csi)m  \r\n\r\nplain")
    #expect(text(test) == "a␛[0;31mred␛[m b␛[m\n␛[0;1mx␛[m\n\nplain\n")
    #expect(text(test, 1...1) == "␛[0;1mx␛[m\n")
  }

  @Test("soft-wrapped rows are one line, blanks with a background stay, wide characters count once")
  func lines() {
    let test = TestTerminal(rows: 4, columns: 4)
    test.feed("abcdef\r\n\(csi)44m  \(csi)m\r\n\u{754C}x")
    #expect(text(test) == "abcdef\n␛[0;44m  ␛[m\n\u{754C}x\n")
  }

  @Test("an empty screen has no text")
  func empty() { #expect(text(TestTerminal()).isEmpty) }
}
