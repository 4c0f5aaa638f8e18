/// Patterns in which a star stands for anything, whatever their other parts are.
public enum StarPattern {
  /// Whether a pattern matches the whole of a text.
  ///
  /// There is no recursion: after a failure only the last star takes one more, which is enough.
  /// - Parameters:
  ///   - length: How long the text is.
  ///   - parts: How many parts the pattern has.
  ///   - isStar: Whether a part is a star.
  ///   - step: The place of the text behind what a part matches at a place; nil when it does not match there.
  /// - Returns: Whether it matches.
  public static func matches(
    length: Int,
    parts: Int,
    isStar: (_ part: Int) -> Bool,
    step: (_ part: Int, _ place: Int) -> Int?
  ) -> Bool {
    var place = 0
    var part = 0
    // Where the last star stood, and up to where it covers the text so far.
    var star: (part: Int, place: Int)?
    while place < length {
      if part < parts, isStar(part) {
        star = (part, place)
        part += 1
      } else if part < parts, let next = step(part, place) {
        place = next
        part += 1
      } else if let last = star {
        star = (last.part, last.place + 1)
        place = last.place + 1
        part = last.part + 1
      } else {
        return false
      }
    }
    return (part..<parts).allSatisfy(isStar)
  }
}
