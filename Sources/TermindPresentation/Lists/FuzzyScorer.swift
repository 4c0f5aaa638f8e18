/// Finds entries by a few typed letters: as a prefix, at the start of words, or scattered in order.
///
/// Matching works on the lower-case UTF-8 of each entry, prepared once in `FuzzyIndex`, so that a
/// keystroke over ten thousand entries costs about a millisecond. Better places score higher:
/// the whole text, its start, starts of words, runs of letters; shorter texts win between equals.
public struct FuzzyScorer: Sendable {
  /// The typed words; every one has to be found.
  private let words: [[UInt8]]
  /// The whole query when it has several words; entries that hold it as typed come first.
  private let phrase: [UInt8]?

  /// Prepares a query; blanks separate words that may stand in any order.
  public init(_ query: String) {
    let parts = query.lowercased().split(whereSeparator: \.isWhitespace)
    words = parts.map { Array($0.utf8) }
    phrase = parts.count > 1 ? Array(parts.joined(separator: " ").utf8) : nil
  }

  /// Whether everything matches because nothing is typed.
  public var isEmpty: Bool { words.isEmpty }

  /// Scores one prepared text; nil when it does not match.
  public func score(_ entry: FuzzyEntry) -> Int? {
    var total = 0
    for word in words {
      guard let score = Self.score(word, in: entry.bytes, starts: entry.starts) else { return nil }
      total += score
    }
    if let phrase, phrase.count <= entry.bytes.count,
      let place = Self.bestRun(phrase, in: entry.bytes, starts: entry.starts)
    {
      total += place == 0 ? 2_000 : 1_000
    }
    return total - entry.bytes.count / 8
  }

  private static func score(_ word: [UInt8], in text: [UInt8], starts: [Bool]) -> Int? {
    guard word.count <= text.count else { return nil }
    guard let place = bestRun(word, in: text, starts: starts) else {
      // Cheap refusal first: most entries of a long list fail here.
      return isSubsequence(word, of: text) ? scattered(word, in: text, starts: starts) : nil
    }
    if place == 0 { return text.count == word.count ? 1_000 : 800 }
    if starts[place] { return 600 - min(place, 100) }
    return max(300 - min(place, 100), scattered(word, in: text, starts: starts) ?? 0)
  }

  private static func isSubsequence(_ word: [UInt8], of text: [UInt8]) -> Bool {
    var next = 0
    for byte in text where byte == word[next] {
      next += 1
      if next == word.count { return true }
    }
    return false
  }

  /// The place where the word stands in one piece; a start of a word before any other.
  private static func bestRun(_ word: [UInt8], in text: [UInt8], starts: [Bool]) -> Int? {
    var inside: Int?
    let first = word[0]
    for place in 0...(text.count - word.count) where text[place] == first {
      var length = 1
      while length < word.count, text[place + length] == word[length] { length += 1 }
      guard length == word.count else { continue }
      if starts[place] { return place }
      if inside == nil { inside = place }
    }
    return inside
  }

  /// Letters in order with gaps: each one takes the next start of a word when the rest still fits
  /// behind it, else the next place.
  private static func scattered(_ word: [UInt8], in text: [UInt8], starts: [Bool]) -> Int? {
    var score = 100
    var place = 0
    var last = -2
    // Initials, such as `gv` for `goVault`, beat a run inside a word.
    var isAtStarts = true
    var first = 0
    var jumps = 0
    for (index, byte) in word.enumerated() {
      var found: Int?
      var search = place
      while search < text.count {
        if text[search] == byte {
          if found == nil { found = search }
          if search == last + 1 || starts[search], fits(word, from: index + 1, text, search + 1) {
            found = search
            break
          }
        }
        search += 1
      }
      guard let found else { return nil }
      if found == last + 1 { score += 12 } else { score -= min(found - last, 10) }
      if starts[found] { score += 15 }
      let isPlaced = starts[found] || found == last + 1
      isAtStarts = isAtStarts && isPlaced
      if index == 0 { first = found }
      if !isPlaced { jumps += 1 }
      last = found
      place = found + 1
    }
    if isAtStarts {
      // A letter for every word says more than a beginning and a letter: `qu0` is `queue-us-0` before `queue-eu-0`.
      return score + 300 + (areInitials(word, in: text, starts: starts) ? 20 : 0)
    }
    // In a long text almost any letters stand somewhere in order; that is no match.
    guard last - first < 3 * word.count + 6, jumps <= (word.count + 1) / 2 else { return nil }
    return score
  }

  /// Whether every letter may stand at the start of a word of its own.
  private static func areInitials(_ word: [UInt8], in text: [UInt8], starts: [Bool]) -> Bool {
    var next = 0
    for (place, byte) in text.enumerated() where starts[place] && byte == word[next] {
      next += 1
      if next == word.count { return true }
    }
    return false
  }

