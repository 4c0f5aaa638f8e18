import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// What is marked in a pane because it was found.
nonisolated struct FindMarks {
  let results: FindResults
  /// The match that is shown.
  let current: FindMatch?
  let look: Appearance

  /// Marks the matches among the rows that were just drawn; called under the surface's lock.
  func draw(
    _ terminal: Terminal,
    in area: CellRectangle,
    scrolledBack: Int,
    on canvas: inout Canvas
  ) {
    let rows = (0..<min(area.rows, terminal.size.rows))
      .map { terminal.shownParts(row: $0, scrolledBack: scrolledBack) }
    let lines = rows.joined().map(\.line)
    guard let first = lines.min(), let last = lines.max() else { return }
    let matches = results.matches(in: first...last, limit: area.rows * area.columns)
    for (row, parts) in rows.enumerated() {
      for part in parts {
        for match in matches {
          guard match.start.line <= part.line, let columns = match.columns(in: part) else {
            continue
          }
          let isCurrent = match == current
          let start = area.column + columns.lowerBound
          canvas.restyle(
            rows: area.row + row..<area.row + row + 1,
            columns: start..<start + columns.count
          ) { look.found($0, isCurrent: isCurrent) }
        }
      }
    }
  }
}
