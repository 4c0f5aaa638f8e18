internal import TermindUnicode

extension Canvas {
  /// Draws text on one row, with anything that could act on a terminal made visible.
  ///
  /// - Parameters:
  ///   - text: Any text, also from a remote side.
  ///   - row: Zero-based row.
  ///   - column: Zero-based column of the first cell.
  ///   - limit: Most columns to use; a wide character that does not fit whole is left out.
  ///   - style: How it looks.
  /// - Returns: The columns used, from 0 to `limit`.
  @discardableResult
  public mutating func put(
    _ text: String,
    row: Int,
    column: Int,
    limit: Int,
    style: ScreenStyle = .plain
  ) -> Int {
    guard limit > 0 else { return 0 }
    let index = intern(style)
    var (used, rest) = putASCII(text, row: row, column: column, limit: limit, index)
    guard let rest else { return used }
    for item in DisplayText(String(rest)) {
      if used + item.columns > limit { return used }
      if let scalar = item.scalar {
        set(row: row, column: column + used, scalar: scalar, width: item.columns, style: index)
      } else if item.isEscape {
        // What stands in for something is several cells.
        for (offset, scalar) in item.text.unicodeScalars.enumerated() {
          set(
            row: row,
            column: column + used + offset,
            scalar: scalar.value,
            width: 1,
            style: index
          )
        }
      } else {
        set(
          row: row,
          column: column + used,
          cluster: item.text,
          width: item.columns,
          style: index
        )
      }
      used += item.columns
    }
    return used
  }

  /// Draws the ASCII that a text begins with.
  ///
  /// - Returns: The columns used, and what is left to draw, `nil` when that is nothing.
  private mutating func putASCII(
    _ text: String,
    row: Int,
    column: Int,
    limit: Int,
    _ style: StyleIndex
  ) -> (Int, Substring?) {
    var used = 0
    let bytes = text.utf8
    var place = bytes.startIndex
    while place != bytes.endIndex {
      let byte = bytes[place]
      guard byte >= 0x20, byte < 0x7F else {
        // The character before may belong together with this one.
        let start = used > 0 ? bytes.index(before: place) : place
        return (max(used - 1, 0), text[start...])
      }
      if used == limit { return (used, nil) }
      self.place(
        CanvasCell(scalar: UInt32(byte), width: 1, style: style.rawValue),
        row,
        column + used
      )
      used += 1
      bytes.formIndex(after: &place)
    }
    return (used, nil)
  }

  /// Fills an area with one scalar of width 1.
  public mutating func fill(
    rows: Range<Int>,
    columns: Range<Int>,
    style: ScreenStyle = .plain,
    scalar: UInt32 = 0x20
  ) {
    let rows = rows.clamped(to: clipRows)
    let columns = columns.clamped(to: clipColumns)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    let index = intern(style).rawValue
    let isGood = ContentFilter.standsAlone(scalar) && CellWidth.columns(of: scalar) == 1
    let cell = CanvasCell(scalar: isGood ? scalar : 0x20, width: 1, style: index)
    for row in rows {
      let base = row * self.columns
      separate(base + columns.lowerBound, column: columns.lowerBound)
      separate(base + columns.upperBound - 1, column: columns.upperBound - 1)
      for spot in (base + columns.lowerBound)..<(base + columns.upperBound) { cells[spot] = cell }
    }
  }

  /// Changes the style of an area and keeps its text; a wide cell changes as a whole.
  public mutating func restyle(
    rows: Range<Int>,
    columns: Range<Int>,
    _ change: (ScreenStyle) -> ScreenStyle
  ) {
    let rows = rows.clamped(to: clipRows)
    let columns = columns.clamped(to: clipColumns)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    var known: [UInt32: UInt32] = [:]
    for row in rows {
      let base = row * self.columns
      var first = base + columns.lowerBound
      var last = base + columns.upperBound - 1
      if cells[first].isTrailing { first -= 1 }
      if cells[last].isWide { last += 1 }
      for spot in first...last {
        let old = cells[spot].style
        let new: UInt32
        if let cached = known[old] {
          new = cached
        } else {
          new = styles.intern(change(styles[old]))
          known[old] = new
        }
        cells[spot] = cells[spot].restyled(new)
      }
    }
  }

  /// The text of one row, every column in it; empty outside of the canvas.
  public func text(row: Int) -> String {
    guard row >= 0, row < rows else { return "" }
    var text = ""
    for spot in (row * columns)..<((row + 1) * columns) where !cells[spot].isTrailing {
      text += self.text(of: cells[spot])
    }
    return text
  }

  /// The text of all rows.
  public var rowsText: [String] { (0..<rows).map { text(row: $0) } }

  /// What one place shows: its text (empty in the right half of a wide cell), columns and style.
  public func cell(row: Int, column: Int) -> (text: String, width: Int, style: ScreenStyle)? {
    guard row >= 0, row < rows, column >= 0, column < columns else { return nil }
    let cell = cells[row * columns + column]
    return (cell.isTrailing ? "" : text(of: cell), cell.width, styles[cell.style])
  }

  private func text(of cell: CanvasCell) -> String {
    if cell.isCluster { return clusters[cell.content] }
    return Unicode.Scalar(cell.content).map { String(Character($0)) } ?? ""
  }
}
