extension TerminalState {
  /// ED and DECSED.
  mutating func eraseInDisplay(_ kind: Int, selective: Bool) {
    switch kind {
    case 0:
      eraseCells(cursorRow, cursorColumn..<size.columns, selective: selective)
      eraseRows(cursorRow + 1..<size.rows, selective: selective)
    case 1:
      eraseRows(0..<cursorRow, selective: selective)
      eraseCells(cursorRow, 0..<cursorColumn + 1, selective: selective)
    case 2: eraseRows(0..<size.rows, selective: selective)
    case 3:
      if !selective { scrollback.removeAll() }
      return
    default: return
    }
    pendingWrap = false
  }

  /// EL and DECSEL.
  mutating func eraseInLine(_ kind: Int, selective: Bool) {
    switch kind {
    case 0: eraseCells(cursorRow, cursorColumn..<size.columns, selective: selective)
    case 1: eraseCells(cursorRow, 0..<cursorColumn + 1, selective: selective)
    case 2: eraseCells(cursorRow, 0..<size.columns, selective: selective)
    default: return
    }
    pendingWrap = false
  }

  mutating func eraseCharacters(_ count: Int) {
    let end = min(cursorColumn + count, size.columns)
    eraseCells(cursorRow, cursorColumn..<end, selective: false)
    pendingWrap = false
  }

  private mutating func eraseRows(_ rows: Range<Int>, selective: Bool) {
    for row in rows {
      if selective || isIsoProtection {
        eraseCells(row, 0..<size.columns, selective: selective)
      } else {
        grid.clearRow(row, with: eraseCell)
      }
    }
    if !rows.isEmpty, rows.lowerBound > 0, rows.upperBound == size.rows,
      rows.lowerBound != cursorRow + 1
    {
      grid.setWrapped(rows.lowerBound - 1, false)
    }
  }

  /// Erases part of a row: of a selective erase, the unprotected cells, which keep their looks.
  ///
  /// Protection by SPA (ISO 6429) is respected by every erase in display or line, protection by DECSCA by
  /// selective ones.
  mutating func eraseCells(_ row: Int, _ columns: Range<Int>, selective: Bool) {
    guard !columns.isEmpty else { return }
    if columns.upperBound == size.columns { grid.setWrapped(row, false) }
    if selective {
      eraseUnprotected(row, columns)
    } else if !selective, isIsoProtection {
      grid.fillUnprotected(row, columns, with: eraseCell)
    } else {
      grid.fill(row, columns, with: eraseCell)
    }
  }

  /// Blanks unprotected cells; a selective erase keeps attributes (VT220 manual, DECSED).
  private mutating func eraseUnprotected(_ row: Int, _ columns: Range<Int>) {
    for column in columns where !grid[row, column].isProtected {
      let cell = grid[row, column]
      if cell.isBlank, !cell.isFiller { continue }
      grid.fill(row, column..<column + 1, with: GridCell(bits: cell.look))
    }
  }

  // MARK: Inserting and deleting characters

  mutating func insertBlanks(_ count: Int) {
    pendingWrap = false
    guard isInsideColumns else { return }
    grid.shift(cursorRow, cursorColumn..<rightMargin + 1, by: count, fill: eraseCell)
    grid.setWrapped(cursorRow, false)
  }

  mutating func deleteCharacters(_ count: Int) {
    pendingWrap = false
    guard isInsideColumns else { return }
    grid.shift(cursorRow, cursorColumn..<rightMargin + 1, by: -count, fill: eraseCell)
    grid.setWrapped(cursorRow, false)
  }

  /// DECIC.
  mutating func insertColumns(_ count: Int) {
    guard isInsideMargins else { return }
    shiftColumns(from: cursorColumn, by: count)
  }

  /// DECDC.
  mutating func deleteColumns(_ count: Int) {
    guard isInsideMargins else { return }
    shiftColumns(from: cursorColumn, by: -count)
  }

  /// SL (negative) and SR: moves everything between the margins sideways.
  mutating func shiftScreen(by distance: Int) { shiftColumns(from: leftMargin, by: distance) }

  /// REP: prints the character before the sequence again.
  mutating func repeatGraphic(_ graphic: UInt32, _ count: Int) {
    guard graphic != 0 else { return }
    let width = max(width(of: graphic), 1)
    for _ in 0..<min(count, size.rows * size.columns) { place(graphic, width: width) }
    lastGraphic = 0
  }

  // MARK: Protection

  /// DECSCA.
  mutating func selectProtection(_ kind: Int) {
    isIsoProtection = false
    isProtecting = kind == 1
  }

  /// SPA and EPA.
  mutating func setProtecting(_ value: Bool) {
    isIsoProtection = true
    isProtecting = value
  }
}
