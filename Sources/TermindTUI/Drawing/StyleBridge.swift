import TermindPresentation
import TermindScreen
import TermindTerminal

/// Turns a pane's styles into the styles of the window's canvas.
///
/// With a theme, the program's sixteen colours and defaults become the theme's; without one they stay
/// what the outer terminal shows. Colours that the program itself redefined win over both.
struct StyleBridge {
  private let palette: TerminalPalette
  private let theme: Theme?
  private var cache: [UInt32: StyleIndex] = [:]

  /// Makes a bridge for one pane and one frame.
  ///
  /// - Parameters:
  ///   - palette: The pane's colours with what its program redefined.
  ///   - theme: The window's theme; nil follows the outer terminal.
  init(palette: TerminalPalette, theme: Theme?) {
    self.palette = palette
    self.theme = theme
  }

  /// The canvas style of a cell; each style of the pane is translated once a frame.
  mutating func style(_ index: UInt32, of terminal: Terminal, in canvas: inout Canvas) -> StyleIndex
  {
    if let known = cache[index] { return known }
    let made = canvas.intern(translated(terminal.style(index)))
    cache[index] = made
    return made
  }

  /// The style of a cell that holds nothing.
  var blank: ScreenStyle { translated(TerminalStyle()) }

  private func translated(_ style: TerminalStyle) -> ScreenStyle {
    var attributes = ScreenAttributes()
    for (from, to) in Self.attributes where style.attributes.contains(from) {
      attributes.insert(to)
    }
    return ScreenStyle(
      foreground: color(style.foreground, palette.foreground, theme?.foreground),
      background: color(style.background, palette.background, theme?.background),
      underlineColor: color(style.underlineColor, nil, nil),
      underline: underline(style.underline),
      attributes: attributes,
      link: style.hyperlink
    )
  }

  private func color(
    _ color: TerminalColor,
    _ standard: RGBColor?,
    _ themed: ThemeColor?
  ) -> ScreenColor {
    switch color {
    case .rgb(let red, let green, let blue): return .rgb(red, green, blue)
    case .standard:
      if let standard { return .rgb(standard.red, standard.green, standard.blue) }
      return themed.map(Appearance.screenColor) ?? .standard
    case .indexed(let index):
      if let changed = palette[index] { return .rgb(changed.red, changed.green, changed.blue) }
      guard let theme, Int(index) < theme.palette.count else { return .indexed(index) }
      return Appearance.screenColor(theme.palette[Int(index)])
    }
  }

  private static let attributes: [(TerminalAttributes, ScreenAttributes)] = [
    (.bold, .bold), (.faint, .faint), (.italic, .italic), (.blink, .blink), (.inverse, .inverse),
    (.hidden, .hidden), (.strikethrough, .strikethrough), (.overline, .overline),
  ]

  private func underline(_ style: UnderlineStyle) -> ScreenUnderline {
    switch style {
    case .none: .none
    case .single: .single
    case .double: .double
    case .curly: .curly
    case .dotted: .dotted
    case .dashed: .dashed
    }
  }
}
