internal import TermindDomain

/// The secrets of a sealed file in the clear, for as long as one call takes.
///
/// A count, then each secret: 16 bytes of identifier, label and bytes behind their lengths; zeros up to
/// a multiple of 256, so that the file's length tells less.
struct SealedContent {
  struct Item {
    let id: SecretItemID
    var label: String
    var bytes: SecretBytes
  }

  private static let step = 256

  var items: [Item] = []

  /// No secrets.
  init() {}

  /// Reads what `encoded` gave; nil when a length is wrong, which a genuine seal rules out.
  init?(_ text: SecretBytes) {
    var reader = SecretReader(text)
    guard let count = reader.number(), count <= text.count / 24 else { return nil }
    for _ in 0..<count {
      guard let id = reader.identifier(), let label = reader.string(), let bytes = reader.secret()
      else { return nil }
      items.append(Item(id: id, label: label, bytes: bytes))
    }
    guard reader.isAtEnd else { return nil }
  }

  /// The bytes to seal.
  var encoded: SecretBytes {
    var writer = SecretWriter()
    writer.number(items.count)
    for item in items {
      writer.identifier(item.id)
      writer.string(item.label)
      writer.secret(item.bytes)
    }
    writer.pad(to: Self.step)
    return writer.finish()
  }

  /// The place of a secret.
  func index(of id: SecretItemID) -> Int? { items.firstIndex { $0.id == id } }
}
