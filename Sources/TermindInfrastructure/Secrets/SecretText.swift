internal import FoundationEssentials
internal import TermindDomain

/// Builds bytes that hold secrets, without a copy of them that is not wiped.
///
/// Numbers are big-endian, 32 bits; whatever has a length follows it.
struct SecretWriter {
  private var parts: [SecretBytes] = []
  private(set) var byteCount = 0

  mutating func number(_ value: Int) {
    append(SecretBytes([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }))
  }

  mutating func identifier(_ id: SecretItemID) {
    let bytes = unsafe withUnsafeBytes(of: id.rawValue.uuid) { unsafe Array($0) }
    append(SecretBytes(bytes))
  }

  mutating func string(_ text: String) { secret(SecretBytes(text.utf8)) }

  mutating func secret(_ bytes: SecretBytes) {
    number(bytes.count)
    append(bytes)
  }

  /// Adds zeros up to a multiple of `step`.
  mutating func pad(to step: Int) {
    let missing = (step - byteCount % step) % step
    unsafe append(SecretBytes(count: missing) { $0.count })
  }

  /// Everything that was written, in order.
  func finish() -> SecretBytes { SecretBytes(joining: parts) }

  private mutating func append(_ bytes: SecretBytes) {
    parts.append(bytes)
    byteCount += bytes.count
  }
}

/// Reads what `SecretWriter` wrote; nil where the bytes end too early.
struct SecretReader {
  let text: SecretBytes
  private(set) var position = 0

  init(_ text: SecretBytes) { self.text = text }

  /// Whether only zeros are left.
  var isAtEnd: Bool { text[position...].allSatisfy { $0 == 0 } }

  mutating func number() -> Int? {
    guard text.count - position >= 4 else { return nil }
    defer { position += 4 }
    return (0..<4).reduce(0) { $0 << 8 | Int(text[position + $1]) }
  }

  mutating func secret() -> SecretBytes? {
    guard let count = number(), count <= text.count - position else { return nil }
    defer { position += count }
    return text.slice(position..<(position + count))
  }

  mutating func string() -> String? { secret().map { String(decoding: $0, as: UTF8.self) } }

  mutating func identifier() -> SecretItemID? {
    guard text.count - position >= 16 else { return nil }
    defer { position += 16 }
    var value: uuid_t = UUID().uuid
    unsafe withUnsafeMutableBytes(of: &value) { memory in
      for place in 0..<16 { unsafe memory[place] = text[position + place] }
    }
    return SecretItemID(rawValue: UUID(uuid: value))
  }
}
