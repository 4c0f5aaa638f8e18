import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// What commands came to, at the right edge of the rows of their prompts where those are blank.
nonisolated struct PromptMarks {
  let look: Appearance

  /// Marks the rows that were just drawn; called under the surface's lock.
  func draw(
    _ terminal: Terminal,
    in area: CellRectangle,
    scrolledBack: Int,
    on canvas: inout Canvas
  ) {
    for row in 0..<min(area.rows, terminal.size.rows) {
      guard let result = terminal.commandResult(row: row, scrolledBack: scrolledBack) else {
        continue
      }
      let (failure, time) = CommandText.mark(status: result.status, duration: result.duration)
      let danger = look.style(.danger, on: .pane, bold: true)
      let dim = look.style(.dim, on: .pane)
      let whole = [
        TextSpan(failure, danger), TextSpan(failure.isEmpty || time.isEmpty ? "" : " ", dim),
        TextSpan(time, dim),
      ]
      var reader = TextReader(terminal)
      let used = reader.usedColumns(row - scrolledBack)
      for spans in [whole, [TextSpan(failure, danger)]] {
        // Digits, letters and one sign, a column each.
        let width = spans.reduce(0) { $0 + $1.text.count }
        guard width > 0, used + width + 2 <= area.columns else { continue }
        canvas.put(spans, row: area.row + row, column: area.endColumn - width, limit: width)
        break
      }
    }
  }
}
