import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// The cursor of copy mode and what is selected, over a pane's text.
nonisolated struct CopyMarks {
  let cursor: TextPlace?
  let selection: TextSelection?
  let showsNumbers: Bool
  let look: Appearance

  /// Marks the rows that were just drawn; called under the surface's lock.
  ///
  /// - Returns: The cursor, when it is in view.
  func draw(
    _ terminal: Terminal,
    in area: CellRectangle,
    scrolledBack: Int,
    on canvas: inout Canvas
  ) -> CanvasCursor? {
    if let selection {
      for row in 0..<min(area.rows, terminal.size.rows) {
        let columns = terminal.columns(ofRow: row, scrolledBack: scrolledBack, in: selection)
        guard !columns.isEmpty else { continue }
        canvas.restyle(
          rows: area.row + row..<area.row + row + 1,
          columns: area.column + columns.lowerBound..<area.column + columns.upperBound
        ) { look.selected($0) }
      }
    }
    if showsNumbers { drawNumbers(terminal, in: area, scrolledBack: scrolledBack, on: &canvas) }
    guard let cursor, let position = TextReader(terminal).position(of: cursor) else { return nil }
    let row = position.row + scrolledBack
    guard (0..<area.rows).contains(row), position.column < area.columns else { return nil }
    return CanvasCursor(row: area.row + row, column: area.column + position.column, shape: .block)
  }

  /// The numbers of rows at the right edge, where there is least text.
  private func drawNumbers(
    _ terminal: Terminal,
    in area: CellRectangle,
    scrolledBack: Int,
    on canvas: inout Canvas
  ) {
    let first = terminal.scrollbackRows - scrolledBack + 1
    let width = String(first + area.rows).count + 1
    guard area.columns > width + 8 else { return }
    let style = look.style(.dim, on: .bar)
    for row in 0..<min(area.rows, terminal.size.rows) {
      let text = String(first + row)
      let padded = String(repeating: " ", count: width - text.count) + text
      canvas.put(
        padded,
        row: area.row + row,
        column: area.endColumn - width,
        limit: width,
        style: style
      )
    }
  }
}
