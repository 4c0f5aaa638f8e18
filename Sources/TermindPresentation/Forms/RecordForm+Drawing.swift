public import TermindDomain
public import TermindScreen

extension RecordForm {
  /// A line of the form as it is drawn.
  private enum Line {
    case blank
    case heading(String)
    /// Fields that stand in one row.
    case fields([Int])
    /// A further row of a field of several lines.
    case more(Int)
    case note(String, Ink)
  }

  /// The most columns that labels and fields take.
  static let maximumColumns = 84

  /// Draws the fields and, while they are edited, puts the cursor into the focused one.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - area: The room for the fields, without any border.
  ///   - look: The looks.
  /// - Returns: The cells of each field that is shown, with its place.
  public mutating func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> [(cells: CellRectangle, field: Int)] {
    guard area.rows > 0, area.columns > 6 else { return [] }
    // Longer lines are no easier to read, and a field across a wide screen is a bar.
    var area = area
    area.columns = min(area.columns, Self.maximumColumns)
    let labels = labelColumns(area.columns)
    fitAreas()
    let lines = lines(width: area.columns - labels)
    scroll(lines, rows: area.rows)
    var targets: [(CellRectangle, Int)] = []
    var areaRow: [Int: Int] = [:]
    for (number, line) in lines.enumerated() {
      let offset = number - firstLine
      let isShown = offset >= 0 && offset < area.rows
      let row = area.line(min(max(offset, 0), area.rows - 1))
      switch line {
      case .blank: break
      case .heading(let text) where isShown:
        let style = look.style(.dim, on: .pane, bold: true)
        canvas.put([TextSpan(text, style)], row: row.row, column: row.column, limit: row.columns)
      case .fields(let places):
        for place in places { areaRow[place] = 0 }
        guard isShown else { continue }
        targets += draw(places, on: &canvas, in: row, labels, look)
      case .more(let place):
        areaRow[place, default: 0] += 1
        guard isShown else { continue }
        let room = inset(row, labels)
        drawArea(place, row: areaRow[place, default: 0], on: &canvas, in: room, look)
        targets.append((row, place))
      case .note(let text, let ink) where isShown:
        let room = inset(row, labels)
        canvas.put(
          [TextSpan(text, look.style(ink, on: .pane))],
          row: room.row,
          column: room.column,
          limit: room.columns
        )
      case .heading, .note: break
      }
    }
    drawMore(lines.count, on: &canvas, in: area, look)
    return targets
  }

  // MARK: - Lines

  private func lines(width: Int) -> [Line] {
    var lines: [Line] = []
    var heading: String?
    var index = 0
    while index < fields.count {
      var row = [index]
      while index + 1 < fields.count, fields[index + 1].isBeside {
        index += 1
        row.append(index)
      }
      index += 1
      let field = fields[row[0]]
      if case .heading = field.value {
        heading = field.label
        continue
      }
      if !isEditing { row.removeAll { fields[$0].isUsual && fields[$0].problem.isEmpty } }
      guard !row.isEmpty else { continue }
      if let text = heading {
        if !lines.isEmpty { lines.append(.blank) }
        lines.append(.heading(text))
        heading = nil
      }
      lines += self.lines(of: row, width: width)
    }
    return lines
  }

  /// The lines of the fields of one row, with what is said about them.
  private func lines(of row: [Int], width: Int) -> [Line] {
    let field = fields[row[0]]
    var lines: [Line] = [.fields(row)]
    switch field.value {
    case .info(let text) where TextLine.columns(text) > width:
      lines += TextLine.wrapped(text, width).dropFirst().map { .note($0, .text) }
    case .area(let area, let rows):
      let shown = isEditing ? rows : max(min(area.lineCount, 12), 1)
      lines += (1..<max(shown, 1)).map { _ in .more(row[0]) }
    default: break
    }
    for place in row where !fields[place].problem.isEmpty {
      lines += TextLine.wrapped(fields[place].problem, width).map { .note($0, .danger) }
    }
    for place in row where isEditing && place == focused && !fields[place].cutNote.isEmpty {
      lines += TextLine.wrapped(fields[place].cutNote, width).map { .note($0, .warning) }
    }
    for place in row
    where isEditing && place == focused && !fields[place].help.isEmpty
      && fields[place].problem.isEmpty
    {
      lines += TextLine.wrapped(fields[place].help, width).map { .note($0, .dim) }
    }
    return lines
  }

