import Testing

@testable import TermindPresentation

@Suite("Theme files") struct ThemeParserTests {
  private func parse(_ text: String) -> ThemeParser.Result {
    ThemeParser.parse(text, name: "Mine", file: "mine")
  }

  @Test("reads every setting, with and without the number sign, blanks and quotes")
  func readsSettings() {
    let result = parse(
      """
      # a comment
      palette = 1=#ff0000
        palette=0xff = abc

      background = "#102030"
      foreground = d0d0d0
      cursor-color = #fff
      cursor-text = 000
      selection-background = #333333
      selection-foreground = cell-foreground
      """
    )
    #expect(result.notes == [])
    let theme = result.theme
    #expect(theme.palette[1] == ThemeColor(bits: 0xFF0000))
    #expect(theme.palette[255] == ThemeColor(bits: 0xAABBCC))
    #expect(theme.background == ThemeColor(bits: 0x102030))
    #expect(theme.foreground == ThemeColor(bits: 0xD0D0D0))
    #expect(theme.cursor == ThemeColor(bits: 0xFFFFFF))
    #expect(theme.cursorText == ThemeColor(bits: 0))
    #expect(theme.selectionBackground == ThemeColor(bits: 0x333333))
    #expect(theme.selectionForeground == nil)
    #expect(theme.isDark)
  }

  @Test("what a file leaves out is xterm's")
  func standardColors() {
    let theme = parse("background = #000000\nforeground = #ffffff").theme
    #expect(theme.palette.count == 256)
    #expect(theme.palette[16] == ThemeColor(bits: 0))
    #expect(theme.palette[196] == ThemeColor(bits: 0xFF0000))
    #expect(theme.palette[231] == ThemeColor(bits: 0xFFFFFF))
    #expect(theme.palette[232] == ThemeColor(bits: 0x080808))
    #expect(theme.palette[255] == ThemeColor(bits: 0xEEEEEE))
  }

  @Test(
    "a wrong line names file, line and reason, and leaves the colour as it was",
    arguments: [
      ("palette = 256=#ffffff", "a palette index is a number from 0 to 255, not '256'"),
      ("palette = -1=#ffffff", "a palette index is a number from 0 to 255, not '-1'"),
      ("palette = red=#ffffff", "a palette index is a number from 0 to 255, not 'red'"),
      ("palette = #ffffff", "expected 'palette = N=#rrggbb', found '#ffffff'"),
      ("palette = 3=#ggffff", "a colour is written #rrggbb, not '#ggffff'"),
      ("cursor-color = #12345", "a colour is written #rrggbb, not '#12345'"),
      ("cursor-color = +12345", "a colour is written #rrggbb, not '+12345'"),
      ("foreground", "expected 'key = value', found 'foreground'"),
      ("= #ffffff", "nothing stands before the equals sign"),
    ]
  )
  func wrongLines(line: String, reason: String) {
    let good = "background = #000000\nforeground = #ffffff\n"
    let result = parse(good + line)
    #expect(result.notes.map(\.description) == ["mine:3: \(reason)"])
    #expect(result.notes.first?.severity == .error)
    #expect(result.theme == parse(good).theme)
  }

  @Test("an unknown setting is a remark")
  func unknownKey() {
    let result = parse("background = #000\nforeground = #fff\nbold-color = #eeeeee")
    #expect(result.notes.map(\.severity) == [.remark])
    #expect(result.notes.first?.line == 3)
  }

  @Test("a file without background and text is noted as a whole, and still gives a theme")
  func emptyFile() {
    let result = parse("")
    #expect(
      result.notes.map(\.description) == [
        "mine: it sets no background; a plain one is used",
        "mine: it sets no foreground; a plain one is used",
      ]
    )
    #expect(result.theme.foreground.contrast(with: result.theme.background) > 7)
  }

  @Test("binary rubbish, endless lines and other line ends do no harm")
  func rubbish() {
    let long = "background = " + String(repeating: "f", count: 10_000)
    #expect(parse(long).notes.first?.reason == "the line is too long")
    let bytes = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 7_919) }
    #expect(parse(String(decoding: bytes, as: UTF8.self)).theme.palette.count == 256)
    let windows = parse("\u{FEFF}background = #010203\r\nforeground = #ffffff\r\n")
    #expect(windows.notes == [])
    #expect(windows.theme.background == ThemeColor(bits: 0x010203))
  }

  @Test("contrast is WCAG's")
  func contrast() {
    let black = ThemeColor(bits: 0)
    let white = ThemeColor(bits: 0xFFFFFF)
    #expect(abs(black.contrast(with: white) - 21) < 0.1)
    #expect(abs(ThemeColor(bits: 0x777777).contrast(with: white) - 4.48) < 0.1)
    #expect(white.contrast(with: white) == 1)
  }

  @Test("a colour is moved only as far as it must")
  func legible() {
    let ground = ThemeColor(bits: 0x202020)
    let ink = ThemeColor(bits: 0xF0F0F0)
    let fine = ThemeColor(bits: 0x80C0FF)
    #expect(fine.legible(4.5, on: [ground], towards: ink) == fine)
    let weak = ThemeColor(bits: 0x303050).legible(4.5, on: [ground], towards: ink)
    #expect(weak.contrast(with: ground) >= 4.5)
    #expect(weak.contrast(with: ground) < 6)
    let faint = ThemeColor(bits: 0x303050).legible(4.5, on: [ground], towards: ground)
    #expect(faint.contrast(with: ground) >= 4.5)
  }

  @Test("a colour prints as it is read")
  func hex() {
    #expect(ThemeColor(bits: 0x00A0B).hex == "#000a0b")
    #expect(ThemeColor(hex: "#000a0b") == ThemeColor(bits: 0x000A0B))
    #expect(ThemeColor(hex: "") == nil)
  }
}
