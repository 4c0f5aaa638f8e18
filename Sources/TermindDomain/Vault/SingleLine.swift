/// Rules for fields of one line.
public enum SingleLine {
  /// An edit of a one-line field: each newline, or run of them, becomes one blank.
  ///
  /// Only what a person types or pastes goes through here; what is stored is shown as it is, and
  /// secrets and fields of several lines are kept exactly.
  public static func normalised(_ text: String) -> String {
    guard text.contains(where: \.isNewline) else { return text }
    var result = ""
    var isInBreak = false
    for character in text {
      if character.isNewline {
        isInBreak = true
        continue
      }
      if isInBreak, !result.isEmpty { result.append(" ") }
      isInBreak = false
      result.append(character)
    }
    return result
  }
}

extension String {
  /// The text without blanks at its ends.
  public var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
