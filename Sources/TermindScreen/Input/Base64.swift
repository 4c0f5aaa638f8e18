/// Base64 as clipboard answers carry it (RFC 4648, section 4).
enum Base64 {
  static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 4 * 3)
    var collected: UInt32 = 0
    var bits = 0
    for byte in bytes {
      if byte == 0x3D { break }
      guard let value = value(of: byte) else { return nil }
      collected = collected << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: collected >> UInt32(bits)))
      }
    }
    return result
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte) - 0x41
    case 0x61...0x7A: UInt32(byte) - 0x61 + 26
    case 0x30...0x39: UInt32(byte) - 0x30 + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}
