/// A style in a form that is small to keep and quick to compare.
struct PackedStyle: Hashable {
  /// 0 for standard, else a kind in bits 24 and 25 over the index or the three colour bytes.
  var foreground: UInt32 = 0
  var background: UInt32 = 0
  var underlineColor: UInt32 = 0
  /// Attribute bits below, the underline style in bits 16 to 18.
  var flags: UInt32 = 0
  /// Number of the hyperlink, 0 for none.
  var link: UInt32 = 0

  init(
    foreground: UInt32 = 0,
    background: UInt32 = 0,
    underlineColor: UInt32 = 0,
    flags: UInt32 = 0,
    link: UInt32 = 0
  ) {
    self.foreground = foreground
    self.background = background
    self.underlineColor = underlineColor
    self.flags = flags
    self.link = link
  }

  static let plain = PackedStyle()
  static let indexedKind: UInt32 = 1 << 24
  static let rgbKind: UInt32 = 2 << 24

  static func indexed(_ index: UInt8) -> UInt32 { indexedKind | UInt32(index) }

  static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
    rgbKind | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  static func color(_ packed: UInt32) -> TerminalColor {
    switch packed >> 24 {
    case 1: return .indexed(UInt8(truncatingIfNeeded: packed))
    case 2:
      return .rgb(
        UInt8(truncatingIfNeeded: packed >> 16),
        UInt8(truncatingIfNeeded: packed >> 8),
        UInt8(truncatingIfNeeded: packed)
      )
    default: return .standard
    }
  }

  var attributes: TerminalAttributes {
    get { TerminalAttributes(rawValue: UInt16(truncatingIfNeeded: flags)) }
    set { flags = flags & 0xFFFF_0000 | UInt32(newValue.rawValue) }
  }

  var underline: UnderlineStyle {
    get { UnderlineStyle(rawValue: UInt8(truncatingIfNeeded: flags >> 16)) ?? .none }
    set { flags = flags & 0xFFFF | UInt32(newValue.rawValue) << 16 }
  }

  /// What an erase leaves behind: the background alone (xterm's background colour erase).
  var erasing: PackedStyle { PackedStyle(background: background) }

  // MARK: Styles that are their own number

  /// Set in the number of a style that stands for itself.
  static let directBit: UInt32 = 1 << 31
  /// Bold, faint, italic, blink and inverse.
  private static let directFlags: UInt32 = 0x1F

  /// The number that is the style itself, where it has no more than a foreground and the usual attributes.
  ///
  /// The foreground takes bits 0 to 25, the attributes bits 26 to 30; the plain style is 0.
  @inline(__always)
  var direct: UInt32? {
    guard background | underlineColor | link | (flags & ~Self.directFlags) == 0 else { return nil }
    let number = foreground | flags &<< 26
    return number == 0 ? 0 : number | Self.directBit
  }

  /// The style that is meant by a number with `directBit`.
  @inline(__always)
  init(direct number: UInt32) {
    foreground = number & 0x03FF_FFFF
    flags = number &>> 26 & Self.directFlags
  }

  // MARK: Looking up

  var hashed: UInt32 {
    var value = UInt64(foreground) | UInt64(background) << 32
    value = (value ^ (value >> 29)) &* 0x9E37_79B9_7F4A_7C15
    value ^= UInt64(underlineColor) | UInt64(flags) << 32
    value = (value ^ (value >> 32)) &* 0xD6E8_FEB8_6659_FD93
    value ^= UInt64(link)
    value = (value ^ (value >> 29)) &* 0x9E37_79B9_7F4A_7C15
    return UInt32(truncatingIfNeeded: value >> 32)
  }
}
