/// A colour of the outer terminal, before it is fitted to what the terminal can show.
public enum ScreenColor: Hashable, Sendable {
  /// The terminal's own default foreground or background.
  case standard
  /// An entry of the 256-colour palette; 0 to 15 are the person's own theme colours.
  case indexed(UInt8)
  /// A 24-bit colour: red, green, blue.
  case rgb(UInt8, UInt8, UInt8)
}

/// How a line under the text looks.
public enum ScreenUnderline: UInt8, Hashable, Sendable, CaseIterable {
  /// No line.
  case none
  /// One straight line.
  case single
  /// Two straight lines.
  case double
  /// A wave.
  case curly
  /// Dots.
  case dotted
  /// Dashes.
  case dashed
}

/// The looks of a cell that are on or off.
public struct ScreenAttributes: OptionSet, Hashable, Sendable {
  /// One bit an attribute.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Heavier strokes (SGR 1).
  public static let bold = ScreenAttributes(rawValue: 1)
  /// Dimmer colour (SGR 2).
  public static let faint = ScreenAttributes(rawValue: 2)
  /// Slanted (SGR 3).
  public static let italic = ScreenAttributes(rawValue: 4)
  /// Blinking (SGR 5).
  public static let blink = ScreenAttributes(rawValue: 8)
  /// Foreground and background exchanged (SGR 7).
  public static let inverse = ScreenAttributes(rawValue: 16)
  /// Not shown, but still there (SGR 8).
  public static let hidden = ScreenAttributes(rawValue: 32)
  /// A line through the text (SGR 9).
  public static let strikethrough = ScreenAttributes(rawValue: 64)
  /// A line above the text (SGR 53).
  public static let overline = ScreenAttributes(rawValue: 128)
}
