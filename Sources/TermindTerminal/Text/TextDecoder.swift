/// UTF-8, one byte at a time, with U+FFFD for each maximal subpart that is not well formed.
struct TextDecoder {
  enum Step: Equatable {
    /// The byte continues a character.
    case more
    /// A character is complete.
    case scalar(UInt32)
    /// The byte is no part of any character.
    case invalid
    /// What was pending is not well formed; the byte must be given again.
    case invalidBefore
  }

  private var value: UInt32 = 0
  private var needed: UInt8 = 0
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Whether a character has begun and is not complete.
  var isPending: Bool { needed != 0 }

  mutating func reset() { self = TextDecoder() }

  mutating func step(_ byte: UInt8) -> Step {
    if needed == 0 { return begin(byte) }
    guard byte >= lowest, byte <= highest else {
      reset()
      return .invalidBefore
    }
    lowest = 0x80
    highest = 0xBF
    value = value << 6 | UInt32(byte & 0x3F)
    needed -= 1
    return needed == 0 ? .scalar(value) : .more
  }

  // Unicode 15, table 3-7: the second byte's range depends on the first.
  private mutating func begin(_ byte: UInt8) -> Step {
    switch byte {
    case 0x00...0x7F: return .scalar(UInt32(byte))
    case 0xC2...0xDF:
      needed = 1
      value = UInt32(byte & 0x1F)
    case 0xE0...0xEF:
      needed = 2
      value = UInt32(byte & 0x0F)
      if byte == 0xE0 { lowest = 0xA0 }
      if byte == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      needed = 3
      value = UInt32(byte & 0x07)
      if byte == 0xF0 { lowest = 0x90 }
      if byte == 0xF4 { highest = 0x8F }
    default: return .invalid
    }
    return .more
  }
}
