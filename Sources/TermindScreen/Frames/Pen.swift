/// A style fitted to what the terminal can show: what the next character will look like.
struct Pen: Hashable, Sendable {
  /// A colour in one word: 0 is the terminal's own, 1 in the top byte marks a palette entry, 2 a 24-bit colour.
  typealias Color = UInt32

  var foreground: Color = 0
  var background: Color = 0
  var underlineColor: Color = 0
  var underline = ScreenUnderline.none
  var attributes: ScreenAttributes = []
  /// 0 for none, otherwise one more than the place in the writer's list of links.
  var link: UInt32 = 0

  static let plain = Pen()

  static func indexed(_ index: UInt8) -> Color { 1 << 24 | UInt32(index) }
  static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  private static let visibleOnBlank: ScreenAttributes = [.inverse, .strikethrough, .overline]

  /// Whether a space drawn with this pen shows only its background.
  var isBackgroundOnly: Bool {
    underline == .none && link == 0 && attributes.isDisjoint(with: Self.visibleOnBlank)
  }

  /// Whether a space looks the same with both pens.
  func blanksLike(_ other: Pen) -> Bool {
    background == other.background && isBackgroundOnly && other.isBackgroundOnly
  }
}
