/// Finds every match of one query in the text of terminals.
///
/// It is not `Sendable`: make it on the thread that searches. Matches are found from the newest block of text to the
/// oldest, so the ones near the screen are known first.
@safe public final class Finder {
  /// Most matches that are kept, the newest; a search that has as many ends.
  public static let mostMatches = 1_000_000
  /// Texts on which a costly expression may be given up before the search is.
  private static let mostCostlyTexts = 32
  /// Bytes of a text from which on an expression is tried in slices, so that it can be stopped.
  private static let longText = 16_384
  /// Rows between two looks at whether to go on.
  private static let rowsPerLook = 512

  /// What is searched for.
  public let query: FindQuery
  private let words: BytePattern?
  private let pattern: PatternHandle?
  private var joint = LineJoint()

  /// Makes a finder.
  ///
  /// - Throws: `.badPattern` when the query is an expression that PCRE2 does not understand, `.tooLong`.
  public init(_ query: FindQuery) throws(FindError) {
    self.query = query
    let bytes = Array(query.text.utf8)
    guard bytes.count <= FindQuery.longest else { throw .tooLong }
    let ignoresCase = query.ignoresCase
    guard !bytes.isEmpty else {
      words = nil
      pattern = nil
      return
    }
    if !query.isRegex, !ignoresCase || !query.text.unicodeScalars.contains(where: Self.hasCases) {
      words = BytePattern(bytes, ignoresCase: ignoresCase)
      pattern = nil
    } else {
      words = nil
      pattern = try PatternHandle(
        query.text,
        isLiteral: !query.isRegex,
        ignoresCase: ignoresCase,
        isWholeWord: query.isWholeWord
      )
    }
  }

