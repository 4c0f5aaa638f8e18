/// A colour as a program selects it.
public enum TerminalColor: Hashable, Sendable {
  /// The terminal's own foreground, background or underline colour.
  case standard
  /// One of the 256 palette colours.
  case indexed(UInt8)
  /// A 24-bit colour: red, green, blue.
  case rgb(UInt8, UInt8, UInt8)
}

/// The line below a cell's text (SGR 4:0 to 4:5, and 21).
public enum UnderlineStyle: UInt8, Hashable, Sendable {
  /// No line.
  case none
  /// One straight line.
  case single
  /// Two straight lines.
  case double
  /// A wave.
  case curly
  /// A row of dots.
  case dotted
  /// A row of dashes.
  case dashed
}

/// The on-or-off attributes of a cell.
public struct TerminalAttributes: OptionSet, Hashable, Sendable {
  /// The attribute bits.
  public let rawValue: UInt16

  /// Makes a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// SGR 1.
  public static let bold = TerminalAttributes(rawValue: 1)
  /// SGR 2.
  public static let faint = TerminalAttributes(rawValue: 2)
  /// SGR 3.
  public static let italic = TerminalAttributes(rawValue: 4)
  /// SGR 5 and 6.
  public static let blink = TerminalAttributes(rawValue: 8)
  /// SGR 7.
  public static let inverse = TerminalAttributes(rawValue: 16)
  /// SGR 8.
  public static let hidden = TerminalAttributes(rawValue: 32)
  /// SGR 9.
  public static let strikethrough = TerminalAttributes(rawValue: 64)
  /// SGR 53.
  public static let overline = TerminalAttributes(rawValue: 128)
}

/// How a cell looks.
public struct TerminalStyle: Hashable, Sendable {
  /// The colour of the text.
  public var foreground: TerminalColor
  /// The colour behind the text.
  public var background: TerminalColor
  /// The colour of the underline; the standard one follows the text.
  public var underlineColor: TerminalColor
  /// The line below the text.
  public var underline: UnderlineStyle
  /// The on-or-off attributes.
  public var attributes: TerminalAttributes
  /// The address that the cell links to (OSC 8).
  public var hyperlink: String?

  /// Makes a style; without arguments it is the plain one.
  ///
  /// - Parameters:
  ///   - foreground: The colour of the text.
  ///   - background: The colour behind the text.
  ///   - underlineColor: The colour of the underline.
  ///   - underline: The line below the text.
  ///   - attributes: The on-or-off attributes.
  ///   - hyperlink: The address that the cell links to.
  public init(
    foreground: TerminalColor = .standard,
    background: TerminalColor = .standard,
    underlineColor: TerminalColor = .standard,
    underline: UnderlineStyle = .none,
    attributes: TerminalAttributes = [],
    hyperlink: String? = nil
  ) {
    self.foreground = foreground
    self.background = background
    self.underlineColor = underlineColor
    self.underline = underline
    self.attributes = attributes
    self.hyperlink = hyperlink
  }
}
