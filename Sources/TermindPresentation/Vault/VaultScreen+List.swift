import TermindDomain
import TermindScreen

extension VaultScreen {
  /// Draws the edge over the list, the field to filter in, and the rows that are in sight.
  func drawList(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ list: inout VaultList,
    isFocused: Bool,
    _ targets: inout Targets,
    _ look: Appearance,
    _ row: (Int) -> VaultRow
  ) {
    drawEdge(on: &canvas, in: area.line(0), list, &targets, look)
    guard area.rows >= 3 else { return }
    if isFocused { canvas.cursor = nil }
    if !problem.isEmpty { return drawProblem(on: &canvas, in: area, look) }
    guard !list.items.isEmpty else { return drawEmpty(on: &canvas, in: area, look) }
    drawFilter(on: &canvas, in: area.line(1), list, &targets, look)
    let room = area.rows - 2
    targets.page = max(room, 1)
    let window = list.window(rows: room)
    if window.isEmpty {
      put("Nothing matches.", .dim, on: &canvas, in: area.line(2), look)
    }
    let columns = Columns(list, area.columns)
    for (offset, match) in window.enumerated() {
      let line = area.line(2 + offset)
      let place = list.matches[match]
      let isSelected = match == list.selection
      Self.draw(
        row(place),
        isMarked: list.marks.contains(list.items[place].id),
        on: isSelected ? (isFocused ? .selection : .field) : .pane,
        columns,
        &canvas,
        line,
        look
      )
      targets.add(line, .row(match))
      targets.add(
        CellRectangle(row: line.row, column: line.column, rows: 1, columns: 3),
        .mark(match)
      )
    }
  }

  private func drawEdge(
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ list: VaultList,
    _ targets: inout Targets,
    _ look: Appearance
  ) {
    let style = look.style(.border, on: .pane)
    canvas.line("─", rows: line.rowRange, columns: line.columnRange, style: style)
    guard !list.items.isEmpty, problem.isEmpty else { return }
    let dim = look.style(.dim, on: .pane)
    if !list.sortName.isEmpty {
      let used = canvas.put(
        [TextSpan(" by \(list.sortName) ", dim)],
        row: line.row,
        column: line.column + 1,
        limit: line.columns / 2
      )
      targets.add(
        CellRectangle(row: line.row, column: line.column + 1, rows: 1, columns: used),
        .sort
      )
    }
    var right: [TextSpan] = []
    if !list.marks.isEmpty {
      right.append(TextSpan(" \(list.marks.count) marked ", look.style(.accent, on: .pane)))
    }
    if list.isFiltered {
      right.append(TextSpan(" \(list.matches.count) of \(list.items.count) ", dim))
    }
    canvas.put(right, row: line.row, endingAt: line.endColumn - 1, limit: line.columns / 2)
  }

  private func drawFilter(
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ list: VaultList,
    _ targets: inout Targets,
    _ look: Appearance
  ) {
    let isActive = list.isFiltering || list.isFiltered
    let ink: Ink = isActive ? .accent : .dim
    canvas.put(
      "/",
      row: line.row,
      column: line.column + 1,
      limit: 1,
      style: look.style(ink, on: .pane, bold: isActive)
    )
    targets.add(line, .filter)
    let room = max(line.columns - 4, 1)
    let (text, cursor) = list.query.visible(width: room)
    if list.query.isEmpty {
      let hint = list.isFiltering ? "letters in order, or tag:name" : "filter"
      put(hint, .dim, on: &canvas, in: line, look)
    } else {
      canvas.put(
        text,
        row: line.row,
        column: line.column + 3,
        limit: room,
        style: look.style(.text, on: .pane)
      )
    }
    if list.isFiltering {
      canvas.cursor = CanvasCursor(row: line.row, column: line.column + 3 + cursor, shape: .bar)
    }
  }

