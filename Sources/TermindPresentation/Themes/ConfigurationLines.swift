/// One `key = value` line of a configuration file in Ghostty's manner.
struct ConfigurationLine: Hashable {
  /// Counted from 1.
  let number: Int
  let key: String
  /// Without the quotes around it; empty when nothing stands behind the equals sign.
  let value: String
}

/// Splits a configuration file into its settings.
///
/// A line is blank, a comment (`#` as its first visible character), or `key = value`. Blanks around
/// either part do not count; one pair of double quotes around a value is taken off.
enum ConfigurationLines {
  /// The longest line that is read; a longer one is an error, not a setting.
  static let longestLine = 4_096

  static func read(_ text: String, file: String) -> (
    lines: [ConfigurationLine], notes: [ConfigurationNote]
  ) {
    var lines: [ConfigurationLine] = []
    var notes: [ConfigurationNote] = []
    for (index, row) in rows(of: text).enumerated() {
      let number = index + 1
      let bare = trim(index == 0 && row.hasPrefix("\u{FEFF}") ? row.dropFirst() : row)
      if bare.isEmpty || bare.hasPrefix("#") { continue }
      guard bare.utf8.count <= longestLine else {
        notes.append(.init(.error, file: file, line: number, reason: "the line is too long"))
        continue
      }
      guard let equals = bare.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        let reason = "expected 'key = value', found '\(bare)'"
        notes.append(.init(.error, file: file, line: number, reason: reason))
        continue
      }
      let key = String(trim(bare[..<equals]))
      let value = unquote(trim(bare[bare.utf8.index(after: equals)...]))
      guard !key.isEmpty else {
        let reason = "nothing stands before the equals sign"
        notes.append(.init(.error, file: file, line: number, reason: reason))
        continue
      }
      lines.append(ConfigurationLine(number: number, key: key, value: String(value)))
    }
    return (lines, notes)
  }

  /// The text without the blanks at its ends.
  ///
  /// These files are read before the first frame, and are ASCII but for a comment or a name: bytes are
  /// looked at first, and characters only where the bytes do not tell.
  static func trim(_ text: Substring) -> Substring {
    var text = text
    while let first = text.utf8.first, isBlank(first, text.first) { text.removeFirst() }
    while let last = text.utf8.last, isBlank(last, text.last) { text.removeLast() }
    return text
  }

  private static func isBlank(
    _ byte: UInt8,
    _ character: @autoclosure () -> Character?
  ) -> Bool {
    if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) }
    return character()?.isWhitespace ?? false
  }

  /// The lines, without their ends: a line feed, a carriage return, or both.
  private static func rows(of text: String) -> [Substring] {
    var rows: [Substring] = []
    let bytes = text.utf8
    var start = bytes.startIndex
    var place = start
    while place != bytes.endIndex {
      let byte = bytes[place]
      let next = bytes.index(after: place)
      if byte == 0x0A || byte == 0x0D {
        rows.append(text[start..<place])
        let isPair = byte == 0x0D && next != bytes.endIndex && bytes[next] == 0x0A
        start = isPair ? bytes.index(after: next) : next
        place = start
      } else {
        place = next
      }
    }
    rows.append(text[start...])
    return rows
  }

  private static func unquote(_ text: Substring) -> Substring {
    let bytes = text.utf8
    guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return text }
    return text.dropFirst().dropLast()
  }
}
