import TermindPresentation
import TermindScreen
import TermindTerminal

/// Turns a pane's styles into the styles of the window's canvas.
///
/// With a theme, the program's sixteen colours and defaults become the theme's; without one they stay
/// what the outer terminal shows. Colours that the program itself redefined win over both.
struct StyleBridge {
  /// What decides how a style looks.
  struct Colors: Equatable {
    /// The pane's colours with what its program redefined.
    let palette: TerminalPalette
    /// The window's theme; nil follows the outer terminal.
    let theme: Theme?
    /// Whether standard text and background change places (DECSCNM).
    let isReversed: Bool

    init(of terminal: Terminal, theme: Theme?) {
      palette = terminal.palette
      self.theme = theme
      isReversed = terminal.modes.reverseScreen
    }
  }

  let colors: Colors
  private var cache: [UInt32: StyleIndex] = [:]
  private var palette: TerminalPalette { colors.palette }
  private var theme: Theme? { colors.theme }

  /// Makes a bridge for one pane and one frame.
  init(_ colors: Colors) { self.colors = colors }

  /// A theme as the emulator answers colour questions with it.
  static func palette(of theme: Theme) -> TerminalPalette {
    var roles: [TerminalPalette.Role: UInt32] = [
      .foreground: theme.foreground.bits, .background: theme.background.bits,
    ]
    roles[.cursor] = theme.cursor?.bits
    roles[.selectionBackground] = theme.selectionBackground?.bits
    roles[.selectionForeground] = theme.selectionForeground?.bits
    return TerminalPalette(colors: theme.palette.map(\.bits), roles: roles)
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
    var text = (palette.changedColor(.foreground), theme?.foreground)
    var ground = (palette.changedColor(.background), theme?.background)
    if colors.isReversed { swap(&text, &ground) }
    if colors.isReversed, theme == nil, style.foreground == .standard, style.background == .standard
    {
      // The outer terminal's own two colours have no names; its inverse exchanges them.
      attributes.formSymmetricDifference(.inverse)
    }
    return ScreenStyle(
      foreground: color(style.foreground, text.0, text.1),
      background: color(style.background, ground.0, ground.1),
      underlineColor: color(style.underlineColor, nil, nil),
      underline: underline(style.underline),
      attributes: attributes,
      link: style.hyperlink
    )
  }

  private func color(
    _ color: TerminalColor,
    _ changed: UInt32?,
    _ themed: ThemeColor?
  ) -> ScreenColor {
    switch color {
    case .rgb(let red, let green, let blue): return .rgb(red, green, blue)
    case .standard:
      if let changed { return Self.rgb(changed) }
      return themed.map(Appearance.screenColor) ?? .standard
    case .indexed(let index):
      if let changed = palette.changedColor(index) { return Self.rgb(changed) }
      guard let theme, Int(index) < theme.palette.count else { return .indexed(index) }
      return Appearance.screenColor(theme.palette[Int(index)])
    }
  }

  private static func rgb(_ bits: UInt32) -> ScreenColor {
    .rgb(UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF))
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
