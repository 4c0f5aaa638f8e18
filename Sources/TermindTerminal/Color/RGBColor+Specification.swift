/// Colours as XParseColor reads them, which is what xterm accepts in OSC 4, 10, 11 and the like.
extension RGBColor {
  /// Reads a colour name, `#` with 1 to 4 digits a channel, `rgb:h/h/h` with 1 to 4 digits each, `rgbi:f/f/f`, or
  /// one of the CIE's kinds (`CIEXYZ:`, `CIEuvY:`, `CIExyY:`, `CIELab:`, `CIELuv:`, `TekHVC:`).
  ///
  /// Upper and lower case are the same. In the `#` forms the digits are the highest ones of the channel, so
  /// `#fff` is a little darker than white; in `rgb:` they are scaled.
  public init?(specification: String) {
    let text = specification.lowercased()
    guard text.utf8.count <= 64 else { return nil }
    let color: RGBColor?
    if text.hasPrefix("#") {
      color = Self.sharp(text.utf8.dropFirst())
    } else if text.hasPrefix("rgb:") {
      color = Self.channels(text.dropFirst(4), Self.scaled)
    } else if text.hasPrefix("rgbi:") {
      color = Self.channelsByIntensity(text.dropFirst(5))
    } else if text.contains(":") {
      color = DeviceIndependentColor(specification: text)?.screenColor
    } else {
      color = ColorNames.color(named: text)
    }
    guard let color else { return nil }
    self = color
  }

  private static func sharp(_ digits: Substring.UTF8View.SubSequence) -> RGBColor? {
    let values = digits.compactMap(hexadecimalDigit)
    guard values.count == digits.count, values.count % 3 == 0, (3...12).contains(values.count)
    else {
      return nil
    }
    let width = values.count / 3
    let tops = stride(from: 0, to: values.count, by: width).map { start in
      values[start] << 4 | (width > 1 ? values[start + 1] : 0)
    }
    return RGBColor(red: tops[0], green: tops[1], blue: tops[2])
  }

  private static func channels(_ text: Substring, _ read: (Substring) -> UInt8?) -> RGBColor? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let red = read(parts[0]), let green = read(parts[1]),
      let blue = read(parts[2])
    else { return nil }
    return RGBColor(red: red, green: green, blue: blue)
  }

  private static func scaled(_ digits: Substring) -> UInt8? {
    let values = digits.utf8.compactMap(hexadecimalDigit)
    guard values.count == digits.utf8.count, (1...4).contains(values.count) else { return nil }
    let number = values.reduce(0) { $0 << 4 | Int($1) }
    let most = 1 << (4 * values.count) - 1
    return UInt8(truncatingIfNeeded: (number * 0xFFFF / most) >> 8)
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// Linear intensities from 0 to 1, through the response curves that X takes for an unknown screen.
  private static func channelsByIntensity(_ text: Substring) -> RGBColor? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(intensity)
    guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else {
      return nil
    }
    return ScreenResponse.color(red: red, green: green, blue: blue)
  }

  private static func intensity(_ text: Substring) -> Double? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    guard isPlain, let value = Double(text), value <= 1 else { return nil }
    return value
  }
}
