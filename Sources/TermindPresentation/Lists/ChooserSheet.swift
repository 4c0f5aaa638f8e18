public import TermindDomain
public import TermindScreen

/// One row of a chooser.
public struct ChooserRow: Hashable, Sendable {
  /// A sign before it: `●` for up, `▣` for a pane, blank for none.
  public var sign: String
  /// The sign's ink.
  public var signInk: Ink
  /// What it is.
  public var title: String
  /// What tells it from others.
  public var detail: String
  /// What stands at the right end: a key, a time, a state.
  public var trailing: String
  /// A mark at the left edge.
  public var color: PaletteColor?

  /// Makes a row.
  public init(
    title: String,
    detail: String = "",
    trailing: String = "",
    sign: String = "",
    signInk: Ink = .success,
    color: PaletteColor? = nil
  ) {
    self.title = title
    self.detail = detail
    self.trailing = trailing
    self.color = color
    self.sign = sign
    self.signInk = signInk
  }
}

/// A key and what it does, for the lower edge of a sheet or the status line.
public struct KeyHint: Hashable, Sendable {
  /// The key as people read it.
  public var key: String
  /// A word or two.
  public var label: String

  /// Makes a hint.
  public init(_ key: String, _ label: String) {
    self.key = key
    self.label = label
  }

  /// The hints in a row, as many as fit.
  static func spans(
    _ hints: [KeyHint],
    on ground: Ground,
    limit: Int,
    _ look: Appearance
  ) -> [TextSpan] {
    var spans: [TextSpan] = []
    var used = 0
    for hint in hints {
      let gap = spans.isEmpty ? "" : "  "
      let columns = TextLine.columns(gap + hint.key + " " + hint.label)
      guard used + columns <= limit else { break }
      used += columns
      if !gap.isEmpty { spans.append(TextSpan(gap, look.style(.dim, on: ground))) }
      spans.append(TextSpan(hint.key, look.style(.accent, on: ground, bold: true)))
      spans.append(TextSpan(" " + hint.label, look.style(.dim, on: ground)))
    }
    return spans
  }
}

/// A sheet with a field to type in and the matching rows under it: Quick Open, actions, keys, themes.
public struct ChooserSheet: Sendable {
  /// What stands in the upper border.
  public var title: String
  /// What the field says while nothing is typed.
  public var placeholder: String
  /// What stands under the rows.
  public var hints: [KeyHint]
  /// What is said when nothing matches.
  public var emptyText: String

  /// Makes a sheet.
  public init(
    title: String,
    placeholder: String = "type to filter",
    hints: [KeyHint] = [KeyHint("enter", "choose"), KeyHint("esc", "close")],
    emptyText: String = "Nothing matches."
  ) {
    self.title = title
    self.placeholder = placeholder
    self.hints = hints
    self.emptyText = emptyText
  }

  /// The cells that the sheet takes of a window.
  public static func area(in window: CellRectangle, entries: Int) -> CellRectangle {
    let columns = min(max(window.columns * 2 / 3, 60), 100, window.columns)
    let rows = min(max(entries, 3) + 6, max(window.rows * 3 / 4, 10), window.rows)
    var area = window.centred(rows: rows, columns: columns)
    area.row = window.row + max((window.rows - rows) / 3, 0)
    return area
  }

