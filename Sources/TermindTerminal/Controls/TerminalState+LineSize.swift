extension TerminalState {
  /// How many characters the cursor's line holds: half of the columns when they are of double width.
  var lineColumns: Int {
    guard grid.hasSizedRows, grid.rowInfo(cursorRow).size != .single else { return size.columns }
    return max(size.columns / 2, 1)
  }

  /// DECSWL, DECDWL and DECDHL: the size of the characters of the cursor's line.
  ///
  /// As on the VT420 all lines are of single width while there are side margins.
  mutating func setLineSize(_ lineSize: RowSize) {
    guard !settings.leftRightMargins else { return }
    grid.setSize(cursorRow, lineSize)
    stayOnLine()
  }

  /// Makes all lines of single width.
  mutating func resetLineSizes() {
    guard grid.hasSizedRows else { return }
    for row in 0..<size.rows { grid.setSize(row, .single) }
  }

  /// Moves the cursor back onto a line that is shorter than the screen.
  @inline(__always)
  mutating func stayOnLine() {
    if grid.hasSizedRows, cursorColumn >= lineColumns { cursorColumn = lineColumns - 1 }
  }

  /// The place where a cell of a row is drawn.
  func drawnColumn(_ column: Int, row: Int) -> Int {
    guard grid.hasSizedRows, grid.rowInfo(row).size != .single else { return column }
    return min(column * 2, size.columns - 1)
  }
}
