/// Reads scalars from bytes, and tells apart the bytes that are no UTF-8.
struct ByteScalars {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> DisplayTextIterator.Unit? {
    guard position < bytes.count else { return nil }
    let lead = bytes[position]
    if lead < 0x80 {
      position += 1
      return .scalar(Unicode.Scalar(lead))
    }
    let count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, position + count <= bytes.count,
      let scalar = scalar(count: count)
    else {
      position += 1
      return .byte(lead)
    }
    position += count
    return .scalar(scalar)
  }

  /// The scalar of `count` bytes, unless one of them is wrong, the form too long or the value invalid.
  private func scalar(count: Int) -> Unicode.Scalar? {
    var value = UInt32(bytes[position]) & (0x7F >> UInt32(count))
    for offset in 1..<count {
      let byte = bytes[position + offset]
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let least: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
    guard value >= least[count] else { return nil }
    return Unicode.Scalar(value)
  }
}
