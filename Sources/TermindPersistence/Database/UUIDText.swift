internal import FoundationEssentials

/// The text form of UUIDs, read without making a string of it; lists have thousands of them.
enum UUIDText {
  /// Reads 32 hexadecimal digits with dashes in their places; nil when the bytes are anything else.
  static func uuid(_ text: UnsafeRawBufferPointer) -> UUID? {
    guard text.count == 36, unsafe text[8] == dash, unsafe text[13] == dash,
      unsafe text[18] == dash, unsafe text[23] == dash
    else { return nil }
    guard let first = unsafe number(eight(text, 0, 4)),
      let second = unsafe number(eight(text, 9, 14)),
      let third = unsafe number(eight(text, 19, 24)),
      let fourth = unsafe number(eight(text, 28, 32))
    else { return nil }
    let bytes = ((first << 32 | second).bigEndian, (third << 32 | fourth).bigEndian)
    return unsafe UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self))
  }

  private static let dash = UInt8(ascii: "-")

  /// Two groups of four digits, the first one in the higher bytes.
  @inline(__always)
  private static func eight(_ text: UnsafeRawBufferPointer, _ first: Int, _ second: Int) -> UInt64 {
    let high = unsafe text.loadUnaligned(fromByteOffset: first, as: UInt32.self)
    let low = unsafe text.loadUnaligned(fromByteOffset: second, as: UInt32.self)
    return UInt64(high.bigEndian) << 32 | UInt64(low.bigEndian)
  }

  /// The number that eight digits write, all of them read at once; nil when one of them is none.
  ///
  /// - Parameter text: A byte for each digit, the first one highest.
  /// - Returns: The number.
  @inline(__always)
  private static func number(_ text: UInt64) -> UInt64? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones << 7
    // Sums of bytes below 128 never reach the next byte.
    guard text & tops == 0 else { return nil }
    /// The top bit of each byte that is at least `limit`.
    func atLeast(_ bytes: UInt64, _ limit: UInt64) -> UInt64 {
      (bytes + (128 - limit) * ones) & tops
    }
    let lower = text | 0x20 * ones
    let isDigit = atLeast(text, 0x30) & ~atLeast(text, 0x3A)
    let isLetter = atLeast(lower, 0x61) & ~atLeast(lower, 0x67)
    guard isDigit | isLetter == tops else { return nil }
    // A letter is nine more than its low four bits say.
    var value = (text & (0x0F * ones)) + (isLetter >> 7) * 9
    value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
    value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
    return (value | value >> 16) & 0xFFFF_FFFF
  }
}
