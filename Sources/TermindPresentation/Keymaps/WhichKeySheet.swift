public import TermindDomain
public import TermindScreen

/// The sheet that rises from the status line after a pause: what may follow the keys pressed so far.
public enum WhichKeySheet {
  /// Draws the choices in columns at the lower end of an area.
  ///
  /// - Parameters:
  ///   - keys: The open sequence.
  ///   - canvas: Where to draw.
  ///   - area: The window without its status line; at most two thirds of it are covered.
  ///   - look: The looks.
  /// - Returns: The cells that were covered.
  @discardableResult
  public static func draw(
    _ keys: PendingKeys,
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> CellRectangle {
    let choices = keys.choices
    guard !choices.isEmpty, area.rows >= 4, area.columns >= 12 else {
      return CellRectangle(row: area.endRow, column: area.column, rows: 0, columns: 0)
    }
    let keyColumns = choices.map { TextLine.columns($0.chord.description) }.max() ?? 1
    let labelColumns = min(choices.map { TextLine.columns($0.label) }.max() ?? 1, 24)
    let inside = area.columns - 4
    let cellColumns = min(keyColumns + 1 + labelColumns, inside)
    let columns = max((inside + 3) / (cellColumns + 3), 1)
    let needed = (choices.count + columns - 1) / columns
    let rows = min(needed, max(area.rows * 2 / 3 - 2, 1))
    let sheet = CellRectangle(
      row: area.endRow - rows - 2,
      column: area.column,
      rows: rows + 2,
      columns: area.columns
    )
    let hidden = choices.count - rows * columns
    var footer = KeyHint.spans([KeyHint("esc", "leave")], on: .sheet, limit: inside, look)
    if hidden > 0 {
      footer.insert(TextSpan("\(hidden) more  ", look.style(.dim, on: .sheet)), at: 0)
    }
    let frame = SheetFrame(title: keys.prefixText + " …", footer: footer)
    let inner = frame.draw(on: &canvas, in: sheet, look)
    let step = columns > 1 ? (inner.columns + 3) / columns : inner.columns
    for (index, choice) in choices.prefix(rows * columns).enumerated() {
      let column = inner.column + index / rows * step
      let row = inner.row + index % rows
      let key = choice.chord.description
      let padding = String(repeating: " ", count: keyColumns - TextLine.columns(key))
      let ink: Ink = choice.action == nil ? .dim : .text
      canvas.put(
        [
          TextSpan(padding + key, look.style(.accent, on: .sheet, bold: true)),
          TextSpan(" " + choice.label, look.style(ink, on: .sheet)),
        ],
        row: row,
        column: column,
        limit: min(cellColumns, inner.endColumn - column)
      )
    }
    return sheet
  }
}
