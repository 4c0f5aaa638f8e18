/// The matches of a query in a terminal, oldest first.
public struct FindResults: Sendable {
  /// What was searched for.
  public let query: FindQuery
  /// Whether the whole text was searched; else older matches are still to come.
  public private(set) var isComplete = false
  /// Whether there are more matches than are kept.
  public private(set) var isCapped = false
  /// Whether the expression was so costly that some text was passed over.
  public private(set) var isCostly = false

  let epoch: FindText.Epoch
  /// The first row whose matches may still change.
  let settled: UInt64
  /// Matches before `settled`, newest part first so that older ones are added at the end.
  private var parts: [[FindMatch]] = []
  private var unsettled: [FindMatch] = []
  /// How many matches come before each part in reading order; made when complete.
  private var counts: [Int] = []

  init(query: FindQuery, text: FindText) {
    self.query = query
    epoch = text.epoch
    settled = text.settled
  }

  // MARK: Making

  /// Puts older matches before those that are known.
  mutating func insert(_ matches: [FindMatch], settledAt settled: UInt64) {
    var old = matches[...]
    if let last = old.last, last.line >= settled {
      let split = old.firstIndex { $0.line >= settled } ?? old.endIndex
      unsettled = old[split...] + unsettled
      old = old[..<split]
    }
    if !old.isEmpty { parts.append(Array(old)) }
    refreshCounts()
  }

  /// Puts the matches of an earlier search that still hold before those that are known.
  mutating func insert(_ earlier: FindResults, from first: UInt64) {
    guard earlier.epoch == epoch, earlier.query == query else { return }
    isCapped = isCapped || earlier.isCapped
    isCostly = isCostly || earlier.isCostly
    var room = Finder.mostMatches - count
    for part in earlier.parts {
      guard let last = part.last, last.line >= first, room > 0 else { break }
      var kept = part[...]
      if let oldest = part.first, oldest.line < first {
        kept = kept[(kept.firstIndex { $0.line >= first } ?? kept.endIndex)...]
      }
      if kept.count > room {
        kept = kept.suffix(room)
        isCapped = true
      }
      room -= kept.count
      parts.append(Array(kept))
    }
    mergeSmallParts()
    refreshCounts()
  }

  /// Small parts that came one by one while output arrived become one.
  private mutating func mergeSmallParts() {
    guard parts.count > 64 else { return }
    var merged: [[FindMatch]] = []
    for part in parts {
      if let last = merged.last, last.count + part.count <= 4_096 {
        merged[merged.count - 1] = part + last
      } else {
        merged.append(part)
      }
    }
    parts = merged
  }

  mutating func cap() { isCapped = true }

  mutating func giveUp() { isCostly = true }

  func completed() -> FindResults {
    var results = self
    results.isComplete = true
    return results
  }

  private mutating func refreshCounts() {
    counts = [Int](repeating: 0, count: parts.count)
    var sum = 0
    for place in parts.indices.reversed() {
      counts[place] = sum
      sum += parts[place].count
    }
    count = sum + unsettled.count
  }

  // MARK: Reading

  /// How many matches there are, or are known so far.
  public private(set) var count = 0

  /// The match at a place in the list, oldest first.
  ///
  /// - Parameter place: From 0 to `count - 1`.
  /// - Returns: The match; nil outside of the list.
  public func match(_ place: Int) -> FindMatch? {
    guard place >= 0, place < count else { return nil }
    let settledCount = count - unsettled.count
    if place >= settledCount { return unsettled[place - settledCount] }
    // Newest part first: the first whose matches begin at or before the place.
    for part in parts.indices where counts[part] <= place {
      return parts[part][place - counts[part]]
    }
    return nil
  }

  /// How many matches begin before a place in the text.
  public func countBefore(_ place: TextPlace) -> Int { position { $0.start < place } }

  /// The place in the list of the next match.
  ///
  /// - Parameters:
  ///   - place: Where to begin; a match that begins there counts.
  ///   - wraps: Whether the oldest match comes after the newest one.
  /// - Returns: The place in the list; nil when there is none.
  public func next(from place: TextPlace, wraps: Bool = true) -> Int? {
    let found = countBefore(place)
    if found < count { return found }
    return wraps && count > 0 ? 0 : nil
  }

  /// The place in the list of the match before.
  ///
  /// - Parameters:
  ///   - place: Where to begin; a match that begins there does not count.
  ///   - wraps: Whether the newest match comes before the oldest one.
  /// - Returns: The place in the list; nil when there is none.
  public func previous(before place: TextPlace, wraps: Bool = true) -> Int? {
    let found = countBefore(place)
    if found > 0 { return found - 1 }
    return wraps && count > 0 ? count - 1 : nil
  }

  /// The matches that touch the rows of a range, in order.
  ///
  /// - Parameters:
  ///   - lines: Numbers of rows.
  ///   - limit: Most matches to return.
  /// - Returns: The matches, oldest first.
  public func matches(in lines: ClosedRange<UInt64>, limit: Int = .max) -> [FindMatch] {
    var place = position { $0.end.line < lines.lowerBound }
    var found: [FindMatch] = []
    while found.count < limit, let match = match(place), match.line <= lines.upperBound {
      found.append(match)
      place += 1
    }
    return found
  }

  /// How many matches at the front a rule holds for; it holds for none after the first that it does not hold for.
  private func position(where isBefore: (FindMatch) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      guard let match = match(middle) else { break }
      if isBefore(match) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
