// Stands in for the colour specifications of the Color folder until that lands.

/// Reads `#RGB`, `#RRGGBB`, `rgb:R/G/B` and a few names.
enum ColorText {
  static func color(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    if bytes.first == 0x23 {
      let digits = bytes.dropFirst().compactMap(TerminalState.hexDigit)
      guard digits.count == bytes.count - 1, [3, 6, 9, 12].contains(digits.count) else {
        return nil
      }
      let size = digits.count / 3
      var color: UInt32 = 0
      for part in 0..<3 {
        let high = UInt32(digits[part * size])
        color = color << 8 | high << 4 | (size == 1 ? 0 : UInt32(digits[part * size + 1]))
      }
      return color
    }
    if bytes.starts(with: Array("rgb:".utf8)) {
      let parts = bytes.dropFirst(4).split(separator: 0x2F, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      var color: UInt32 = 0
      for part in parts {
        guard (1...4).contains(part.count) else { return nil }
        var value: UInt32 = 0
        for digit in part {
          guard let number = TerminalState.hexDigit(digit) else { return nil }
          value = value << 4 | UInt32(number)
        }
        let most = UInt32(1) << (4 * UInt32(part.count)) - 1
        color = color << 8 | (value * 255 + most / 2) / most
      }
      return color
    }
    let names: [String: UInt32] = [
      "black": 0, "white": 0xFF_FFFF, "red": 0xFF_0000, "green": 0xFF00, "blue": 0xFF,
    ]
    return names[String(decoding: bytes, as: UTF8.self).lowercased()]
  }
}
