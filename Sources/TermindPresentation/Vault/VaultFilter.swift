/// What is typed over a list: words `tag:NAME` narrow by tags, the others are matched fuzzily.
struct VaultFilter: Hashable, Sendable {
  /// Beginnings of tags, in small letters; every one has to be the start of a tag of the entry.
  let tags: [String]
  /// The other words.
  let text: String

  init(_ query: String) {
    var tags: [String] = []
    var words: [String] = []
    for word in query.split(whereSeparator: \.isWhitespace) {
      let small = word.lowercased()
      if small.hasPrefix("tag:") {
        tags.append(String(small.dropFirst(4)))
      } else if small.hasPrefix("#"), small.count > 1 {
        tags.append(String(small.dropFirst()))
      } else {
        words.append(small)
      }
    }
    self.tags = tags
    text = words.joined(separator: " ")
  }

  var isEmpty: Bool { tags.isEmpty && text.isEmpty }

  /// Whether whatever this filter lets through, the other one did too.
  ///
  /// - Parameter other: The filter before a key was typed.
  /// - Returns: True when only letters and words were added.
  func narrows(_ other: VaultFilter) -> Bool {
    guard tags.count >= other.tags.count else { return false }
    return zip(tags, other.tags).allSatisfy { $0.hasPrefix($1) } && text.hasPrefix(other.text)
  }

  /// Whether an entry has a tag for each wanted beginning.
  func accepts(tags given: [String]) -> Bool {
    tags.allSatisfy { wanted in given.contains { $0.hasPrefix(wanted) } }
  }

  /// The bytes of each word.
  var words: [[UInt8]] { text.split(separator: " ").map { Array($0.utf8) } }
}
