/// A regular expression of `termind ctl wait`, matched away from the main actor.
enum ScreenPattern {
  private nonisolated static let longest = 1_024

  /// Refuses what is no expression, or far too long for one.
  nonisolated static func check(_ pattern: String) throws(ControlError) {
    guard pattern.utf8.count <= longest, (try? Regex(pattern)) != nil else {
      throw ControlError(.usage, "'\(pattern.prefix(80))' is no regular expression.")
    }
  }

  /// Whether a row of a screen's text matches.
  @concurrent nonisolated static func matches(_ pattern: String, in text: String) async -> Bool {
    guard let expression = try? Regex(pattern) else { return false }
    return text.split(separator: "\n").contains { $0.firstMatch(of: expression) != nil }
  }
}
