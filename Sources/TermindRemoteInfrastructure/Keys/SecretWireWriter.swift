internal import TermindDomain

/// Writes the data types of RFC 4251 section 5 into bytes that are wiped.
struct SecretWireWriter {
  private var parts: [SecretBytes] = []
  private(set) var byteCount = 0

  mutating func raw(_ bytes: SecretBytes) {
    parts.append(bytes)
    byteCount += bytes.count
  }

  mutating func uint32(_ value: UInt32) {
    var writer = WireWriter()
    writer.uint32(value)
    raw(SecretBytes(writer.bytes))
  }

  mutating func string(_ bytes: SecretBytes) {
    uint32(UInt32(clamping: bytes.count))
    raw(bytes)
  }

  mutating func string(_ text: String) { string(SecretBytes(text.utf8)) }

  /// A non-negative number given as its big-endian magnitude.
  mutating func mpint(_ magnitude: SecretBytes) {
    let digits = magnitude.slice(
      (magnitude.firstIndex { $0 != 0 } ?? magnitude.count)..<magnitude.count
    )
    let needsZero = (digits.first ?? 0) & 0x80 != 0
    uint32(UInt32(clamping: digits.count + (needsZero ? 1 : 0)))
    if needsZero { raw(SecretBytes([0])) }
    raw(digits)
  }

  func finish() -> SecretBytes { SecretBytes(joining: parts) }
}
