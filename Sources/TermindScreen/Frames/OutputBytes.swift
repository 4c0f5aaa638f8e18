/// The bytes of a frame while they are put together.
struct OutputBytes: Sendable {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  mutating func removeRange(_ range: Range<Int>) { bytes.removeSubrange(range) }

  @inline(__always)
  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  mutating func text(_ text: StaticString) {
    text.withUTF8Buffer { buffer in unsafe bytes.append(contentsOf: buffer) }
  }

  mutating func string(_ string: String) { bytes.append(contentsOf: string.utf8) }

  /// The control sequence introducer.
  mutating func csi() {
    bytes.append(0x1B)
    bytes.append(0x5B)
  }

  mutating func number(_ value: Int) {
    if value < 10 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: max(value, 0)))
    } else {
      if value >= 100 {
        if value >= 1_000 {
          number(value / 1_000)
          bytes.append(0x30 + UInt8(truncatingIfNeeded: value / 100 % 10))
        } else {
          bytes.append(0x30 + UInt8(truncatingIfNeeded: value / 100))
        }
      }
      bytes.append(0x30 + UInt8(truncatingIfNeeded: value / 10 % 10))
      bytes.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
    }
  }

  /// A control sequence with one number, which is left out when it is 1.
  mutating func csi(_ value: Int, _ final: UInt8) {
    csi()
    if value != 1 { number(value) }
    byte(final)
  }

  /// Cells that hold only ASCII.
  mutating func ascii(_ cells: Span<CanvasCell>, _ range: Range<Int>) {
    for spot in range { bytes.append(UInt8(truncatingIfNeeded: cells[spot].bits)) }
  }

  @inline(__always)
  mutating func scalar(_ value: UInt32) {
    if value < 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value))
    } else if value < 0x800 {
      bytes.append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
    } else if value < 0x1_0000 {
      bytes.append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | value >> 6 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
    } else {
      bytes.append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | value >> 12 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | value >> 6 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
    }
  }

  /// Bytes that a decimal number takes.
  static func digits(_ value: Int) -> Int {
    value < 10 ? 1 : value < 100 ? 2 : value < 1_000 ? 3 : 5
  }

  /// Bytes that a scalar takes in UTF-8.
  static func length(_ scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
  }
}
