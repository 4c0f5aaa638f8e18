/// The answers that come as strings: OSC and DCS.
enum StringReply {
  /// Reads a string from its introducer to before its terminator.
  static func parse(_ bytes: [UInt8]) -> TerminalReply? {
    switch bytes.first {
    case 0x5D: return operatingSystemCommand(bytes.dropFirst())
    case 0x50: return deviceControl(bytes.dropFirst())
    default: return nil
    }
  }

  private static func operatingSystemCommand(_ bytes: ArraySlice<UInt8>) -> TerminalReply? {
    let parts = bytes.split(separator: 0x3B, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let number = number(parts[0]) else { return nil }
    switch number {
    case 10: return color(.foreground, parts[1])
    case 11: return color(.background, parts[1])
    case 12: return color(.cursor, parts[1])
    case 4:
      guard parts.count == 3, let index = self.number(parts[1]), index < 256 else { return nil }
      return color(.palette(UInt8(index)), parts[2])
    case 52:
      guard parts.count == 3, let content = Base64.decode(parts[2]) else { return nil }
      return .clipboard(content)
    default: return nil
    }
  }

  private static func color(
    _ slot: TerminalColorSlot,
    _ bytes: ArraySlice<UInt8>
  ) -> TerminalReply? {
    let text = String(decoding: bytes, as: UTF8.self)
    var channels: [Int] = []
    if text.hasPrefix("#") {
      let digits = text.dropFirst()
      guard digits.utf8.count % 3 == 0, digits.utf8.count <= 12 else { return nil }
      let width = digits.utf8.count / 3
      for place in 0..<3 { channels += channel(digits.dropFirst(place * width).prefix(width)) }
    } else {
      guard let colon = text.firstIndex(of: ":"), text.hasPrefix("rgb") else { return nil }
      for part in text[text.index(after: colon)...].split(separator: "/") {
        channels += channel(part)
      }
    }
    guard channels.count == 3 || channels.count == 4 else { return nil }
    return .color(
      slot,
      red: UInt8(channels[0]),
      green: UInt8(channels[1]),
      blue: UInt8(channels[2])
    )
  }

  /// One to four hexadecimal digits, scaled to a byte.
  private static func channel(_ digits: Substring) -> [Int] {
    let count = digits.utf8.count
    guard count >= 1, count <= 4, let value = Int(digits, radix: 16), value >= 0 else { return [] }
    let largest = (1 << (4 * count)) - 1
    return [(value * 255 + largest / 2) / largest]
  }

  private static func deviceControl(_ bytes: ArraySlice<UInt8>) -> TerminalReply? {
    if bytes.starts(with: [0x3E, 0x7C]) {
      return .version(printable(bytes.dropFirst(2)))
    }
    // XTGETTCAP: 1 or 0, `+r`, the name in hexadecimal, `=` and the value likewise.
    guard bytes.count > 3, bytes.dropFirst().starts(with: [0x2B, 0x72]) else { return nil }
    let parts = bytes.dropFirst(3).split(separator: 0x3D, maxSplits: 1)
    guard let first = parts.first, let name = hexadecimal(first) else { return nil }
    let isKnown = bytes.first == 0x31
    let value = parts.count > 1 ? hexadecimal(parts[1]) : nil
    return .capability(
      name: printable(name[...]),
      value: isKnown ? value.map { printable($0[...]) } ?? "" : nil
    )
  }

  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(256).filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.count <= 4 ? Int(String(decoding: bytes, as: UTF8.self)) : nil
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      guard
        let value = UInt8(String(decoding: bytes[place..<(place + 2)], as: UTF8.self), radix: 16)
      else { return nil }
      result.append(value)
      place += 2
    }
    return result
  }
}
