internal import FoundationEssentials
internal import TermindApplication
internal import TermindDomain

/// The secrets of a sealed file in the clear, for as long as one call takes.
///
/// A count, then each secret: 16 bytes of identifier, label and bytes behind their lengths; zeros up to
/// a multiple of 256, so that the file's length tells less. Numbers are big-endian, 32 bits.
struct SealedContent {
  struct Item {
    let id: SecretID
    var label: String
    var bytes: SecretBytes
  }

  private static let step = 256

  var items: [Item] = []

  /// No secrets.
  init() {}

  /// Reads what `encoded` gave; nil when a length is wrong, which a genuine seal rules out.
  init?(_ text: SecretBytes) {
    var reader = Reader(text: text)
    guard let count = reader.number(), count <= text.count / 24 else { return nil }
    for _ in 0..<count {
      guard let id = reader.identifier(), let label = reader.bytes(), let bytes = reader.bytes()
      else { return nil }
      let name = String(decoding: label, as: UTF8.self)
      items.append(Item(id: id, label: name, bytes: bytes))
    }
    guard text[reader.position...].allSatisfy({ $0 == 0 }) else { return nil }
  }

  /// The bytes to seal.
  var encoded: SecretBytes {
    let used = items.reduce(4) { $0 + 24 + $1.label.utf8.count + $1.bytes.count }
    let total = (used + Self.step - 1) / Self.step * Self.step
    return unsafe SecretBytes(count: total) { memory in
      var position = 0
      func put(_ byte: UInt8) {
        unsafe memory[position] = byte
        position += 1
      }
      func put(number: Int) {
        for shift in [24, 16, 8, 0] { put(UInt8(truncatingIfNeeded: number >> shift)) }
      }
      put(number: items.count)
      for item in items {
        for byte in item.id.bytes { put(byte) }
        put(number: item.label.utf8.count)
        for byte in item.label.utf8 { put(byte) }
        put(number: item.bytes.count)
        for byte in item.bytes { put(byte) }
      }
      return total
    }
  }

  /// The place of a secret.
  func index(of id: SecretID) -> Int? { items.firstIndex { $0.id == id } }

  private struct Reader {
    let text: SecretBytes
    var position = 0

    mutating func number() -> Int? {
      guard text.count - position >= 4 else { return nil }
      defer { position += 4 }
      return (0..<4).reduce(0) { $0 << 8 | Int(text[position + $1]) }
    }

    mutating func bytes() -> SecretBytes? {
      guard let count = number(), count <= text.count - position else { return nil }
      defer { position += count }
      return text.slice(position..<(position + count))
    }

    mutating func identifier() -> SecretID? {
      guard text.count - position >= 16 else { return nil }
      defer { position += 16 }
      var value: uuid_t = UUID().uuid
      unsafe withUnsafeMutableBytes(of: &value) { memory in
        for place in 0..<16 { unsafe memory[place] = text[position + place] }
      }
      return SecretID(rawValue: UUID(uuid: value))
    }
  }
}

extension SecretID {
  /// The identifier's 16 bytes.
  fileprivate var bytes: [UInt8] { unsafe withUnsafeBytes(of: rawValue.uuid) { unsafe Array($0) } }
}
