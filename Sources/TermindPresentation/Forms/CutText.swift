/// What to say when a text had no room.
enum CutText {
  /// The sentence.
  ///
  /// - Parameters:
  ///   - leftOut: How many characters were left out.
  ///   - limit: How much there is room for, with its unit.
  /// - Returns: The sentence.
  static func note(leftOut: Int, limit: String) -> String {
    let characters = leftOut == 1 ? "one character was" : "\(leftOut) characters were"
    return "There is room for \(limit): \(characters) left out."
  }
}

extension TextField {
  /// What to say while something that was put in last had no room; empty otherwise.
  public var cutNote: String {
    leftOut > 0 ? CutText.note(leftOut: leftOut, limit: "\(limit) characters") : ""
  }
}
