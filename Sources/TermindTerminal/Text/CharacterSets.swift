/// A character set that can be designated to G0–G3.
enum CharacterSet: Equatable {
  case ascii
  case british
  case decSpecialGraphics
  case decSupplemental

  /// The set that an escape sequence's final byte names.
  init(designator: UInt8) {
    switch designator {
    case 0x30, 0x32: self = .decSpecialGraphics
    case 0x41: self = .british
    default: self = .ascii
    }
  }

  private static let specialGraphics: [31 of UInt32] = [
    0x25C6, 0x2592, 0x2409, 0x240C, 0x240D, 0x240A, 0xB0, 0xB1, 0x2424, 0x240B, 0x2518, 0x2510,
    0x250C, 0x2514, 0x253C, 0x23BA, 0x23BB, 0x2500, 0x23BC, 0x23BD, 0x251C, 0x2524, 0x2534, 0x252C,
    0x2502, 0x2264, 0x2265, 0x03C0, 0x2260, 0xA3, 0xB7,
  ]

  /// The scalar that a byte from 0x20 to 0x7E stands for.
  func scalar(_ byte: UInt32) -> UInt32 {
    switch self {
    case .ascii: return byte
    case .british: return byte == 0x23 ? 0xA3 : byte
    case .decSupplemental: return byte > 0x20 ? byte + 0x80 : byte
    case .decSpecialGraphics:
      if byte == 0x5F { return 0xA0 }
      return (0x60...0x7E).contains(byte) ? Self.specialGraphics[Int(byte - 0x60)] : byte
    }
  }
}

/// The designated sets, and which of them are in use.
struct CharacterSets: Equatable {
  var sets: [4 of CharacterSet] = [.ascii, .ascii, .ascii, .ascii]
  /// Which of G0–G3 the codes below 0x80 use.
  var left = 0
  /// G2 or G3 for the next character alone.
  var singleShift: Int?

  var isPlain: Bool { singleShift == nil && sets[left] == .ascii }

  static func == (first: CharacterSets, second: CharacterSets) -> Bool {
    first.left == second.left && first.singleShift == second.singleShift
      && (0..<4).allSatisfy { first.sets[$0] == second.sets[$0] }
  }
}
