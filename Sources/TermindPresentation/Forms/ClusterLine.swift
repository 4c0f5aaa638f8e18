/// What an edit did to the characters of a line: enough to take it back and to do it again.
struct LineChange: Hashable, Sendable {
  /// The first character that differs.
  var start: Int
  /// The characters that were there.
  var old: [String]
  /// The characters that are there now.
  var new: [String]
  /// Where the cursor stood.
  var cursorBefore: Int
  /// Where the cursor stands now.
  var cursorAfter: Int

  /// The bytes that it keeps.
  var byteCount: Int { old.reduce(0) { $0 + $1.utf8.count } + new.reduce(0) { $0 + $1.utf8.count } }

  /// Takes the next change of a run of typing in.
  ///
  /// - Returns: Whether the next change lies within this one, so that both are one now.
  mutating func merge(_ next: LineChange) -> Bool {
    let offset = next.start - start
    guard offset >= 0, offset + next.old.count <= new.count else { return false }
    new.replaceSubrange(offset..<(offset + next.old.count), with: next.new)
    cursorAfter = next.cursorAfter
    return true
  }
}

/// The characters of a line, as people see them.
///
/// An edit looks at what it changes and at the characters beside it, however long the line is.
struct ClusterLine: Hashable, Sendable {
  /// The characters.
  private(set) var clusters: [String]
  /// The bytes of the line in UTF-8.
  private(set) var byteCount: Int

  /// Takes a text apart.
  init(_ text: String, limit: Int = .max) {
    clusters = text.prefix(limit).map { String($0) }
    byteCount = clusters.reduce(0) { $0 + $1.utf8.count }
    EditingWork.note(clusters.count)
  }

  /// The number of characters.
  var count: Int { clusters.count }

  /// The whole line.
  var text: String {
    EditingWork.note(clusters.count)
    return clusters.joined()
  }

  /// Puts text in place of characters; what stands beside it may join it to one character.
  ///
  /// - Parameters:
  ///   - range: The characters that go.
  ///   - text: What comes.
  ///   - cursor: Where the cursor stands.
  /// - Returns: What changed, with the cursor behind the text; nil when nothing did.
  mutating func replace(_ range: Range<Int>, with text: String, cursor: Int) -> LineChange? {
    let first = max(range.lowerBound - 1, 0)
    let head = clusters[first..<range.lowerBound].joined() + text
    var reach = 2
    var pieces: [String] = []
    var stop = range.upperBound
    while true {
      let last = min(range.upperBound + reach, count)
      pieces = (head + clusters[range.upperBound..<last].joined()).map { String($0) }
      if last == count {
        stop = last
        break
      }
      // From where the characters part as they did before, nothing is different.
      if let met = meeting(of: pieces, head.utf8.count, range.upperBound..<last) {
        pieces.removeSubrange(met.piece...)
        stop = met.cluster
        break
      }
      reach *= 2
    }
    EditingWork.note(pieces.count)
    var place = first
    var bytes = 0
    for piece in pieces where bytes < head.utf8.count {
      bytes += piece.utf8.count
      place += 1
    }
    return put(pieces, at: first..<stop, cursor: cursor, cursorAfter: place)
  }

  /// The first place at which new characters end where one of the old ones begins.
  private func meeting(
    of pieces: [String],
    _ start: Int,
    _ old: Range<Int>
  ) -> (piece: Int, cluster: Int)? {
    var newBytes = 0
    var oldBytes = start
    var piece = 0
    for cluster in old {
      while piece < pieces.count, newBytes < oldBytes {
        newBytes += pieces[piece].utf8.count
        piece += 1
      }
      if newBytes == oldBytes { return (piece, cluster) }
      oldBytes += clusters[cluster].utf8.count
    }
    return nil
  }

  private mutating func put(
    _ pieces: [String],
    at range: Range<Int>,
    cursor: Int,
    cursorAfter: Int
  ) -> LineChange? {
    // Equal characters may be of different bytes, and what was typed is kept exactly.
    func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
    var old = clusters[range]
    var new = pieces[...]
    while let left = old.first, let right = new.first, isSame(left, right) {
      old.removeFirst()
      new.removeFirst()
    }
    while let left = old.last, let right = new.last, isSame(left, right) {
      old.removeLast()
      new.removeLast()
    }
    guard !old.isEmpty || !new.isEmpty else { return nil }
    let change = LineChange(
      start: old.startIndex,
      old: Array(old),
      new: Array(new),
      cursorBefore: cursor,
      cursorAfter: cursorAfter
    )
    exchange(change.start, change.old, change.new)
    return change
  }

  /// Takes a change back.
  mutating func revert(_ change: LineChange) { exchange(change.start, change.new, change.old) }

  /// Does a change again.
  mutating func repeatChange(_ change: LineChange) {
    exchange(change.start, change.old, change.new)
  }

  private mutating func exchange(_ start: Int, _ old: [String], _ new: [String]) {
    clusters.replaceSubrange(start..<(start + old.count), with: new)
    byteCount += new.reduce(0) { $0 + $1.utf8.count } - old.reduce(0) { $0 + $1.utf8.count }
  }
}
