import TermindApplication
import TermindDomain
import TermindScreen

extension FilesScreen {
  /// Draws the lowest line: what is typed, what runs, what is wrong, else how much there is.
  func drawFooter(
    _ model: FileBrowserModel,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    canvas.clear(line, look.style(.text, on: .bar))
    if let input { return draw(input, on: &canvas, in: line, look) }
    let right = rightSpans(model, look)
    let rightColumns = TextLine.columns(right)
    let left = leftSpans(model, look)
    let room = line.columns - 2
    let showsRight = rightColumns > 0 && TextLine.columns(left) + rightColumns + 2 <= room
    canvas.put(
      left,
      row: line.row,
      column: line.column + 1,
      limit: max(showsRight ? room - rightColumns - 1 : room, 0)
    )
    if showsRight {
      canvas.put(right, row: line.row, endingAt: line.endColumn - 1, limit: rightColumns)
    }
  }

  func draw(
    _ input: Input,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    let label = TextSpan(" \(input.label) ", look.style(.accent, on: .bar, bold: true))
    var column = line.column
    column += canvas.put([label], row: line.row, column: column, limit: line.columns / 2)
    let note = input.note.isEmpty ? "" : " \(input.note) "
    let noteColumns = min(TextLine.columns(note), line.columns / 2)
    let room = max(line.endColumn - column - noteColumns, 1)
    let (text, cursor) = input.field.visible(width: room)
    canvas.put(
      text,
      row: line.row,
      column: column,
      limit: room,
      style: look.style(.text, on: .bar)
    )
    if noteColumns > 0 {
      canvas.put(
        [TextSpan(TextLine.clipped(note, noteColumns), look.style(.dim, on: .bar))],
        row: line.row,
        endingAt: line.endColumn,
        limit: noteColumns
      )
    }
    if isFocused {
      canvas.cursor = CanvasCursor(row: line.row, column: column + cursor, shape: .bar)
    }
  }

  private func leftSpans(_ model: FileBrowserModel, _ look: Appearance) -> [TextSpan] {
    let text = look.style(.text, on: .bar)
    let dim = look.style(.dim, on: .bar)
    if !work.isEmpty {
      return [
        TextSpan("… " + work, look.style(.accent, on: .bar)), TextSpan("  esc ", dim),
        TextSpan("stops", dim),
      ]
    }
    if !problem.isEmpty { return [TextSpan("× " + problem, look.style(.danger, on: .bar))] }
    var spans: [TextSpan] = []
    func add(_ text: String, _ style: ScreenStyle) {
      if !spans.isEmpty { spans.append(TextSpan(" · ", dim)) }
      spans.append(TextSpan(text, style))
    }
    if let loading = model.loading {
      let count = loading.count > 0 ? " \(FileText.grouped(UInt64(loading.count)))" : ""
      add("reading\(count) …", look.style(.accent, on: .bar))
    }
    if !model.marks.isEmpty {
      let size = model.markedSize
      add(
        "\(FileText.grouped(UInt64(model.marks.count))) marked"
          + (size > 0 ? " \(FileText.amount(size))" : ""),
        look.style(.warning, on: .bar)
      )
    }
    let shown = UInt64(model.shownCount)
    if model.filter.isActive {
      add("/\(model.filter.text)", look.style(.accent, on: .bar))
      add("\(FileText.grouped(shown)) of \(FileText.grouped(UInt64(model.totalCount)))", text)
    } else if model.directory != nil {
      add(FileText.count(shown, "entry", "entries"), text)
      if model.hiddenCount > 0 { add("\(model.hiddenCount) hidden", dim) }
    }
    if !model.rejectedNames.isEmpty {
      add(
        "\(model.rejectedNames.count) impossible \(model.rejectedNames.count == 1 ? "name" : "names")",
        look.style(.danger, on: .bar)
      )
    }
    return spans
  }

  private func rightSpans(_ model: FileBrowserModel, _ look: Appearance) -> [TextSpan] {
    let dim = look.style(.dim, on: .bar)
    var parts: [TextSpan] = []
    if isInStep { parts.append(TextSpan("⇅ in step", look.style(.accent, on: .bar))) }
    if model.order != FileOrder() {
      let arrow = model.order.isDescending ? "↓" : "↑"
      parts.append(TextSpan("by \(model.order.sort.rawValue) \(arrow)", dim))
    }
    if let space {
      let isTight = space.total > 0 && space.available < space.total / 20
      let note = space.isReadOnly ? "read-only, " : ""
      parts.append(
        TextSpan(
          "\(note)\(FileText.size(space.available)) free",
          look.style(isTight || space.isReadOnly ? .warning : .dim, on: .bar)
        )
      )
    }
    return Array(parts.map { [$0] }.joined(separator: [TextSpan(" · ", dim)]))
  }
}
