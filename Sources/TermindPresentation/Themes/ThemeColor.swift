/// A colour of 24 bits, as a theme file names it.
public struct ThemeColor: Hashable, Sendable {
  /// Red, from 0 to 255.
  public let red: UInt8
  /// Green, from 0 to 255.
  public let green: UInt8
  /// Blue, from 0 to 255.
  public let blue: UInt8

  /// Makes a colour of its three parts.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Makes a colour of its bits, `0xRRGGBB`.
  public init(bits: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: bits >> 16),
      green: UInt8(truncatingIfNeeded: bits >> 8),
      blue: UInt8(truncatingIfNeeded: bits)
    )
  }

  /// Reads `#rrggbb`, `rrggbb`, `#rgb` or `rgb`; nil for anything else.
  public init?(hex text: some StringProtocol) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.allSatisfy(Self.isHexDigit) else { return nil }
    guard let bits = UInt32(digits, radix: 16) else { return nil }
    switch digits.utf8.count {
    case 6: self.init(bits: bits)
    case 3:
      let red = (bits >> 8 & 0xF) * 0x11
      let green = (bits >> 4 & 0xF) * 0x11
      let blue = (bits & 0xF) * 0x11
      self.init(bits: red << 16 | green << 8 | blue)
    default: return nil
    }
  }

  /// The colour as `#rrggbb`.
  public var hex: String {
    let bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let digits = String(bits, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Relative luminance from 0 (black) to 1 (white), as WCAG 2 defines it.
  public var luminance: Double {
    let red = 0.2126 * Self.linear(red)
    let green = 0.7152 * Self.linear(green)
    let blue = 0.0722 * Self.linear(blue)
    return red + green + blue
  }

  /// The WCAG 2 contrast ratio with another colour, from 1 (same) to 21 (black on white).
  public func contrast(with other: ThemeColor) -> Double {
    let mine = luminance
    let theirs = other.luminance
    return (max(mine, theirs) + 0.05) / (min(mine, theirs) + 0.05)
  }

  /// The colour on the way to `other`; 0 gives this colour, 1 the other one.
  public func mixed(with other: ThemeColor, _ share: Double) -> ThemeColor {
    func part(_ from: UInt8, _ to: UInt8) -> UInt8 {
      let value = Double(from) + (Double(to) - Double(from)) * min(max(share, 0), 1)
      return UInt8(min(max(value.rounded(), 0), 255))
    }
    return ThemeColor(
      red: part(red, other.red),
      green: part(green, other.green),
      blue: part(blue, other.blue)
    )
  }

  /// This colour, moved towards `ink` just so far that it stands out from every ground.
  ///
  /// - Parameters:
  ///   - minimum: The contrast to reach with each ground.
  ///   - grounds: The colours behind the text.
  ///   - ink: The colour to move towards, usually the theme's text; when even that is too weak, black or
  ///     white is taken, whichever is further from the first ground.
  /// - Returns: The first step of twenty that reaches the contrast, or the strongest one there is.
  public func legible(
    _ minimum: Double,
    on grounds: [ThemeColor],
    towards ink: ThemeColor
  ) -> ThemeColor {
    guard let ground = grounds.first else { return self }
    let end = ground.luminance < 0.18 ? ThemeColor(bits: 0xFFFFFF) : ThemeColor(bits: 0)
    for target in [ink, end] {
      for step in 0...20 {
        let candidate = mixed(with: target, Double(step) / 20)
        if grounds.allSatisfy({ candidate.contrast(with: $0) >= minimum }) { return candidate }
      }
    }
    return end
  }

  /// The sRGB transfer curve, as the usual cubic that stays within 0.002 of the exact one.
  private static func linear(_ part: UInt8) -> Double {
    let value = Double(part) / 255
    let inner = value * 0.305306011 + 0.682171111
    return value * (value * inner + 0.012522878)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}

extension ThemeColor {
  /// The colour as 0xRRGGBB.
  public var bits: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
