public import TermindScreen

/// What a piece of the interface stands on.
public enum Ground: Int, Hashable, Sendable, CaseIterable {
  /// A pane or a whole screen.
  case pane
  /// The tab bar, the sidebar and the status line.
  case bar
  /// A sheet over everything else.
  case sheet
  /// The chosen row of a list, the tab in front.
  case selection
  /// A text field.
  case field
}

/// What a piece of the interface is drawn with.
public enum Ink: Int, Hashable, Sendable, CaseIterable {
  /// Plain text.
  case text
  /// What matters less.
  case dim
  /// The one colour that leads the eye: focus, keys, matches.
  case accent
  /// Lines between things.
  case border
  /// Lines around what has the focus.
  case focusedBorder
  /// Look here: activity, broadcast, a lost connection that comes back.
  case warning
  /// Something failed, or would be lost.
  case danger
  /// Something is up or done.
  case success

  /// The contrast that it keeps on every ground.
  var minimumContrast: Double {
    switch self {
    case .text, .dim, .accent, .warning, .danger, .success: 4.5
    case .focusedBorder: 3
    case .border: 1.4
    }
  }
}

/// The looks of the interface: a theme, fitted to what the terminal can show.
///
/// With 24 bits or 256 colours every colour is the theme's or derived from it. With 16 the terminal's
/// own colours stay, and with none everything is told by bold, faint, underlined and reversed text.
public struct Appearance: Hashable, Sendable {
  /// The theme.
  public let theme: Theme
  /// How many colours the terminal shows.
  public let depth: ScreenColorDepth
  private let grounds: [ThemeColor]
  private let inks: [[ThemeColor]]

  /// Derives the looks.
  public init(theme: Theme, depth: ScreenColorDepth) {
    self.theme = theme
    self.depth = depth
    let grounds = Self.grounds(of: theme)
    self.grounds = grounds
    inks = grounds.map { ground in
      Ink.allCases.map { ink in
        let color = Self.color(of: ink, on: ground, theme)
        return color.legible(ink.minimumContrast, on: [ground], towards: theme.foreground)
      }
    }
  }

  /// Whether the theme's colours are shown, rather than the terminal's own.
  public var usesThemeColors: Bool { depth >= .indexed256 }

  /// The style of a piece of the interface.
  public func style(_ ink: Ink, on ground: Ground, bold: Bool = false) -> ScreenStyle {
    var style: ScreenStyle
    switch depth {
    case .trueColor, .indexed256:
      style = ScreenStyle(
        foreground: Self.screenColor(color(ink, on: ground)),
        background: Self.screenColor(color(of: ground))
      )
    case .indexed16: style = Self.sixteen(ink, on: ground)
    case .monochrome: style = Self.monochrome(ink, on: ground)
    }
    if bold { style.attributes.insert(.bold) }
    return style
  }

  /// The colour of a ground when the theme's colours are shown.
  public func color(of ground: Ground) -> ThemeColor { grounds[ground.rawValue] }

  /// The colour of an ink when the theme's colours are shown.
  public func color(_ ink: Ink, on ground: Ground) -> ThemeColor {
    inks[ground.rawValue][ink.rawValue]
  }

  /// The plain cells of a pane: the theme's text on its background.
  public var paneStyle: ScreenStyle {
    guard usesThemeColors else { return .plain }
    return ScreenStyle(
      foreground: Self.screenColor(theme.foreground),
      background: Self.screenColor(theme.background)
    )
  }

  /// How a cell of a pane's last screen looks once its program is gone.
  public func greyed(_ style: ScreenStyle) -> ScreenStyle {
    var style = style
    style.attributes.remove([.bold, .blink])
    style.link = nil
    guard usesThemeColors else {
      style.foreground = .standard
      style.background = .standard
      style.attributes.insert(.faint)
      return style
    }
    style.foreground = Self.screenColor(color(.dim, on: .pane))
    style.background = Self.screenColor(theme.background)
    style.underlineColor = .standard
    return style
  }

  /// A theme's colour as the screen takes it.
  public static func screenColor(_ color: ThemeColor) -> ScreenColor {
    .rgb(color.red, color.green, color.blue)
  }

  // MARK: - Derived colours

  private static func grounds(of theme: Theme) -> [ThemeColor] {
    let paper = theme.background
    let ink = theme.foreground
    let sheet = paper.mixed(with: ink, 0.09)
    var selection = theme.selectionBackground ?? sheet.mixed(with: theme.palette[4], 0.35)
    // A selection that the sheet swallows, or that swallows the text, is no selection.
    if selection.contrast(with: sheet) < 1.2 || selection.contrast(with: ink) < 2.5 {
      selection = sheet.mixed(with: theme.palette[4], 0.35)
    }
    return [paper, paper.mixed(with: ink, 0.05), sheet, selection, paper.mixed(with: ink, 0.15)]
  }

  private static func color(of ink: Ink, on ground: ThemeColor, _ theme: Theme) -> ThemeColor {
    switch ink {
    case .text: theme.foreground
    case .dim: theme.foreground.mixed(with: ground, 0.4)
    case .accent, .focusedBorder: theme.palette[4]
    case .border: theme.foreground.mixed(with: ground, 0.75)
    case .warning: theme.palette[3]
    case .danger: theme.palette[1]
    case .success: theme.palette[2]
    }
  }

  // MARK: - Fewer colours

  private static func sixteen(_ ink: Ink, on ground: Ground) -> ScreenStyle {
    var style = ScreenStyle()
    switch ink {
    case .text: break
    case .dim, .border: style.attributes.insert(.faint)
    case .accent, .focusedBorder: style.foreground = .indexed(6)
    case .warning: style.foreground = .indexed(3)
    case .danger: style.foreground = .indexed(1)
    case .success: style.foreground = .indexed(2)
    }
    switch ground {
    case .pane, .bar, .sheet: break
    case .selection:
      // Reversed, colours may not be readable; the weight tells them apart.
      style.attributes.remove(.faint)
      if style.foreground != .standard { style.attributes.insert(.bold) }
      style.foreground = .standard
      style.attributes.insert(.inverse)
    case .field: style.underline = .single
    }
    return style
  }

  private static func monochrome(_ ink: Ink, on ground: Ground) -> ScreenStyle {
    var style = ScreenStyle()
    switch ink {
    case .text, .success: break
    case .dim, .border: style.attributes.insert(.faint)
    case .accent, .focusedBorder, .warning, .danger: style.attributes.insert(.bold)
    }
    switch ground {
    case .pane, .bar, .sheet: break
    case .selection:
      style.attributes.remove(.faint)
      style.attributes.insert(.inverse)
    case .field: style.underline = .single
    }
    return style
  }
}
