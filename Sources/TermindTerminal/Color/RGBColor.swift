/// A colour of 8 bits a channel, as programs name, set and ask for.
public struct RGBColor: Hashable, Sendable {
  /// The channels.
  public var red, green, blue: UInt8

  /// Makes a colour from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Makes a colour from `0xRRGGBB`; higher bits are dropped.
  public init(hexadecimal value: UInt32) {
    red = UInt8(truncatingIfNeeded: value >> 16)
    green = UInt8(truncatingIfNeeded: value >> 8)
    blue = UInt8(truncatingIfNeeded: value)
  }

  /// The form of answers to colour queries: `rgb:rrrr/gggg/bbbb`.
  public var report: String {
    "rgb:" + [red, green, blue].map { Self.pair($0) + Self.pair($0) }.joined(separator: "/")
  }

  /// The form `#rrggbb`.
  public var hexadecimalText: String {
    "#" + [red, green, blue].map(Self.pair).joined()
  }

  private static func pair(_ value: UInt8) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }
}

extension RGBColor {
  /// The 256 colours that xterm starts with: 16 of its own, a cube of 216 and 24 greys.
  public static let defaultPalette: [RGBColor] = basic + cube + greys

  private static let basic: [RGBColor] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F,
    0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ].map { RGBColor(hexadecimal: $0) }

  private static let cube: [RGBColor] = (0..<216).map { index in
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    return RGBColor(
      red: levels[index / 36],
      green: levels[index / 6 % 6],
      blue: levels[index % 6]
    )
  }

  private static let greys: [RGBColor] = (0..<24).map { step in
    let level = UInt8(8 + 10 * step)
    return RGBColor(red: level, green: level, blue: level)
  }
}
