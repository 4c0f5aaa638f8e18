/// The colours of a theme, as read from a file in Ghostty's format.
public struct Theme: Hashable, Sendable {
  /// The name that people choose it by; the file's name.
  public var name: String
  /// The 256 indexed colours; those that a file leaves out are xterm's.
  public var palette: [ThemeColor]
  /// The colour of plain text.
  public var foreground: ThemeColor
  /// The colour behind plain text.
  public var background: ThemeColor
  /// The cursor; nil means that it takes the colour of the text under it.
  public var cursor: ThemeColor?
  /// The text under the cursor; nil means the background.
  public var cursorText: ThemeColor?
  /// Behind selected text; nil means that selected text is shown inverted.
  public var selectionBackground: ThemeColor?
  /// Selected text; nil means that it keeps its colour.
  public var selectionForeground: ThemeColor?

  /// Makes a theme of xterm's colours; a parser then replaces what its file names.
  public init(name: String) {
    self.name = name
    palette = Self.standardPalette
    foreground = ThemeColor(bits: 0xD0D0D0)
    background = ThemeColor(bits: 0x1C1C1C)
  }

  /// Whether the theme is a dark one: its background is darker than its text.
  public var isDark: Bool { background.luminance < foreground.luminance }

  /// xterm's 256 colours: 16 named ones, a cube of 6 by 6 by 6, and 24 greys.
  public static let standardPalette: [ThemeColor] = {
    let named: [UInt32] = [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
      0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    var colors = named.map(ThemeColor.init(bits:))
    for red in levels {
      for green in levels {
        for blue in levels { colors.append(ThemeColor(red: red, green: green, blue: blue)) }
      }
    }
    for step in 0..<24 {
      let grey = UInt8(8 + 10 * step)
      colors.append(ThemeColor(red: grey, green: grey, blue: grey))
    }
    return colors
  }()
}
