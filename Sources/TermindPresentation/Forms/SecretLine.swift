internal import TermindDomain

/// The characters of a secret field.
///
/// Their bytes stand in memory that is wiped with every change and at the end. Only the few around a change are
/// ever a string, to see which of them join to one character.
struct SecretLine: Hashable, Sendable {
  /// The text as UTF-8.
  private(set) var bytes = SecretBytes([])
  /// Where each character ends in `bytes`.
  private var ends: [Int] = []

  /// The number of characters.
  var count: Int { ends.count }

  /// Puts text in place of characters.
  ///
  /// - Parameters:
  ///   - range: The characters that go.
  ///   - text: What comes.
  ///   - limit: The most characters that there may be; further ones are dropped.
  /// - Returns: The number of characters before and in the new text.
  mutating func replace(_ range: Range<Int>, with text: String, limit: Int) -> Int {
    let first = max(range.lowerBound - 1, 0)
    let last = min(range.upperBound + 1, count)
    let before = string(first..<range.lowerBound)
    let after = string(range.upperBound..<last)
    let pieces = (before + text + after).map { character in
      var piece = Array(String(character).utf8)
      return SecretBytes(wiping: &piece)
    }
    let room = max(limit - first - (count - last), 0)
    let kept = pieces.prefix(room)
    let head = bytes.slice(0..<start(of: first))
    let tail = bytes.slice(start(of: last)..<bytes.count)
    var ends = Array(ends[..<first])
    var place = head.count
    for piece in kept {
      place += piece.count
      ends.append(place)
    }
    let shift = place - start(of: last)
    ends += self.ends[last...].map { $0 + shift }
    let cursor = min(first + (before + text).count, ends.count)
    bytes = SecretBytes(joining: [head] + kept + [tail])
    self.ends = ends
    return cursor
  }

  private func start(of place: Int) -> Int { place == 0 ? 0 : ends[place - 1] }

  /// Some characters as a string, which nobody wipes.
  func string(_ range: Range<Int>) -> String {
    let part = bytes.slice(start(of: range.lowerBound)..<start(of: range.upperBound))
    return String(decoding: part, as: UTF8.self)
  }
}
