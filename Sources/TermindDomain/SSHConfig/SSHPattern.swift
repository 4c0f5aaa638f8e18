/// The patterns of `ssh_config`: `*` and `?`, lists with commas, and `!` for exceptions.
public enum SSHPattern {
  /// Whether a pattern matches the whole text; letters of both cases differ.
  public static func matches(_ text: String, _ pattern: String) -> Bool {
    let text = Array(text.utf8)
    let pattern = Array(pattern.utf8)
    return StarPattern.matches(
      length: text.count,
      parts: pattern.count,
      isStar: { pattern[$0] == UInt8(ascii: "*") },
      step: { part, place in
        pattern[part] == UInt8(ascii: "?") || pattern[part] == text[place] ? place + 1 : nil
      }
    )
  }

  /// Whether a list of patterns matches: at least one does, and no exception does.
  ///
  /// - Parameters:
  ///   - text: What is looked for.
  ///   - list: Patterns with commas between them.
  ///   - ignoresCase: Whether the list is put in lower case first; the text must be then, too.
  /// - Returns: Whether it matches.
  public static func matches(_ text: String, list: String, ignoresCase: Bool = false) -> Bool {
    let list = ignoresCase ? lowered(list) : list
    var isFound = false
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let isException = part.hasPrefix("!")
      guard matches(text, String(isException ? part.dropFirst() : part)) else { continue }
      if isException { return false }
      isFound = true
    }
    return isFound
  }

  /// Whether a text has signs with a meaning in patterns.
  static func isPattern(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
      || text.hasPrefix("!")
  }

  /// A text with ASCII letters in lower case.
  static func lowered(_ text: String) -> String {
    String(
      decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self
    )
  }
}
