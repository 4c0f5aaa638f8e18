/// The first byte of a character in UTF-8.
enum UTF8Lead {
  /// How many bytes the character has; one for bytes that begin none.
  static func length(_ byte: UInt8) -> Int {
    switch byte {
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 1
    }
  }
}
