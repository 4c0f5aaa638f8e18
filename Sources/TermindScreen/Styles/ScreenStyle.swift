/// How a cell looks: colours, underline, attributes and an optional hyperlink.
public struct ScreenStyle: Hashable, Sendable {
  /// Colour of the text.
  public var foreground: ScreenColor
  /// Colour behind the text.
  public var background: ScreenColor
  /// Colour of the underline; `.standard` follows the text.
  public var underlineColor: ScreenColor
  /// The line under the text.
  public var underline: ScreenUnderline
  /// What else is on.
  public var attributes: ScreenAttributes
  /// Target of a hyperlink (OSC 8).
  ///
  /// Anything but printable ASCII in it is percent-encoded on the way out.
  public var link: String?

  /// Makes a style; everything not given is plain.
  public init(
    foreground: ScreenColor = .standard,
    background: ScreenColor = .standard,
    underlineColor: ScreenColor = .standard,
    underline: ScreenUnderline = .none,
    attributes: ScreenAttributes = [],
    link: String? = nil
  ) {
    self.foreground = foreground
    self.background = background
    self.underlineColor = underlineColor
    self.underline = underline
    self.attributes = attributes
    self.link = link
  }

  /// The terminal's own look.
  public static let plain = ScreenStyle()
}

/// A style of one canvas, as a small number.
///
/// It holds for the canvas that gave it out and for copies of that canvas, until the next `beginFrame`.
public struct StyleIndex: Hashable, Sendable {
  /// Place in the style table of the canvas.
  public let rawValue: UInt32

  /// Names a place in a style table; a place that does not exist is drawn as `plain`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The plain style, which every canvas has.
  public static let plain = StyleIndex(rawValue: 0)
}
