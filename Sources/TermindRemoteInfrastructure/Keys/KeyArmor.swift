internal import TermindDomain

/// Finds the armor of a private key in a text: the `-----BEGIN …-----` line and the body under it.
struct KeyArmor {
  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)

  /// The words between the dashes of the block that holds a key; `nil` without any block.
  let label: String?
  private let text: SecretBytes
  private let body: Range<Int>

  /// Looks for the first block; parameters before an EC key are passed over.
  init(_ text: SecretBytes) {
    self.text = text
    var label: String?
    var start = 0
    var end: Int?
    var lineStart = 0
    while lineStart < text.count, end == nil {
      let lineEnd = text[lineStart...].firstIndex(of: 0x0a) ?? text.count
      let line = text[lineStart..<lineEnd]
      if label == nil {
        label = Self.label(of: line)
        if label == "EC PARAMETERS" { label = nil }
        start = min(lineEnd + 1, text.count)
      } else if line.starts(with: Self.end) {
        end = lineStart
      }
      lineStart = lineEnd + 1
    }
    self.label = label
    body = start..<max(end ?? start, start)
  }

  /// The body's bytes; `nil` when it is not base64, or when the end line is absent.
  func decodedBody() -> SecretBytes? {
    body.isEmpty ? nil : Base64Codec.decodeSecret(text[body])
  }

  private static func label(of line: Slice<SecretBytes>) -> String? {
    guard line.starts(with: begin) else { return nil }
    var words = line.dropFirst(begin.count)
    while let last = words.last, last == 0x0d || last == 0x20 { words.removeLast() }
    guard words.count > dashes.count, words.count <= 64,
      words.suffix(dashes.count).elementsEqual(dashes)
    else { return nil }
    return String(decoding: words.dropLast(dashes.count), as: UTF8.self)
  }
}
