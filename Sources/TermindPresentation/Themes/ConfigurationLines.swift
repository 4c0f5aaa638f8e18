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
    let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, row) in rows.enumerated() {
      let number = index + 1
      let bare = trim(index == 0 && row.hasPrefix("\u{FEFF}") ? row.dropFirst() : row)
      if bare.isEmpty || bare.hasPrefix("#") { continue }
      guard bare.utf8.count <= longestLine else {
        notes.append(.init(.error, file: file, line: number, reason: "the line is too long"))
        continue
      }
      guard let equals = bare.firstIndex(of: "=") else {
        let reason = "expected 'key = value', found '\(bare)'"
        notes.append(.init(.error, file: file, line: number, reason: reason))
        continue
      }
      let key = String(trim(bare[..<equals]))
      let value = unquote(trim(bare[bare.index(after: equals)...]))
      guard !key.isEmpty else {
        let reason = "nothing stands before the equals sign"
        notes.append(.init(.error, file: file, line: number, reason: reason))
        continue
      }
      lines.append(ConfigurationLine(number: number, key: key, value: String(value)))
    }
    return (lines, notes)
  }

  static func trim(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }

  private static func unquote(_ text: Substring) -> Substring {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return text.dropFirst().dropLast()
  }
}
