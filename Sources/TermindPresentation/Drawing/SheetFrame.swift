import TermindDomain
import TermindScreen

/// The frame of a sheet: one line around it, with the title in the line.
struct SheetFrame {
  /// The border and what it says.
  enum Mood {
    case normal
    case danger
  }

  var title: String
  var mood = Mood.normal
  /// What the lower border says at its right, such as `esc close`.
  var footer: [TextSpan] = []

  /// Draws the frame over whatever is there and gives the room inside, one blank column at each side.
  func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> CellRectangle {
    let ground = look.style(.text, on: .sheet)
    canvas.clear(area, ground)
    guard area.rows >= 3, area.columns >= 4 else { return area }
    let line = look.style(mood == .danger ? .danger : .focusedBorder, on: .sheet)
    let first = area.row
    let last = area.endRow - 1
    let left = area.column
    let right = area.endColumn - 1
    canvas.line("─", rows: first..<(first + 1), columns: left..<right, style: line)
    canvas.line("─", rows: last..<(last + 1), columns: left..<right, style: line)
    canvas.line("│", rows: first..<last, columns: left..<(left + 1), style: line)
    canvas.line("│", rows: first..<last, columns: right..<(right + 1), style: line)
    canvas.mark("┌", row: first, column: left, style: line)
    canvas.mark("┐", row: first, column: right, style: line)
    canvas.mark("└", row: last, column: left, style: line)
    canvas.mark("┘", row: last, column: right, style: line)
    if !title.isEmpty {
      let ink: Ink = mood == .danger ? .danger : .text
      let style = look.style(ink, on: .sheet, bold: true)
      let text = TextLine.clipped(title, area.columns - 6)
      canvas.put(" \(text) ", row: first, column: left + 2, limit: area.columns - 4, style: style)
    }
    if !footer.isEmpty {
      let blank = TextSpan(" ", ground)
      canvas.put(
        [blank] + footer + [blank],
        row: last,
        endingAt: right - 1,
        limit: area.columns - 4
      )
    }
    return area.inset(rows: 1, columns: 2)
  }

  /// A line across the sheet, joined to its border.
  static func divider(
    on canvas: inout Canvas,
    row: Int,
    in area: CellRectangle,
    _ look: Appearance
  ) {
    let line = look.style(.focusedBorder, on: .sheet)
    canvas.line("─", rows: row..<(row + 1), columns: area.columnRange, style: line)
    canvas.mark("├", row: row, column: area.column, style: line)
    canvas.mark("┤", row: row, column: area.endColumn - 1, style: line)
  }
}
