extension TerminalState {
  /// Whether the cursor's column is between the left and right margins.
  var isInsideColumns: Bool { cursorColumn >= leftMargin && cursorColumn <= rightMargin }

  /// Whether the cursor is inside all four margins.
  var isInsideMargins: Bool {
    isInsideColumns && cursorRow >= topMargin && cursorRow <= bottomMargin
  }

  /// The column after the last one that text may take.
  @inline(__always)
  var rightLimit: Int {
    let limit = cursorColumn <= rightMargin ? rightMargin + 1 : size.columns
    return grid.hasSizedRows ? max(min(limit, lineColumns), cursorColumn + 1) : limit
  }

  var marginColumns: Range<Int> { leftMargin..<rightMargin + 1 }
  var marginRows: Range<Int> { topMargin..<bottomMargin + 1 }
  private var isFullWidth: Bool { leftMargin == 0 && rightMargin == size.columns - 1 }

  mutating func resetMargins() {
    topMargin = 0
    bottomMargin = size.rows - 1
    leftMargin = 0
    rightMargin = size.columns - 1
  }

  /// DECSTBM; zero-based rows, ignored unless there are at least two.
  mutating func setVerticalMargins(top: Int, bottom: Int) {
    let bottom = min(bottom, size.rows - 1)
    guard top < bottom else { return }
    topMargin = top
    bottomMargin = bottom
    moveHome()
  }

  /// DECSLRM; zero-based columns, ignored unless there are at least two.
  mutating func setHorizontalMargins(left: Int, right: Int) {
    let right = min(right, size.columns - 1)
    guard left < right else { return }
    leftMargin = left
    rightMargin = right
    moveHome()
  }

  /// Goes to the first place: of the margins in origin mode, of the screen otherwise.
  mutating func moveHome() {
    pendingWrap = false
    cursorRow = settings.origin ? topMargin : 0
    cursorColumn = settings.origin ? leftMargin : 0
  }

  // MARK: Scrolling

  /// Scrolls the region up; rows that leave at the top of the main screen go to the scrollback.
  mutating func scrollUp(_ count: Int) {
    let count = min(count, marginRows.count)
    guard isFullWidth else {
      moveRows(in: marginRows, up: count)
      return
    }
    if topMargin == 0, isMainScreen {
      for row in 0..<count { scrollOut(row) }
    }
    grid.scrollUp(marginRows, by: count, fill: eraseCell)
    if topMargin > 0 { grid.setWrapped(topMargin - 1, false) }
  }

  mutating func scrollDown(_ count: Int) {
    let count = min(count, marginRows.count)
    guard isFullWidth else {
      moveRows(in: marginRows, up: -count)
      return
    }
    grid.scrollDown(marginRows, by: count, fill: eraseCell)
    grid.setWrapped(bottomMargin, false)
    if topMargin > 0 { grid.setWrapped(topMargin - 1, false) }
  }

  /// IL and DL: moves the rows from the cursor's down to the bottom margin.
  mutating func shiftRows(down count: Int) {
    guard isInsideMargins, count != 0 else { return }
    pendingWrap = false
    let range = cursorRow..<bottomMargin + 1
    let amount = min(abs(count), range.count)
    if !isFullWidth {
      moveRows(in: range, up: count > 0 ? -amount : amount)
    } else if count > 0 {
      grid.scrollDown(range, by: amount, fill: eraseCell)
      grid.setWrapped(bottomMargin, false)
    } else {
      grid.scrollUp(range, by: amount, fill: eraseCell)
    }
    if cursorRow > 0 { grid.setWrapped(cursorRow - 1, false) }
    cursorColumn = leftMargin
  }

  /// Moves the part of rows between the left and right margins, cell by cell.
  private mutating func moveRows(in range: Range<Int>, up count: Int) {
    let columns = marginColumns
    let amount = min(abs(count), range.count)
    guard amount > 0 else { return }
    let rows = count > 0 ? Array(range) : Array(range.reversed())
    let step = count > 0 ? amount : -amount
    for row in rows {
      grid.setWrapped(row, false)
      if range.contains(row + step) {
        grid.copy(row: row + step, columns, toRow: row, column: columns.lowerBound)
      } else {
        grid.fill(row, columns, with: eraseCell)
      }
    }
  }

  /// DECIC, DECDC, DECBI and DECFI: moves the columns from `column` to the right margin in every margin row.
  mutating func shiftColumns(from column: Int, by distance: Int) {
    for row in marginRows {
      grid.shift(row, column..<rightMargin + 1, by: distance, fill: eraseCell)
      grid.setWrapped(row, false)
    }
  }

  /// Puts a row of the main screen into the scrollback.
  mutating func scrollOut(_ row: Int) {
    scrollback.append(
      grid.cells,
      grid.usedRange(row),
      info: grid.rowInfo(row),
      width: grid.columns,
      styles: styles,
      clusters: clusters
    )
    rowsScrolledOut &+= 1
  }
}
