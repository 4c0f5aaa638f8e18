/// The bytes are shorter than their own length fields say, or a field breaks its rule.
struct WireError: Error, Equatable {
  let reason: String
}

/// Reads the data types of RFC 4251 section 5 from bytes that are not trusted.
///
/// Strings are returned as ranges, so that secret bytes need not be copied into arrays.
struct WireReader<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
  private let bytes: Bytes
  private(set) var position: Int

  init(_ bytes: Bytes) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }
  var isAtEnd: Bool { remaining == 0 }

  mutating func byte() throws(WireError) -> UInt8 {
    guard remaining >= 1 else { throw WireError(reason: "truncated byte") }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func uint32() throws(WireError) -> UInt32 {
    guard remaining >= 4 else { throw WireError(reason: "truncated number") }
    var value: UInt32 = 0
    for offset in 0..<4 { value = value << 8 | UInt32(bytes[position + offset]) }
    position += 4
    return value
  }

  mutating func uint64() throws(WireError) -> UInt64 {
    UInt64(try uint32()) << 32 | UInt64(try uint32())
  }

  /// The range of `count` bytes, which are skipped.
  mutating func range(count: Int) throws(WireError) -> Range<Int> {
    guard count >= 0, count <= remaining else { throw WireError(reason: "truncated field") }
    defer { position += count }
    return position..<(position + count)
  }

  /// The range of a string's content.
  mutating func stringRange() throws(WireError) -> Range<Int> {
    let count = try uint32()
    guard count <= UInt32(Int32.max) else { throw WireError(reason: "oversized field") }
    return try range(count: Int(count))
  }

  mutating func string() throws(WireError) -> [UInt8] { Array(bytes[try stringRange()]) }

  /// A string of printable ASCII, such as an algorithm name (RFC 4251 section 6).
  mutating func name() throws(WireError) -> String {
    let content = try string()
    guard content.count <= 128, content.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw WireError(reason: "malformed name")
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// The range of a non-negative mpint's magnitude, without leading zeros.
  mutating func magnitudeRange() throws(WireError) -> Range<Int> {
    var content = try stringRange()
    if let first = content.first, bytes[first] & 0x80 != 0 {
      throw WireError(reason: "negative number")
    }
    while let first = content.first, bytes[first] == 0 {
      content = (first + 1)..<content.upperBound
    }
    return content
  }

  mutating func magnitude() throws(WireError) -> [UInt8] { Array(bytes[try magnitudeRange()]) }
}

/// Writes the data types of RFC 4251 section 5.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func uint32(_ value: UInt32) {
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
    }
  }

  mutating func string(_ content: some Collection<UInt8>) {
    uint32(UInt32(clamping: content.count))
    bytes.append(contentsOf: content)
  }

  mutating func string(_ text: String) { string(Array(text.utf8)) }

  /// A non-negative number given as its big-endian magnitude.
  mutating func mpint(_ magnitude: [UInt8]) {
    let digits = magnitude.drop { $0 == 0 }
    let needsZero = (digits.first ?? 0) & 0x80 != 0
    uint32(UInt32(clamping: digits.count + (needsZero ? 1 : 0)))
    if needsZero { bytes.append(0) }
    bytes.append(contentsOf: digits)
  }
}