  private static func fits(_ word: [UInt8], from index: Int, _ text: [UInt8], _ place: Int) -> Bool
  {
    var next = index
    var search = place
    while next < word.count {
      while search < text.count, text[search] != word[next] { search += 1 }
      guard search < text.count else { return false }
      search += 1
      next += 1
    }
    return true
  }
}

/// A text prepared for `FuzzyScorer`.
public struct FuzzyEntry: Sendable {
  let bytes: [UInt8]
  /// Where words start: behind a separator, or at a capital or digit behind something else.
  let starts: [Bool]

  /// Prepares a text.
  public init(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      self.init(ascii: text)
    } else {
      self.init(anyText: text)
    }
  }

  /// The usual case, fifty times as fast: a list of ten thousand hosts is prepared in a few
  /// milliseconds.
  private init(ascii text: String) {
    var bytes: [UInt8] = []
    var starts: [Bool] = []
    bytes.reserveCapacity(text.utf8.count)
    starts.reserveCapacity(text.utf8.count)
    var before = Kind.separator
    for byte in text.utf8 {
      let kind = Kind(ascii: byte)
      starts.append(kind.starts(after: before))
      bytes.append(kind == .capital ? byte | 0x20 : byte)
      before = kind
    }
    self.bytes = bytes
    self.starts = starts
  }

  private init(anyText text: String) {
    var bytes: [UInt8] = []
    var starts: [Bool] = []
    var before = Kind.separator
    for character in text {
      let kind = Kind(character)
      let small = character.lowercased().utf8
      bytes.append(contentsOf: small)
      starts.append(kind.starts(after: before))
      for _ in small.dropFirst() { starts.append(false) }
      before = kind
    }
    self.bytes = bytes
    self.starts = starts
  }

  private enum Kind {
    case separator
    case capital
    case digit
    case other

    func starts(after before: Kind) -> Bool {
      guard self != .separator else { return false }
      return before == .separator || (self == .capital && before != .capital)
        || (self == .digit) != (before == .digit)
    }

    init(ascii byte: UInt8) {
      switch byte {
      case 0x30...0x39: self = .digit
      case 0x41...0x5A: self = .capital
      case 0x61...0x7A: self = .other
      default: self = .separator
      }
    }

    init(_ character: Character) {
      if character.isUppercase {
        self = .capital
      } else if character.isNumber {
        self = .digit
      } else if character.isLetter {
        self = .other
      } else {
        self = .separator
      }
    }
  }
}

/// Texts prepared once and filtered again with every keystroke.
public struct FuzzyIndex: Sendable {
  private let entries: [FuzzyEntry]
  private let bonuses: [Int]
  /// The places in the order that they have while nothing is typed.
  private let resting: [Int]
  private static let placeBits = 32

  /// Prepares texts; matches are given as their places in this array.
  ///
  /// - Parameters:
  ///   - texts: The texts.
  ///   - bonuses: The points that each one starts with, such as for its recency; none when empty.
  public init(_ texts: [FuzzyEntry], bonuses: [Int] = []) {
    entries = texts
    self.bonuses = bonuses.count == texts.count ? bonuses : Array(repeating: 0, count: texts.count)
    let known = self.bonuses
    resting = entries.indices.sorted { (known[$1], $0) < (known[$0], $1) }
  }

  /// Prepares texts that are all worth the same.
  public init(_ texts: [String]) { self.init(texts.map(FuzzyEntry.init)) }

  /// The places of the matching texts, best first; equal ones keep their order.
  ///
  /// - Parameters:
  ///   - query: What is typed; when empty, everything matches, the largest bonus first.
  ///   - limit: The most places to return.
  ///   - isMember: Whether a place may match at all.
  /// - Returns: The places, and how many texts match in all.
  public func matches(
    _ query: String,
    limit: Int = .max,
    where isMember: (Int) -> Bool = { _ in true }
  ) -> (places: [Int], total: Int) {
    let scorer = FuzzyScorer(query)
    guard !scorer.isEmpty else {
      let members = resting.filter(isMember)
      return (Array(members.prefix(limit)), members.count)
    }
    // The points, negated, over the place: one number each is sorted twice as fast as pairs.
    var found: [Int] = []
    for (place, entry) in entries.enumerated() where isMember(place) {
      if let score = scorer.score(entry) {
        found.append(-(score + bonuses[place]) << Self.placeBits | place)
      }
    }
    found.sort()
    let placeMask = 1 << Self.placeBits - 1
    return (found.prefix(limit).map { $0 & placeMask }, found.count)
  }
}
