@testable import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Appearance") struct AppearanceTests {
  static let themes: [Theme] = ShippedFiles.themes.map {
    ThemeParser.parse($0.text, name: $0.name, file: $0.name).theme
  }

  @Test("every ink keeps its contrast on every ground of every theme", arguments: themes)
  func contrast(theme: Theme) {
    let look = Appearance(theme: theme, depth: .trueColor)
    for ground in Ground.allCases {
      for ink in Ink.allCases {
        let ratio = look.color(ink, on: ground).contrast(with: look.color(of: ground))
        #expect(ratio >= ink.minimumContrast - 0.001, "\(theme.name): \(ink) on \(ground)")
      }
    }
  }

  @Test("even a theme of one colour is readable", arguments: [0x000000, 0xFFFFFF, 0x808080])
  func flatTheme(bits: UInt32) {
    var theme = Theme(name: "flat")
    theme.background = ThemeColor(bits: bits)
    theme.foreground = ThemeColor(bits: bits)
    theme.palette = Array(repeating: ThemeColor(bits: bits), count: 256)
    theme.selectionBackground = ThemeColor(bits: bits)
    let look = Appearance(theme: theme, depth: .trueColor)
    for ground in Ground.allCases {
      let ratio = look.color(.text, on: ground).contrast(with: look.color(of: ground))
      #expect(ratio >= 4.4, "\(ground)")
    }
  }

  @Test("a chosen row can be told from its sheet", arguments: themes)
  func selection(theme: Theme) {
    let look = Appearance(theme: theme, depth: .trueColor)
    #expect(look.color(of: .selection).contrast(with: look.color(of: .sheet)) >= 1.15)
    #expect(look.color(.focusedBorder, on: .pane) != look.color(.border, on: .pane))
  }

  @Test("with 16 colours only the terminal's own are used")
  func sixteen() {
    let look = Appearance(theme: ThemeLibrary.standard(dark: true), depth: .indexed16)
    for ground in Ground.allCases {
      for ink in Ink.allCases {
        let style = look.style(ink, on: ground)
        #expect(style.background == .standard)
        switch style.foreground {
        case .standard: break
        case .indexed(let index): #expect(index < 8)
        case .rgb: Issue.record("\(ink) on \(ground) is no palette colour")
        }
      }
    }
    #expect(look.style(.text, on: .selection).attributes.contains(.inverse))
    #expect(look.paneStyle == .plain)
  }

  @Test("without colours what matters differs by attributes")
  func monochrome() {
    let look = Appearance(theme: ThemeLibrary.standard(dark: true), depth: .monochrome)
    for ground in Ground.allCases {
      for ink in Ink.allCases {
        let style = look.style(ink, on: ground)
        #expect(style.foreground == .standard && style.background == .standard)
      }
    }
    let pairs: [(ScreenStyle, ScreenStyle)] = [
      (look.style(.focusedBorder, on: .pane), look.style(.border, on: .pane)),
      (look.style(.text, on: .selection), look.style(.text, on: .sheet)),
      (look.style(.text, on: .field), look.style(.text, on: .sheet)),
      (look.style(.danger, on: .sheet), look.style(.text, on: .sheet)),
      (look.style(.dim, on: .sheet), look.style(.text, on: .sheet)),
    ]
    for (left, right) in pairs { #expect(left != right) }
  }

  @Test(
    "the last screen of a dead pane is greyed",
    arguments: [
      ScreenColorDepth.trueColor, .indexed256, .indexed16, .monochrome,
    ]
  )
  func greyed(depth: ScreenColorDepth) {
    let look = Appearance(theme: ThemeLibrary.standard(dark: true), depth: depth)
    let loud = ScreenStyle(
      foreground: .rgb(255, 0, 0),
      background: .indexed(2),
      attributes: [.bold, .blink, .italic],
      link: "https://example.org"
    )
    let quiet = look.greyed(loud)
    #expect(quiet.attributes.isDisjoint(with: [.bold, .blink]))
    #expect(quiet.attributes.contains(.italic))
    #expect(quiet.link == nil)
    #expect(quiet.foreground != loud.foreground)
    #expect(look.greyed(quiet) == quiet)
  }
}

@Suite("Plain terminals") struct PlainTerminalTests {
  @Test(
    "every glyph of the interface has an ASCII stand-in",
    arguments: Array(
      "─│┌┐└┘├┤┬┴┼●▣…›‹×⚡✓▸·←→↑↓•⇄‘’"
    )
  )
  func ascii(glyph: Character) throws {
    let scalar = try #require(glyph.unicodeScalars.first)
    #expect(AsciiFallback.scalar(for: scalar.value) != 0x3F)
  }
}
