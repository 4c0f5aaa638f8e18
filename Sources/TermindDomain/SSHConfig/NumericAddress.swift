/// Addresses written as numbers, as the system's resolver reads and prints them.
enum NumericAddress {
  /// The usual form of an address; nil when the text is a name.
  ///
  /// IPv4 also in its old forms (`127.1`, `0x7f.1`, one number), IPv6 as RFC 5952 prints it. An
  /// address with a scope is kept, since only the machine knows its interfaces.
  static func canonical(_ text: String) -> String? {
    if text.contains(":") {
      if text.contains("%") { return IPv6Text.isValid(text) ? text : nil }
      // One that differs only in its letters stays as it is.
      return groups(text).map(description).map { $0 == text.lowercased() ? text : $0 }
    }
    return ipv4(text).map { value in
      [24, 16, 8, 0].map { "\((value >> $0) & 0xFF)" }.joined(separator: ".")
    }
  }

  /// One to four numbers; the last fills what the others leave.
  private static func ipv4(_ text: String) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var value: UInt64 = 0
    for (index, part) in parts.enumerated() {
      guard let number = number(part) else { return nil }
      let isLast = index == parts.count - 1
      let limit: UInt64 = isLast ? 1 << (8 * UInt64(5 - parts.count)) : 256
      guard number < limit else { return nil }
      value = isLast ? value | number : value | (number << (24 - 8 * UInt64(index)))
    }
    return UInt32(value)
  }

  /// A number in decimal, with `0x` in hexadecimal, with `0` in octal.
  private static func number(_ text: Substring) -> UInt64? {
    guard let first = text.utf8.first, (0x30...0x39).contains(first), text.utf8.count <= 20 else {
      return nil
    }
    let lowered = text.lowercased()
    if lowered.hasPrefix("0x") {
      let digits = lowered.dropFirst(2)
      return digits.isEmpty ? nil : UInt64(digits, radix: 16)
    }
    return UInt64(text, radix: text.hasPrefix("0") ? 8 : 10)
  }

  /// The eight groups of an IPv6 address.
  private static func groups(_ text: String) -> [UInt16]? {
    guard IPv6Text.isValid(text) else { return nil }
    var text = text
    if text.contains("."), let colon = text.lastIndex(of: ":") {
      let start = text.index(after: colon)
      guard let value = ipv4(String(text[start...])) else { return nil }
      text.replaceSubrange(
        start...,
        with: String(value >> 16, radix: 16) + ":" + String(value & 0xFFFF, radix: 16)
      )
    }
    guard let gap = text.firstRange(of: "::") else { return numbers(text[...]) }
    guard let head = numbers(text[..<gap.lowerBound]), let tail = numbers(text[gap.upperBound...])
    else { return nil }
    return head + Array(repeating: 0, count: max(0, 8 - head.count - tail.count)) + tail
  }

  private static func numbers(_ text: Substring) -> [UInt16]? {
    var numbers: [UInt16] = []
    for part in text.split(separator: ":") {
      guard let number = UInt16(part, radix: 16) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func description(_ groups: [UInt16]) -> String {
    if groups.prefix(5).allSatisfy({ $0 == 0 }),
      groups[5] == 0xFFFF || (groups[5] == 0 && groups[6] != 0)
    {
      let address = [groups[6] >> 8, groups[6] & 0xFF, groups[7] >> 8, groups[7] & 0xFF]
      return (groups[5] == 0 ? "::" : "::ffff:") + address.map(String.init).joined(separator: ".")
    }
    let gap = longestZeros(groups)
    func text(_ part: ArraySlice<UInt16>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard gap.count > 1 else { return text(groups[...]) }
    return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
  }

  /// The first of the longest runs of zeros.
  private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
    var longest = 0..<0
    var start = 0
    for index in 0...groups.count where index == groups.count || groups[index] != 0 {
      if index - start > longest.count { longest = start..<index }
      start = index + 1
    }
    return longest
  }
}
