public import TermindDomain
public import TermindScreen

/// What a pane says when no program draws in it.
public enum PaneNotices {
  /// Greys what the pane last showed and puts the explanation at its lower end.
  ///
  /// - Returns: The cells that the explanation takes.
  @discardableResult
  public static func drawDead(
    _ explanation: Explanation,
    on canvas: inout Canvas,
    in pane: CellRectangle,
    _ look: Appearance
  ) -> CellRectangle {
    canvas.restyle(rows: pane.rowRange, columns: pane.columnRange) { look.greyed($0) }
    let lines = deadLines(explanation, rows: pane.rows, columns: pane.columns)
    let place = CellRectangle(
      row: pane.endRow - lines.count,
      column: pane.column,
      rows: lines.count,
      columns: pane.columns
    )
    canvas.clear(place, look.style(.text, on: .bar))
    for (index, line) in lines.enumerated() {
      let sign = index == 0 ? "×" : " "
      canvas.put(
        [
          TextSpan(" \(sign) ", look.style(.danger, on: .bar, bold: true)),
          TextSpan(line.0, look.style(line.1, on: .bar)),
        ],
        row: place.row + index,
        column: place.column,
        limit: place.columns
      )
    }
    return place
  }

  /// How many rows at the lower end of a pane an explanation takes.
  public static func deadRows(_ explanation: Explanation, rows: Int, columns: Int) -> Int {
    deadLines(explanation, rows: rows, columns: columns).count
  }

  private static func deadLines(
    _ explanation: Explanation,
    rows: Int,
    columns: Int
  ) -> [(String, Ink)] {
    let width = max(columns - 4, 1)
    let detail = TextLine.wrapped(explanation.detail, width).map { ($0, Ink.text) }
    let next = TextLine.wrapped(explanation.next, width).map { ($0, Ink.accent) }
    // What to press is the last thing that gives way.
    return Array((detail.prefix(max(rows - next.count, 0)) + next).prefix(rows))
  }

  /// Says what is going on while a connection is opened: each hop in turn, and how to stop.
  public static func drawConnecting(
    _ lines: [String],
    hints: [KeyHint],
    on canvas: inout Canvas,
    in pane: CellRectangle,
    _ look: Appearance
  ) {
    drawCentred(
      lines.enumerated().map { ($0.element, $0.offset == lines.count - 1 ? .text : .dim) },
      hints: hints,
      on: &canvas,
      in: pane,
      look
    )
  }

  /// Says what an empty pane can become.
  public static func drawEmpty(
    hints: [KeyHint],
    on canvas: inout Canvas,
    in pane: CellRectangle,
    _ look: Appearance
  ) {
    drawCentred([("Empty pane", .dim)], hints: hints, on: &canvas, in: pane, look)
  }

  private static func drawCentred(
    _ lines: [(text: String, ink: Ink)],
    hints: [KeyHint],
    on canvas: inout Canvas,
    in pane: CellRectangle,
    _ look: Appearance
  ) {
    canvas.clear(pane, look.style(.text, on: .pane))
    let hint = KeyHint.spans(hints, on: .pane, limit: max(pane.columns - 2, 0), look)
    let count = lines.count + (hint.isEmpty ? 0 : 2)
    let shown = count > pane.rows ? Array(lines.suffix(max(pane.rows - 1, 1))) : lines
    var row = pane.row + max((pane.rows - count) / 2, 0)
    for line in shown where row < pane.endRow {
      let text = TextLine.clipped(line.text, pane.columns)
      let column = pane.column + (pane.columns - TextLine.columns(text)) / 2
      canvas.put(
        [TextSpan(text, look.style(line.ink, on: .pane))],
        row: row,
        column: column,
        limit: pane.columns
      )
      row += 1
    }
    guard !hint.isEmpty else { return }
    row += row + 1 < pane.endRow ? 1 : 0
    guard row < pane.endRow else { return }
    let column = pane.column + max((pane.columns - TextLine.columns(hint)) / 2, 0)
    canvas.put(hint, row: row, column: column, limit: pane.columns)
  }
}