  /// Draws the sheet and puts the cursor into its field.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - area: The whole sheet, border included.
  ///   - list: The list's state.
  ///   - look: The looks.
  ///   - row: Gives the row of an entry.
  /// - Returns: The rows that were drawn, top to bottom: their screen row and their place in the matches.
  @discardableResult
  public func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    list: FilteredList,
    _ look: Appearance,
    row: (Int) -> ChooserRow
  ) -> [(screenRow: Int, match: Int)] {
    let inner = SheetFrame(title: title).draw(on: &canvas, in: area, look)
    guard inner.rows >= 1 else { return [] }
    drawQuery(on: &canvas, in: inner, list, look)
    guard inner.rows >= 3 else { return [] }
    SheetFrame.divider(on: &canvas, row: inner.row + 1, in: area, look)
    let hasHints = inner.rows >= 6 && !hints.isEmpty
    let count = inner.rows - (hasHints ? 4 : 2)
    if hasHints {
      SheetFrame.divider(on: &canvas, row: inner.endRow - 2, in: area, look)
      let spans = KeyHint.spans(hints, on: .sheet, limit: inner.columns, look)
      canvas.put(spans, row: inner.endRow - 1, column: inner.column, limit: inner.columns)
    }
    let window = list.window(rows: count)
    if window.isEmpty {
      canvas.put(
        [TextSpan(emptyText, look.style(.dim, on: .sheet))],
        row: inner.row + 2,
        column: inner.column,
        limit: inner.columns
      )
    }
    let rows = window.map { row(list.matches[$0]) }
    let titleColumns = Self.titleColumns(rows, inner.columns)
    for (offset, match) in window.enumerated() {
      let line = CellRectangle(
        row: inner.row + 2 + offset,
        column: area.column + 1,
        rows: 1,
        columns: area.columns - 2
      )
      Self.draw(
        rows[offset],
        on: &canvas,
        in: line,
        titleColumns: titleColumns,
        isSelected: match == list.selection,
        look
      )
    }
    return window.enumerated().map { (inner.row + 2 + $0.offset, $0.element) }
  }

  private func drawQuery(
    on canvas: inout Canvas,
    in inner: CellRectangle,
    _ list: FilteredList,
    _ look: Appearance
  ) {
    let count = "\(list.matchCount)/\(list.count)"
    let room = inner.columns - 2
    let countColumns = room > count.count + 12 ? count.count + 1 : 0
    canvas.put(
      "› ",
      row: inner.row,
      column: inner.column,
      limit: 2,
      style: look.style(.accent, on: .sheet, bold: true)
    )
    let (text, cursor) = list.query.visible(width: room - countColumns)
    if list.query.isEmpty {
      let hint = TextSpan(placeholder, look.style(.dim, on: .sheet))
      canvas.put([hint], row: inner.row, column: inner.column + 2, limit: room - countColumns)
    } else {
      canvas.put(
        text,
        row: inner.row,
        column: inner.column + 2,
        limit: room - countColumns,
        style: look.style(.text, on: .sheet)
      )
    }
    if countColumns > 0 {
      canvas.put(
        [TextSpan(count, look.style(.dim, on: .sheet))],
        row: inner.row,
        endingAt: inner.endColumn,
        limit: countColumns
      )
    }
    canvas.cursor = CanvasCursor(
      row: inner.row,
      column: inner.column + 2 + min(cursor, max(room - 1, 0)),
      shape: .bar
    )
  }

  private static func titleColumns(_ rows: [ChooserRow], _ columns: Int) -> Int {
    let widest = rows.map { TextLine.columns($0.title) }.max() ?? 0
    return min(widest, max(columns * 3 / 5, 10))
  }

  /// A row: sign, title, detail, and at the right end what fits of the rest.
  static func draw(
    _ row: ChooserRow,
    on canvas: inout Canvas,
    in line: CellRectangle,
    titleColumns: Int,
    isSelected: Bool,
    _ look: Appearance
  ) {
    let ground: Ground = isSelected ? .selection : .sheet
    canvas.clear(line, look.style(.text, on: ground))
    if let color = row.color, let mark = look.mark(color, on: ground) {
      canvas.put("▎", row: line.row, column: line.column, limit: 1, style: mark)
    }
    let start = line.column + 1
    var room = line.columns - 2
    canvas.put(
      row.sign,
      row: line.row,
      column: start,
      limit: 1,
      style: look.style(row.signInk, on: ground)
    )
    if !row.trailing.isEmpty, room > titleColumns + TextLine.columns(row.trailing) + 4 {
      let span = TextSpan(row.trailing, look.style(.dim, on: ground))
      room -= canvas.put([span], row: line.row, endingAt: start + room, limit: room) + 2
    }
    canvas.put(
      [TextSpan(row.title, look.style(.text, on: ground, bold: isSelected))],
      row: line.row,
      column: start + 2,
      limit: min(titleColumns, room - 2)
    )
    let detailStart = 2 + titleColumns + 2
    guard room > detailStart + 4 else { return }
    canvas.put(
      [TextSpan(row.detail, look.style(.dim, on: ground))],
      row: line.row,
      column: start + detailStart,
      limit: room - detailStart
    )
  }
}
