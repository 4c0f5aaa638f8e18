import TermindTerminal
import Testing

/// Faults that people met in other programs.
@Suite("Field cases") struct FieldCaseTests {
  @Test("a new width with more than 100,000 lines above costs next to nothing until they are shown")
  func longHistory() {
    let terminal = Terminal(
      size: TerminalSize(rows: 24, columns: 80),
      configuration: TerminalConfiguration(scrollbackLines: 120_000)
    )
    let line = Array("\(String(repeating: "word ", count: 18))end\r\n".utf8)
    var block: [UInt8] = []
    for _ in 0..<1_000 { block += line }
    for _ in 0..<55 { terminal.feed(block) }
    // Twenty widths, as dragging a border makes them: far less than laying out every line twenty times.
    let start = ContinuousClock.now
    for columns in 81...100 {
      terminal.resize(to: TerminalSize(rows: 24, columns: columns))
      for row in 0..<24 { terminal.visitRow(row) { _ in } }
    }
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(terminal.screenText()[21].hasPrefix("word word"))
    #expect(terminal.screenText()[22].hasSuffix("end"))
  }

  @Test("colour questions are answered from the theme, and 24-bit colours are kept")
  func themeAnswers() {
    let test = TestTerminal(rows: 1, columns: 10)
    test.terminal.setTheme(
      TerminalPalette(
        colors: [0x010203],
        roles: [.foreground: 0xC0CAF5, .background: 0x1A1B26, .cursor: 0xFF0000]
      )
    )
    test.feed("\(osc)10;?\(st)\(osc)11;?\(st)\(osc)12;?\(st)\(osc)4;0;?\(st)")
    #expect(
      test.replies()
        == "␛]10;rgb:c0c0/caca/f5f5␛\\␛]11;rgb:1a1a/1b1b/2626␛\\␛]12;rgb:ffff/0000/0000␛\\"
        + "␛]4;0;rgb:0101/0202/0303␛\\"
    )
    test.feed("\(csi)38;2;1;2;3;48;2;250;251;252mx")
    #expect(test.style(row: 0, column: 0).foreground == .rgb(1, 2, 3))
    #expect(test.style(row: 0, column: 0).background == .rgb(250, 251, 252))
  }

  @Test("underline forms and colours go out with colons")
  func underlinesGoOut() {
    let test = TestTerminal(rows: 1, columns: 10)
    test.feed("\(csi)58:5:32m\(csi)4:3ma\(csi)58:2::255:0:0mb")
    let captured = String(
      decoding: test.terminal.captureANSI(includingScrollback: false),
      as: UTF8.self
    )
    #expect(captured.contains("4:3"))
    #expect(captured.contains("58:5:32"))
    #expect(captured.contains("58:2::255:0:0"))
    test.feed("\(csi)22mc")
    #expect(test.style(row: 0, column: 2).underline == .curly)
  }

  @Test("another limit of the scrollback, and what programs may ask, count at once")
  func adoptedConfiguration() {
    let test = TestTerminal(rows: 2, columns: 10)
    for number in 0..<100 { test.feed("\(number)\r\n") }
    #expect(test.terminal.scrollbackRows == 99)
    test.feed("\(osc)52;c;?\(st)")
    #expect(test.replies() == "␛]52;c;␛\\")
    test.terminal.adopt(TerminalConfiguration(scrollbackLines: 10, allowsClipboardRead: true))
    #expect(test.terminal.scrollbackRows == 10)
    _ = test.terminal.takeEvents()
    test.feed("\(osc)52;c;?\(st)")
    #expect(
      test.terminal.takeEvents().contains { if case .clipboardRead = $0 { true } else { false } }
    )
  }

  @Test("text behind an emoji that is text by default stays in its column")
  func textEmoji() {
    let test = TestTerminal(rows: 1, columns: 10)
    test.feed("\u{270D}ab\(csi)1;3Hc")
    #expect(test.screen[0] == "\u{270D}ac")
    let wide = TestTerminal(
      rows: 1,
      columns: 10,
      configuration: TerminalConfiguration(widthOverrides: [0x270D: 2])
    )
    wide.feed("\u{270D}ab\(csi)1;4Hc")
    #expect(wide.screen[0] == "\u{270D}ac")
  }
}
