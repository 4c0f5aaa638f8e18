import TermindDomain
public import TermindScreen

extension Canvas {
  /// Draws pieces one behind the other.
  ///
  /// - Parameters:
  ///   - spans: The pieces.
  ///   - row: Zero-based row.
  ///   - column: Zero-based column of the first cell.
  ///   - limit: Most columns to use; the piece that does not fit ends in an ellipsis.
  /// - Returns: The columns used.
  @discardableResult
  public mutating func put(_ spans: [TextSpan], row: Int, column: Int, limit: Int) -> Int {
    var used = 0
    for span in spans where used < limit {
      let text = TextLine.clipped(span.text, limit - used)
      used += put(text, row: row, column: column + used, limit: limit - used, style: span.style)
    }
    return used
  }

  /// Draws pieces so that they end at a column.
  ///
  /// - Returns: The columns used.
  @discardableResult
  mutating func put(_ spans: [TextSpan], row: Int, endingAt end: Int, limit: Int) -> Int {
    let columns = TextLine.columns(spans)
    guard columns <= limit else { return 0 }
    return put(spans, row: row, column: end - columns, limit: columns)
  }

  /// Draws a line of one glyph of width 1.
  mutating func line(
    _ glyph: Unicode.Scalar,
    rows: Range<Int>,
    columns: Range<Int>,
    style: ScreenStyle
  ) {
    fill(rows: rows, columns: columns, style: style, scalar: glyph.value)
  }

  /// Draws one glyph of width 1.
  mutating func mark(_ glyph: Unicode.Scalar, row: Int, column: Int, style: ScreenStyle) {
    set(row: row, column: column, scalar: glyph.value, width: 1, style: intern(style))
  }

  /// Fills an area with blanks of a style.
  mutating func clear(_ area: CellRectangle, _ style: ScreenStyle) {
    fill(rows: area.rowRange, columns: area.columnRange, style: style)
  }
}

extension CellRectangle {
  /// The part that is left when every side gives way.
  func inset(rows: Int, columns: Int) -> CellRectangle {
    CellRectangle(
      row: row + rows,
      column: column + columns,
      rows: self.rows - 2 * rows,
      columns: self.columns - 2 * columns
    )
  }

  /// A block of at most that size in the middle of this one.
  func centred(rows: Int, columns: Int) -> CellRectangle {
    let rows = min(rows, self.rows)
    let columns = min(columns, self.columns)
    return CellRectangle(
      row: row + (self.rows - rows) / 2,
      column: column + (self.columns - columns) / 2,
      rows: rows,
      columns: columns
    )
  }

  /// One row of the block.
  func line(_ index: Int) -> CellRectangle {
    CellRectangle(row: row + index, column: column, rows: 1, columns: columns)
  }
}
