extension Terminal {
  /// The numbers of the rows that there are: those above the screen that are kept, and the screen's.
  ///
  /// Of the alternate screen only its own rows.
  public var textLines: Range<UInt64> {
    let first = state.isMainScreen ? state.scrollback.first : state.scrollback.end
    return first..<state.scrollback.end + UInt64(size.rows)
  }

  /// The number of the screen's first row.
  public var screenLine: UInt64 { state.scrollback.end }

  /// What a shown row shows.
  ///
  /// - Parameters:
  ///   - row: The row, counted from the top of what is shown.
  ///   - scrolledBack: How many rows of scrollback are shown above the screen's first row.
  /// - Returns: The parts, left to right: one for most rows, more where short rows were put together by a change of
  ///   the width, none for a row that does not exist.
  public func shownParts(row: Int, scrolledBack: Int = 0) -> [ShownPart] {
    guard row >= 0, row < size.rows else { return [] }
    let place = row - max(scrolledBack, 0)
    if place >= 0 {
      let line = state.scrollback.end + UInt64(place)
      // The blank that a wide character left at the end is no text.
      let cells = state.grid.usedCells(place)
      let isFilled = cells.count == size.columns && cells.last?.isFiller == true
      return [ShownPart(line: line, columns: 0..<size.columns - (isFilled ? 1 : 0), column: 0)]
    }
    guard state.isMainScreen else { return [] }
    return state.scrollback.parts(atDistance: -place, width: size.columns)
  }

  /// The row of the screen that shows a place; negative for rows above the screen, -1 being the nearest.
  ///
  /// - Returns: The row at the present width; nil when the place is no longer there.
  public func shownRow(of place: TextPlace) -> Int? {
    let end = state.scrollback.end
    if place.line >= end {
      let row = place.line - end
      return row < UInt64(size.rows) ? Int(row) : nil
    }
    guard state.isMainScreen else { return nil }
    return state.scrollback.distance(of: place, width: size.columns).map { -$0 }
  }
}
