internal import TermindDomain

/// Base64 (RFC 4648 section 4) over bytes, usable for secrets because it makes no intermediate copy.
enum Base64Codec {
  /// Decodes `text`, skipping blanks and line ends, into `store`.
  ///
  /// - Returns: Whether the text was well formed; padding may be absent, but not wrong.
  static func decode(_ text: some Sequence<UInt8>, store: (UInt8) -> Void) -> Bool {
    var buffer: UInt32 = 0
    var bits = 0
    var digits = 0
    var padding = 0
    for character in text {
      if character == 0x20 || character == 0x0a || character == 0x0d || character == 0x09 {
        continue
      }
      if character == 0x3d {
        padding += 1
        continue
      }
      guard padding == 0, let digit = value(of: character) else { return false }
      buffer = buffer << 6 | UInt32(digit)
      bits += 6
      digits += 1
      if bits >= 8 {
        bits -= 8
        store(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    let spare = digits % 4
    guard spare != 1 else { return false }
    return padding == 0 || padding == (4 - spare) % 4
  }

  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 3)
    guard decode(text, store: { result.append($0) }) else { return nil }
    return result
  }

  static func decodeSecret(_ text: some Collection<UInt8>) -> SecretBytes? {
    var isWellFormed = false
    let secret = unsafe SecretBytes(count: text.count / 4 * 3 + 3) { memory in
      var used = 0
      isWellFormed = decode(text) { byte in
        unsafe memory[used] = byte
        used += 1
      }
      return used
    }
    return isWellFormed ? secret : nil
  }

  /// Encodes without padding, as fingerprints are printed.
  static func encodeUnpadded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    var place = 0
    while place < bytes.count {
      let group = bytes[place..<min(place + 3, bytes.count)]
      var buffer: UInt32 = 0
      for byte in group { buffer = buffer << 8 | UInt32(byte) }
      buffer <<= UInt32(8 * (3 - group.count))
      for digit in 0...group.count {
        text.append(alphabet[Int(buffer >> UInt32(18 - 6 * digit) & 63)])
      }
      place += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Encodes with padding, as public key lines have it.
  static func encode(_ bytes: [UInt8]) -> String {
    encodeUnpadded(bytes) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
  }

  /// Encodes with padding in lines of `width` characters, each with a line end, as armor has it.
  static func encodeSecret(_ bytes: SecretBytes, width: Int) -> SecretBytes {
    let digits = (bytes.count + 2) / 3 * 4
    let total = digits + (digits + width - 1) / width
    return unsafe SecretBytes(count: total) { memory in
      var used = 0
      var column = 0
      func put(_ character: UInt8) {
        unsafe memory[used] = character
        used += 1
        column += 1
        guard column == width else { return }
        unsafe memory[used] = 0x0a
        used += 1
        column = 0
      }
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = min(3, bytes.count - start)
        var buffer: UInt32 = 0
        for place in 0..<3 {
          buffer = buffer << 8 | (place < count ? UInt32(bytes[start + place]) : 0)
        }
        for digit in 0..<4 {
          put(digit <= count ? alphabet[Int(buffer >> UInt32(18 - 6 * digit) & 63)] : 0x3d)
        }
      }
      if column > 0 {
        unsafe memory[used] = 0x0a
        used += 1
      }
      return used
    }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5a: character - 0x41
    case 0x61...0x7a: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case 0x2b: 62
    case 0x2f: 63
    default: nil
    }
  }
}