  /// Moves what is shown so that the focused field with its notes is in sight.
  private mutating func scroll(_ lines: [Line], rows: Int) {
    firstLine = min(firstLine, max(lines.count - rows, 0))
    guard isEditing, followsFocus else { return }
    var first: Int?
    var last = 0
    var isInside = false
    for (number, line) in lines.enumerated() {
      switch line {
      case .fields(let places):
        isInside = places.contains(focused)
        if isInside { first = number }
      case .heading, .blank: isInside = false
      case .more, .note: break
      }
      if isInside { last = number }
    }
    guard var first else { return }
    // The title over the first field of a part comes into sight with it.
    if first > 0, case .heading = lines[first - 1] { first -= 1 }
    if last >= firstLine + rows { firstLine = last - rows + 1 }
    if first < firstLine { firstLine = first }
  }

  private mutating func fitAreas() {
    for (index, field) in fields.enumerated() {
      guard case .area(var area, let rows) = field.value else { continue }
      area.fit(rows: rows)
      fields[index].value = .area(area, rows: rows)
    }
  }

  private func labelColumns(_ width: Int) -> Int {
    let labels = fields.filter { field in
      if case .heading = field.value { return false }
      return !field.isBeside
    }
    let widest = labels.map { TextLine.columns($0.label) }.max() ?? 0
    return min(widest, max(width / 3, 6)) + 2
  }

  private func inset(_ row: CellRectangle, _ labels: Int) -> CellRectangle {
    CellRectangle(
      row: row.row,
      column: row.column + labels,
      rows: 1,
      columns: max(row.columns - labels, 0)
    )
  }

  // MARK: - Fields

  /// Draws the fields of one row; those beside the first one share its room.
  private func draw(
    _ places: [Int],
    on canvas: inout Canvas,
    in row: CellRectangle,
    _ labels: Int,
    _ look: Appearance
  ) -> [(CellRectangle, Int)] {
    var targets: [(CellRectangle, Int)] = []
    let besideColumns = places.dropFirst().map { TextLine.columns(fields[$0].label) + 1 + 8 + 2 }
    var start = row.column
    var room = max(row.columns - besideColumns.reduce(0, +), labels + 4)
    for (number, place) in places.enumerated() {
      let field = fields[place]
      let labelColumns = number == 0 ? labels : TextLine.columns(field.label) + 1
      if number > 0 { room = besideColumns[number - 1] - 2 }
      room = min(room, row.endColumn - start)
      guard room > labelColumns else { break }
      let isFocused = isEditing && place == focused
      canvas.put(
        [TextSpan(field.label, look.style(isFocused ? .text : .dim, on: .pane, bold: isFocused))],
        row: row.row,
        column: start,
        limit: labelColumns - 1
      )
      let cells = CellRectangle(
        row: row.row,
        column: start + labelColumns,
        rows: 1,
        columns: room - labelColumns
      )
      draw(place, on: &canvas, in: cells, look)
      targets.append(
        (CellRectangle(row: row.row, column: start, rows: 1, columns: room), place)
      )
      start += room + 2
    }
    return targets
  }

