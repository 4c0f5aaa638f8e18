/// A stretch of text that was found; it may go over the ends of soft-wrapped rows.
public struct FindMatch: Hashable, Sendable {
  /// Of the row in which it begins.
  let line: UInt64
  /// Rows from the first to the last, 0 for most.
  let rows: UInt32
  let column: UInt16
  /// In the last row, past the last character.
  let endColumn: UInt16

  /// Where it begins.
  public var start: TextPlace { TextPlace(line: line, column: Int(column)) }

  /// Where it ends: behind its last character, on that character's row.
  public var end: TextPlace {
    TextPlace(line: line + UInt64(rows), column: Int(endColumn))
  }

  /// The columns of a row that it covers.
  ///
  /// - Parameter part: What a row of the screen shows.
  /// - Returns: The columns of the screen; nil when the match is elsewhere.
  public func columns(in part: ShownPart) -> Range<Int>? {
    guard part.line >= line, part.line <= line + UInt64(rows) else { return nil }
    let first = max(part.line == line ? Int(column) : 0, part.columns.lowerBound)
    let last = part.line == line + UInt64(rows) ? Int(endColumn) : Int.max
    let end = min(last, part.columns.upperBound)
    guard first < end else { return nil }
    let shift = part.column - part.columns.lowerBound
    return first + shift..<end + shift
  }
}
