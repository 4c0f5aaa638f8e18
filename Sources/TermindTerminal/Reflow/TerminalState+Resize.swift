extension TerminalState {
  /// Changes the size.
  ///
  /// The main screen is wrapped anew with its cursor and saved cursor kept on their text; what no longer fits
  /// goes to the scrollback, and comes back when there is room again. Scrollback is wrapped only when shown. The
  /// alternate screen is cut or padded, as its program draws it anew. Margins are reset.
  mutating func resize(to newSize: TerminalSize) {
    let old = size
    size = newSize
    if newSize.rows != old.rows || newSize.columns != old.columns {
      let prompts = newestPrompts()
      resizeScreens(from: old)
      if newSize.columns != old.columns { commands.renumber(prompts, to: newestPrompts()) }
    }
    if modes.inBandSizeReports { reportInBandSize() }
  }

  /// Changes how many lines of scrollback are kept.
  mutating func setScrollbackLimit(_ lines: Int) {
    configuration.scrollbackLines = min(max(lines, 0), 1_000_000)
    scrollback.setLimit(configuration.scrollbackLines)
  }

  private mutating func resizeScreens(from old: TerminalSize) {
    isClusterOpen = false
    let wasMain = isMainScreen
    let cursor = TrackedPlace(row: cursorRow, column: cursorColumn, isBehind: pendingWrap)
    let saved = TrackedPlace(
      row: min(savedMain.row, old.rows - 1),
      column: min(savedMain.column, old.columns - 1),
      isBehind: savedMain.pendingWrap,
      isCursor: !wasMain
    )
    // With the alternate screen shown, the main one's cursor is the saved one.
    let places = resizeMain(places: wasMain ? [cursor, saved] : [saved])
    savedMain.row = places[places.count - 1].row
    savedMain.column = places[places.count - 1].column
    savedMain.pendingWrap = places[places.count - 1].isBehind
    let alternate = Self.cut(wasMain ? hiddenGrid : grid, to: size)
    savedAlternate.row = min(savedAlternate.row, size.rows - 1)
    savedAlternate.column = min(savedAlternate.column, size.columns - 1)
    savedAlternate.pendingWrap = false
    if wasMain {
      hiddenGrid = alternate
      cursorRow = places[0].row
      cursorColumn = places[0].column
      pendingWrap = places[0].isBehind
    } else {
      grid = alternate
      pendingWrap = pendingWrap && cursorColumn == size.columns - 1
      cursorRow = min(cursorRow, size.rows - 1)
      cursorColumn = min(cursorColumn, size.columns - 1)
    }
    tabStops.resize(to: size.columns)
    resetMargins()
  }

  /// Rows and columns of a screen that is not wrapped anew.
  private static func cut(_ grid: Grid, to size: TerminalSize) -> Grid {
    var result = Grid(rows: size.rows, columns: size.columns)
    for row in 0..<min(grid.rows, size.rows) {
      var cells = Array(grid.usedCells(row).prefix(size.columns))
      if cells.count == size.columns, let last = cells.last, last.isWide, size.columns > 1 {
        cells[cells.count - 1] = GridCell(bits: last.look)
      }
      result.load(row, ReflowRow(cells: cells, marks: grid.rowInfo(row).marks))
    }
    return result
  }

  // MARK: The main screen

  private mutating func resizeMain(places: [TrackedPlace]) -> [TrackedPlace] {
    let old = isMainScreen ? grid : hiddenGrid
    let lastText = (0..<old.rows).last { !old.usedCells($0).isEmpty || old.rowInfo($0).marks != [] }
    let cursorRow = places.filter(\.isCursor).map(\.row).max()
    let end = max(lastText ?? 0, cursorRow ?? 0) + 1
    // The saved cursor may stand on blank rows below everything; it keeps its distance.
    let below = places.map { max($0.row - end + 1, 0) }
    let wasFull = end == old.rows
    var rows = (0..<end).map { row in
      ReflowRow(
        cells: Self.lineCells(old, row),
        isWrapped: old.isWrapped(row),
        marks: old.rowInfo(row).marks
      )
    }
    let asked = places
    var places = places
    if size.columns != old.columns {
      if scrollback.isOpen {
        let pulled = takeOpenLine()
        rows.insert(contentsOf: pulled, at: 0)
        for index in places.indices { places[index].row += pulled.count }
      }
      (rows, places) = LineReflow(rows, places: places).rows(width: size.columns)
    }
    if rows.count < size.rows, wasFull {
      let pulled = takeRows(size.rows - rows.count)
      rows.insert(contentsOf: pulled, at: 0)
      for index in places.indices { places[index].row += pulled.count }
    }
    for (index, distance) in below.enumerated() where distance > 0 {
      places[index] = TrackedPlace(
        row: rows.count - 1 + distance,
        column: asked[index].column,
        isBehind: false
      )
    }
    let surplus = max(rows.count - size.rows, 0)
    for row in rows.prefix(surplus) { putBack(row) }
    var result = Grid(rows: size.rows, columns: size.columns)
    for (number, row) in rows.dropFirst(surplus).enumerated() { result.load(number, row) }
    if isMainScreen { grid = result } else { hiddenGrid = result }
    return places.map {
      TrackedPlace(
        row: min(max($0.row - surplus, 0), size.rows - 1),
        column: min($0.column, size.columns - 1),
        isBehind: $0.isBehind
      )
    }
  }

  /// The cells of a row as part of a line: whole when the line goes on, without the blank a wide one left.
  private static func lineCells(_ grid: Grid, _ row: Int) -> [GridCell] {
    var cells = Array(grid.usedCells(row))
    if grid.columns == 1, let only = cells.last, only.isWide {
      cells.append(GridCell(bits: only.look | GridCell.tailBit))
      return cells
    }
    guard grid.isWrapped(row) else { return cells }
    if cells.count == grid.columns, let last = cells.last, last.isFiller {
      cells.removeLast()
    } else {
      while cells.count < grid.columns { cells.append(.erased) }
    }
    return cells
  }

  private mutating func putBack(_ row: ReflowRow) {
    let cells = row.cells
    scrollback.append(
      cells,
      cells.indices,
      info: RowInfo(used: Int32(cells.count), isWrapped: row.isWrapped, marks: row.marks),
      width: nil,
      styles: styles,
      clusters: clusters
    )
  }

  // MARK: Taking rows back from the scrollback

  /// The rows of the line that goes on in the first row of the screen.
  private mutating func takeOpenLine() -> [ReflowRow] {
    var rows: [ReflowRow] = []
    while scrollback.isOpen, let row = takeLast() { rows.append(row) }
    return rows.reversed()
  }

  private mutating func takeLast() -> ReflowRow? {
    guard let (line, chunk) = scrollback.removeLast() else { return nil }
    let row = ReflowRow(
      cells: cells(of: line, in: chunk),
      isWrapped: line.isWrapped,
      marks: line.marks
    )
    chunk.trimBytes()
    return row
  }

  /// The newest `count` rows of scrollback at the present width, fewer when there are not as many.
  private mutating func takeRows(_ count: Int) -> [ReflowRow] {
    var taken: [ReflowRow] = []
    while taken.count < count, let last = takeLast() {
      var line = takeOpenLine()
      line.append(last)
      taken.insert(
        contentsOf: LineReflow(line, places: []).rows(width: size.columns).rows,
        at: 0
      )
    }
    let surplus = max(taken.count - count, 0)
    for row in taken.prefix(surplus) { putBack(row) }
    return Array(taken.dropFirst(surplus))
  }
}

extension Grid {
  /// Puts a row into an empty one; its cells are at most the grid's columns.
  mutating func load(_ row: Int, _ content: ReflowRow) {
    let cells = Array(content.cells.prefix(columns))
    if !cells.isEmpty { replace(row, from: 0, with: cells) }
    setWrapped(row, content.isWrapped)
    setMarks(row, content.marks)
    if content.isWrapped, cells.count < columns {
      self[row, columns - 1].bits |= GridCell.fillerBit
    }
  }
}