  /// Whether a character beyond ASCII has another form in another case, which bytes do not tell.
  private static func hasCases(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return false }
    return scalar.properties.changesWhenCaseMapped || scalar.properties.changesWhenCaseFolded
  }

  /// Searches a text.
  ///
  /// - Parameters:
  ///   - text: What to search; where it was taken after results, give those too.
  ///   - results: What was found in the text before it; results of another query or numbering are left alone.
  ///   - mayGoOn: Asked every few microseconds; false ends the search.
  ///   - progress: Told what is known so far, from the newest match back, while the search goes on.
  /// - Returns: All matches; nil when the search was ended.
  public func search(
    _ text: FindText,
    after results: FindResults? = nil,
    mayGoOn: () -> Bool = { true },
    progress: (FindResults) -> Void = { _ in }
  ) -> FindResults? {
    var found = FindResults(query: query, text: text)
    guard words != nil || pattern != nil else { return found.completed() }
    var left = Self.mostMatches
    for index in text.blocks.indices.reversed() {
      var matches: [FindMatch] = []
      guard search(text, index, into: &matches, mayGoOn) else { return nil }
      found.insert(matches, settledAt: text.settled)
      left -= matches.count
      if left <= 0 { found.cap() }
      if costlyTexts >= Self.mostCostlyTexts { found.giveUp() }
      if left <= 0 || costlyTexts >= Self.mostCostlyTexts { break }
      if index > 0 { progress(found) }
    }
    if costlyTexts > 0 { found.giveUp() }
    costlyTexts = 0
    if let results { found.insert(results, from: text.first) }
    return found.completed()
  }

  private var costlyTexts = 0

  // MARK: One block

  /// Finds the matches of the lines that begin in a block; false when the search is to end.
  private func search(
    _ text: FindText,
    _ index: Int,
    into matches: inout [FindMatch],
    _ mayGoOn: () -> Bool
  ) -> Bool {
    let block = text.blocks[index]
    var line = block.range.lowerBound
    if index > 0, isOpen(text.blocks[index - 1]) {
      // The first rows belong to a line that began in the block before.
      while line < block.range.upperBound, block.lines[line].isWrapped { line += 1 }
      line += 1
    }
    guard mayGoOn() else { return false }
    var untilLook = Self.rowsPerLook
    return unsafe block.bytes.withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return true }
      while line < block.range.upperBound {
        untilLook -= 1
        if untilLook == 0 {
          guard mayGoOn() else { return false }
          untilLook = Self.rowsPerLook
        }
        let row = block.lines[line]
        if row.isWrapped {
          let next = joint.fill(text, block: index, line: line)
          guard searchJoint(text, into: &matches, mayGoOn) else { return false }
          guard next.block == index else { return true }
          line = next.line
          continue
        }
        let start = Int(row.offset)
        let number = block.line + UInt64(line - block.range.lowerBound)
        var columns = RowColumns(row, of: block, overrides: text.widthOverrides)
        let goesOn = unsafe forEachMatch(
          in: base,
          start..<start + Int(row.textBytes),
          readable: memory.count,
          mayGoOn
        ) { match in
          let first = unsafe columns.range(of: match.lowerBound - start, in: base).lowerBound
          let end = unsafe columns.range(of: match.upperBound - 1 - start, in: base).upperBound
          matches.append(
            FindMatch(
              line: number,
              rows: 0,
              column: UInt16(clamping: first),
              endColumn: UInt16(clamping: end)
            )
          )
        }
        guard goesOn else { return false }
        line += 1
        if matches.count >= Self.mostMatches || costlyTexts >= Self.mostCostlyTexts { return true }
      }
      return true
    }
  }

  private func isOpen(_ block: FindText.Block) -> Bool {
    !block.range.isEmpty && block.lines[block.range.upperBound - 1].isWrapped
  }

  private func searchJoint(
    _ text: FindText,
    into matches: inout [FindMatch],
    _ mayGoOn: () -> Bool
  ) -> Bool {
    // Taken out, so that no exclusive access to it is open while it is read.
    let joint = joint
    var first = 0
    return unsafe joint.bytes.withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return true }
      return unsafe forEachMatch(
        in: base,
        0..<memory.count,
        readable: memory.count,
        mayGoOn
      ) { match in
        first = joint.row(holding: match.lowerBound, from: first)
        let last = joint.row(holding: match.upperBound - 1, from: first)
        let (start, end) = (joint.rows[first], joint.rows[last])
        matches.append(
          FindMatch(
            line: start.number,
            rows: UInt32(last - first),
            column: UInt16(
              clamping: text.columns(of: match.lowerBound - start.start, in: start).lowerBound
            ),
            endColumn: UInt16(
              clamping: text.columns(of: match.upperBound - 1 - end.start, in: end).upperBound
            )
          )
        )
      }
    }
  }

  // MARK: One text

  /// Calls `body` with each match in a text, in order; false when the search is to end.
  @unsafe @inline(__always)
  private func forEachMatch(
    in memory: UnsafeRawPointer,
    _ range: Range<Int>,
    readable: Int,
    _ mayGoOn: () -> Bool,
    _ body: (Range<Int>) -> Void
  ) -> Bool {
    guard let words else {
      let text = unsafe memory + range.lowerBound
      return unsafe forEachPatternMatch(in: text, count: range.count, mayGoOn) {
        body($0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound)
      }
    }
    let length = words.bytes.count
    var place = range.lowerBound
    while let start = unsafe words.next(
      in: memory,
      from: place,
      end: range.upperBound,
      readable: readable
    ) {
      place = start &+ length
      if query.isWholeWord, unsafe !WordEdge.isWhole(start..<place, in: memory, range) {
        place = start &+ 1
        continue
      }
      body(start..<place)
    }
    return true
  }

  @unsafe
  private func forEachPatternMatch(
    in memory: UnsafeRawPointer,
    count: Int,
    _ mayGoOn: () -> Bool,
    _ body: (Range<Int>) -> Void
  ) -> Bool {
    guard count > 0 else { return true }
    var place = 0
    // A long text is looked at in slices whose length follows the time that they take.
    var slice = count < Self.longText ? count : 4_096
    while place < count {
      let last = min(place &+ slice, count)
      let began = count < Self.longText ? nil : ContinuousClock.now
      switch unsafe pattern?.next(in: memory, count: count, from: place, last: last) {
      case .found(let match)?:
        body(match)
        place = match.upperBound
      case .tooCostly?:
        costlyTexts += 1
        return true
      case .none?, nil:
        place = last &+ 1
        while place < count,
          unsafe memory.load(fromByteOffset: place, as: UInt8.self) & 0xC0 == 0x80
        {
          place &+= 1
        }
      }
      if let began {
        guard mayGoOn() else { return false }
        slice =
          ContinuousClock.now - began > .milliseconds(5) ? max(slice / 4, 1) : min(slice * 2, count)
      }
    }
    return true
  }
}