  private func drawEmpty(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    let width = min(area.columns - 6, 64)
    let top = min(2 + max((area.rows - 10) / 4, 0), area.rows - 1)
    var lines: [[TextSpan]] = [
      [TextSpan(empty.title, look.style(.text, on: .pane, bold: true))]
    ]
    lines += TextLine.wrapped(empty.detail, width).map {
      [TextSpan($0, look.style(.dim, on: .pane))]
    }
    lines.append([])
    let keys = empty.hints.map { TextLine.columns($0.key) }.max() ?? 0
    for hint in empty.hints {
      let gap = String(repeating: " ", count: keys - TextLine.columns(hint.key) + 2)
      lines.append([
        TextSpan(hint.key, look.style(.accent, on: .pane, bold: true)),
        TextSpan(gap + hint.label, look.style(.text, on: .pane)),
      ])
    }
    for (offset, spans) in lines.enumerated() where top + offset < area.rows {
      canvas.put(
        spans,
        row: area.row + top + offset,
        column: area.column + 3,
        limit: area.columns - 4
      )
    }
  }

  private func drawProblem(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    let width = min(area.columns - 6, 72)
    for (offset, text) in TextLine.wrapped(problem, width).enumerated()
    where offset + 2 < area.rows {
      put(text, .danger, on: &canvas, in: area.line(offset + 2), look)
    }
  }

  private func put(
    _ text: String,
    _ ink: Ink,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    canvas.put(
      [TextSpan(text, look.style(ink, on: .pane))],
      row: line.row,
      column: line.column + 3,
      limit: max(line.columns - 4, 0)
    )
  }

  // MARK: - Rows

  /// The columns of a row's parts; the same for every row, wherever the list is scrolled to.
  struct Columns {
    let title: Range<Int>
    let detail: Range<Int>
    let tags: Range<Int>
    let trailing: Range<Int>

    init(_ list: VaultList, _ columns: Int) {
      let end = columns - 1
      let trailing = columns >= 44 && list.hasTrailing ? 8 : 0
      let tags = columns >= 60 ? min(list.tagColumns, columns / 4) : 0
      let titleRoom = columns >= 36 ? max(columns * 2 / 5, 12) : end - 5
      let title = min(max(list.titleColumns, 8), titleRoom, max(end - 5, 0))
      self.title = 5..<(5 + title)
      self.trailing = (end - trailing)..<end
      let tagEnd = trailing > 0 ? end - trailing - 1 : end
      self.tags = max(tagEnd - tags, 5 + title)..<max(tagEnd, 5 + title)
      let start = 5 + title + 2
      let detailEnd = tags > 0 ? self.tags.lowerBound - 2 : tagEnd
      detail = start..<max(detailEnd, start)
    }
  }

  private static func draw(
    _ row: VaultRow,
    isMarked: Bool,
    on ground: Ground,
    _ columns: Columns,
    _ canvas: inout Canvas,
    _ line: CellRectangle,
    _ look: Appearance
  ) {
    if ground != .pane { canvas.clear(line, look.style(.text, on: ground)) }
    if let color = row.color, let mark = look.mark(color, on: ground) {
      canvas.put("▎", row: line.row, column: line.column, limit: 1, style: mark)
    }
    if isMarked {
      let style = look.style(.accent, on: ground, bold: true)
      canvas.put("✓", row: line.row, column: line.column + 1, limit: 1, style: style)
    }
    canvas.put(
      row.sign,
      row: line.row,
      column: line.column + 3,
      limit: 1,
      style: look.style(row.signInk, on: ground)
    )
    func put(_ text: String, _ ink: Ink, _ range: Range<Int>, bold: Bool = false) {
      guard range.count > 2, !text.isEmpty else { return }
      canvas.put(
        [TextSpan(text, look.style(ink, on: ground, bold: bold))],
        row: line.row,
        column: line.column + range.lowerBound,
        limit: range.count
      )
    }
    put(row.title, .text, columns.title, bold: ground == .selection)
    put(row.detail, .dim, columns.detail)
    put(row.tags, .accent, columns.tags)
    let trailing = TextLine.clipped(row.trailing, columns.trailing.count)
    canvas.put(
      [TextSpan(trailing, look.style(.dim, on: ground))],
      row: line.row,
      endingAt: line.column + columns.trailing.upperBound,
      limit: columns.trailing.count
    )
  }
}
