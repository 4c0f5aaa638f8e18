extension FrameWriter {
  /// The part of a row that has to be drawn.
  private struct RowWork {
    let base: Int
    /// The last column that differs.
    var last: Int
    /// From here on the row is one kind of blank that an erase can draw; `columns` when it is not.
    var eraseFrom: Int
    /// Columns before this one are drawn whether they differ or not.
    var forcedEnd = 0
  }

  /// Draws what differs on one row.
  mutating func draw(_ change: RowChange, of canvas: Canvas) {
    let row = change.row
    let base = row * columns
    beginDrawing()
    var work = RowWork(base: base, last: change.last, eraseFrom: columns)
    work.eraseFrom = blankTail(of: canvas, base: base, last: change.last)
    // The right half of a wide cell is drawn by its left half.
    var column = canvas.cells[base + change.first].isTrailing ? change.first - 1 : change.first
    while column <= work.last {
      let cell = canvas.cells[base + column]
      if column >= work.forcedEnd, cell == shown[base + column] {
        column += max(cell.width, 1)
      } else if column >= work.eraseFrom {
        eraseTail(row: row, column: column, cell)
        for spot in (base + column)..<(base + columns) { shown[spot] = canvas.cells[spot] }
        return
      } else {
        column = drawRun(row: row, column: column, of: canvas, &work)
      }
    }
  }

  /// Draws at least the cell at a column and returns the column after what was drawn.
  private mutating func drawRun(
    row: Int,
    column: Int,
    of canvas: Canvas,
    _ work: inout RowWork
  ) -> Int {
    let cell = canvas.cells[work.base + column]
    reach(row: row, column: column, of: canvas)
    let next: Int
    let plainEnd = plainRunEnd(column, of: canvas, work)
    if plainEnd > column {
      take(pens[Int(cell.style)])
      output.ascii(canvas.cells.span, (work.base + column)..<(work.base + plainEnd))
      advance(to: plainEnd)
      next = plainEnd
    } else if cell.isBlank || isRepeatable(cell) {
      next = drawRepeated(cell, row: row, column: column, of: canvas, work)
    } else {
      drawGlyph(cell, column: column, of: canvas, &work)
      next = column + max(cell.width, 1)
    }
    for spot in (work.base + column)..<(work.base + next) { shown[spot] = canvas.cells[spot] }
    return next
  }

  /// The end of a run of ASCII in one style, all of which has to be drawn; `column` when there is none.
  ///
  /// This is most of what is ever drawn. Runs of equal cells are left to those who draw them shorter.
  private func plainRunEnd(_ column: Int, of canvas: Canvas, _ work: RowWork) -> Int {
    let cells = canvas.cells.span
    let known = shown.span
    let first = cells[work.base + column]
    let end = min(work.last + 1, work.eraseFrom)
    var previous = first.bits
    var place = column
    while place < end {
      let cell = cells[work.base + place]
      guard cell.isASCII, cell.style == first.style else { break }
      if place > column, cell.bits == previous, cell.isBlank || capabilities.repeats {
        return place - 1
      }
      if cell == known[work.base + place], place >= work.forcedEnd { break }
      previous = cell.bits
      place += 1
    }
    return place
  }

  private func isRepeatable(_ cell: CanvasCell) -> Bool {
    capabilities.repeats && !cell.isCluster && !cell.isWide
      && WidthCertainty.isCertain(cell.content)
  }

  /// Where the blank end of a row begins, if erasing it is shorter than drawing it.
  private func blankTail(of canvas: Canvas, base: Int, last: Int) -> Int {
    let end = canvas.cells[base + columns - 1]
    guard end.isBlank, isErasable(end) else { return columns }
    var start = columns - 1
    while start > 0, canvas.cells[base + start - 1] == end { start -= 1 }
    return last - start >= 3 ? start : columns
  }

  private func isErasable(_ cell: CanvasCell) -> Bool {
    let pen = pens[Int(cell.style)]
    return pen.isBackgroundOnly && (pen.background == 0 || capabilities.backColorErase)
  }

  private mutating func eraseTail(row: Int, column: Int, _ cell: CanvasCell) {
    move(row: row, column: column)
    takeBlankPen(pens[Int(cell.style)])
    output.text("\u{1B}[K")
  }

  /// Draws a run of equal cells in the shortest way: erased, repeated, or one by one.
  private mutating func drawRepeated(
    _ cell: CanvasCell,
    row: Int,
    column: Int,
    of canvas: Canvas,
    _ work: RowWork
  ) -> Int {
    var end = column + 1
    while end <= work.last, canvas.cells[work.base + end] == cell { end += 1 }
    // Equal cells that are shown already are worth drawing only in between.
    while end - 1 > column, end > work.forcedEnd,
      shown[work.base + end - 1] == cell
    {
      end -= 1
    }
    let count = end - column
    let scalar = capabilities.unicode ? cell.content : AsciiFallback.scalar(for: cell.content)
    let cellPen = pens[Int(cell.style)]
    let length = OutputBytes.length(scalar)
    let repeatCost = length + 3 + OutputBytes.digits(count - 1)
    if cell.isBlank {
      // After erasing, the cursor still has to get to the end, unless nothing follows there.
      let move = end > work.last ? 0 : 3 + OutputBytes.digits(count)
      if capabilities.erasesCharacters, isErasable(cell),
        count > 3 + OutputBytes.digits(count) + move
      {
        takeBlankPen(cellPen)
        output.csi(count, 0x58)
        return end
      }
      takeBlankPen(cellPen)
    } else {
      take(cellPen)
    }
    if capabilities.repeats, count * length > repeatCost {
      output.scalar(scalar)
      output.csi(count - 1, 0x62)
    } else {
      for _ in 0..<count { output.scalar(scalar) }
    }
    advance(to: end)
    return end
  }

  private mutating func drawGlyph(
    _ cell: CanvasCell,
    column: Int,
    of canvas: Canvas,
    _ work: inout RowWork
  ) {
    take(pens[Int(cell.style)])
    let width = max(cell.width, 1)
    if !capabilities.unicode {
      let scalar = cell.isCluster ? 0x3F : AsciiFallback.scalar(for: cell.content)
      for _ in 0..<width { output.scalar(scalar) }
      return advance(to: column + width)
    }
    if !cell.isCluster, WidthCertainty.isCertain(cell.content) {
      output.scalar(cell.content)
      return advance(to: column + width)
    }
    drawUncertain(cell, column: column, width: width, of: canvas, &work)
  }

  /// Draws a glyph that the terminal may give more or fewer columns than we do.
  ///
  /// What it might leave of the old cells is erased first, what it might cover is drawn again after it, and the
  /// cursor is placed anew.
  private mutating func drawUncertain(
    _ cell: CanvasCell,
    column: Int,
    width: Int,
    of canvas: Canvas,
    _ work: inout RowWork
  ) {
    if width == 2, !capabilities.graphemeClusters {
      if capabilities.erasesCharacters {
        output.csi(2, 0x58)
      } else {
        output.text("  ")
        // At the right edge the cursor did not move past the second blank.
        if column + 2 < columns {
          output.text("\u{8}\u{8}")
        } else {
          output.csi(column + 1, 0x47)
        }
      }
    }
    var reach = 0
    if cell.isCluster {
      let cluster = canvas.clusters[cell.content]
      output.string(cluster)
      for scalar in cluster.unicodeScalars { reach += CellWidth.columns(of: scalar.value) }
    } else {
      output.scalar(cell.content)
      reach = 2
    }
    cursorColumn = -1
    let end = min(column + max(reach, width, 2), columns)
    if end > column + width {
      work.forcedEnd = max(work.forcedEnd, end)
      work.last = max(work.last, end - 1)
    }
    if width == 1, column > 0, column == columns - 1 { redrawBeforeEdge(of: canvas, work) }
  }

  /// Draws the cell before the last column again.
  ///
  /// A terminal for which a glyph in the last column is wide moves it to the left to fit it in.
  private mutating func redrawBeforeEdge(of canvas: Canvas, _ work: RowWork) {
    var column = columns - 2
    if canvas.cells[work.base + column].isTrailing { column -= 1 }
    let cell = canvas.cells[work.base + column]
    guard !cell.isCluster, WidthCertainty.isCertain(cell.content) else { return }
    move(row: cursorRow, column: column)
    take(pens[Int(cell.style)])
    output.scalar(cell.content)
    advance(to: column + cell.width)
  }
}