  private func draw(
    _ place: Int,
    on canvas: inout Canvas,
    in cells: CellRectangle,
    _ look: Appearance
  ) {
    let field = fields[place]
    let isFocused = isEditing && place == focused
    let quiet: Ground = isEditing ? .field : .pane
    switch field.value {
    case .text(let text):
      canvas.clear(cells, look.style(.text, on: quiet))
      guard !text.isEmpty else {
        put(field.hint, .dim, on: quiet, &canvas, cells, look)
        if isFocused { setCursor(&canvas, cells, 0) }
        return
      }
      let (shown, cursor) = isFocused ? text.visible(width: cells.columns) : (text.text, 0)
      let secret = text.isSecret && !isFocused
      put(secret ? "••••••••" : shown, .text, on: quiet, &canvas, cells, look)
      if isFocused { setCursor(&canvas, cells, cursor) }
    case .area: drawArea(place, row: 0, on: &canvas, in: cells, look)
    case .choice, .toggle, .picks:
      let ground: Ground = isFocused ? .selection : .pane
      canvas.clear(cells, look.style(.text, on: ground))
      let isEmpty = field.text.isEmpty
      let text = isEmpty ? field.hint : field.text
      put(text, isEmpty ? .dim : .text, on: ground, &canvas, cells, look)
      if isEditing {
        let sign = if case .picks = field.value { " … " } else { " ‹ › " }
        let style = look.style(isFocused ? .accent : .dim, on: ground, bold: isFocused)
        let room = max(cells.columns - TextLine.columns(text), 0)
        canvas.put([TextSpan(sign, style)], row: cells.row, endingAt: cells.endColumn, limit: room)
      }
      if isFocused { canvas.cursor = nil }
    case .info(let text):
      let first = TextLine.wrapped(text, cells.columns).first ?? ""
      put(
        text.isEmpty ? field.hint : first,
        text.isEmpty ? .dim : .text,
        on: .pane,
        &canvas,
        cells,
        look
      )
    case .button:
      guard isEditing else { return }
      let style = look.style(isFocused ? .text : .accent, on: isFocused ? .selection : .pane)
      canvas.put(
        [TextSpan("[ \(field.hint) ]", style)],
        row: cells.row,
        column: cells.column,
        limit: cells.columns
      )
      if isFocused { canvas.cursor = nil }
    case .heading: break
    }
  }

  private func drawArea(
    _ place: Int,
    row: Int,
    on canvas: inout Canvas,
    in cells: CellRectangle,
    _ look: Appearance
  ) {
    guard case .area(let area, _) = fields[place].value else { return }
    let ground: Ground = isEditing ? .field : .pane
    canvas.clear(cells, look.style(.text, on: ground))
    let isFocused = isEditing && place == focused
    if area.isEmpty, row == 0 {
      put(fields[place].hint, .dim, on: ground, &canvas, cells, look)
      if isFocused { setCursor(&canvas, cells, 0) }
      return
    }
    let line = area.firstLine + row
    if isFocused, line == area.line {
      let (shown, cursor) = area.visible(width: cells.columns)
      put(shown, .text, on: ground, &canvas, cells, look)
      setCursor(&canvas, cells, cursor)
    } else {
      put(area.start(ofLine: line, columns: cells.columns), .text, on: ground, &canvas, cells, look)
    }
  }

  private func put(
    _ text: String,
    _ ink: Ink,
    on ground: Ground,
    _ canvas: inout Canvas,
    _ cells: CellRectangle,
    _ look: Appearance
  ) {
    canvas.put(
      [TextSpan(text, look.style(ink, on: ground))],
      row: cells.row,
      column: cells.column,
      limit: cells.columns
    )
  }

  private func setCursor(_ canvas: inout Canvas, _ cells: CellRectangle, _ column: Int) {
    canvas.cursor = CanvasCursor(row: cells.row, column: cells.column + column, shape: .bar)
  }

  /// Says at the right edge that there is more above or below.
  private func drawMore(
    _ count: Int,
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) {
    let style = look.style(.dim, on: .pane)
    if firstLine > 0 { canvas.mark("↑", row: area.row, column: area.endColumn, style: style) }
    if firstLine + area.rows < count {
      canvas.mark("↓", row: area.endRow - 1, column: area.endColumn, style: style)
    }
  }
}
