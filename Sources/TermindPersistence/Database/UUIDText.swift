internal import FoundationEssentials

/// The text form of UUIDs, read without making a string of it; lists have thousands of them.
enum UUIDText {
  /// Reads 32 hexadecimal digits with dashes in their places; nil when the bytes are anything else.
  static func uuid(_ text: Span<UInt8>) -> UUID? {
    guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash
    else { return nil }
    var isHex = true
    let first = word(text, 0, 8, &isHex) << 32 | word(text, 9, 4, &isHex) << 16
    let high = first | word(text, 14, 4, &isHex)
    let low = word(text, 19, 4, &isHex) << 48 | word(text, 24, 12, &isHex)
    guard isHex else { return nil }
    let bytes = (high.bigEndian, low.bigEndian)
    return unsafe UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self))
  }

  private static let dash = UInt8(ascii: "-")

  /// The number that some digits write; `isHex` becomes false when one of them is none.
  @inline(__always)
  private static func word(
    _ text: Span<UInt8>,
    _ start: Int,
    _ count: Int,
    _ isHex: inout Bool
  ) -> UInt64 {
    var number: UInt64 = 0
    for index in start..<(start + count) {
      let byte = text[index]
      let lower = byte | 0x20
      let isDigit = byte &- 0x30 < 10
      isHex = isHex && (isDigit || lower &- 0x61 < 6)
      number = number << 4 | UInt64(isDigit ? byte &- 0x30 : lower &- 0x57)
    }
    return number
  }
}
