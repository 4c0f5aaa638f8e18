public import TermindDomain
public import TermindScreen

/// A sheet with labelled fields: names, answers to a server, connection details.
public struct Form: Hashable, Sendable {
  /// A labelled field.
  public struct Row: Hashable, Sendable {
    /// What stands before or above the field; literally, made safe when it is drawn.
    public var label: String
    /// What is typed.
    public var field: TextField
    /// What the field says while it is empty.
    public var placeholder: String

    /// Makes a row.
    public init(
      _ label: String,
      text: String = "",
      isSecret: Bool = false,
      placeholder: String = ""
    ) {
      self.label = label
      self.placeholder = placeholder
      field = TextField(text, isSecret: isSecret)
    }
  }

  /// What a key did.
  public enum Answer: Hashable, Sendable {
    /// The form goes on.
    case none
    /// Enter was pressed in the last field.
    case submitted
    /// Escape was pressed.
    case cancelled
  }

  /// What stands in the upper border.
  public var title: String
  /// What is said above the fields; wrapped.
  public var lines: [String]
  /// What went wrong with the answers before, if anything.
  public var problem: String
  /// The fields.
  public var rows: [Row]
  /// What stands in the lower border.
  public var hints: [KeyHint]
  /// The field that takes the keys.
  public private(set) var focused = 0

  /// Makes a form; the first field has the focus.
  public init(
    title: String,
    lines: [String] = [],
    problem: String = "",
    rows: [Row],
    hints: [KeyHint] = [KeyHint("enter", "ok"), KeyHint("esc", "cancel")]
  ) {
    self.title = title
    self.lines = lines
    self.problem = problem
    self.rows = rows
    self.hints = hints
  }

  /// A form for one name, such as a pane's.
  public static func rename(_ what: String, current: String) -> Form {
    Form(title: "Rename \(what)", rows: [Row("Name", text: current, placeholder: "default name")])
  }

  /// What is typed in each field.
  public var texts: [String] { rows.map(\.field.text) }

  /// Takes a key: enter goes to the next field and submits in the last, tab and arrows move.
  public mutating func handle(_ event: KeyEvent) -> Answer {
    guard event.kind != .release else { return .none }
    switch event.code {
    case .escape: return .cancelled
    case .enter, .keypad(.enter):
      guard focused < rows.count - 1 else { return .submitted }
      focused += 1
    case .tab: move(by: event.modifiers.contains(.shift) ? -1 : 1)
    case .up: move(by: -1)
    case .down: move(by: 1)
    default:
      if rows.indices.contains(focused), let edit = TextField.Edit(event) {
        rows[focused].field.apply(edit)
      }
    }
    return .none
  }

  /// Types text into the focused field, as a paste does.
  public mutating func paste(_ text: String) {
    if rows.indices.contains(focused) { rows[focused].field.apply(.insert(text)) }
  }

  /// Gives a field the focus.
  public mutating func focus(_ index: Int) {
    if rows.indices.contains(index) { focused = index }
  }

  private mutating func move(by step: Int) {
    guard !rows.isEmpty else { return }
    focused = (focused + step + rows.count) % rows.count
  }

  // MARK: - Drawing

  /// The cells that the form takes of a window.
  public func area(in window: CellRectangle) -> CellRectangle {
    let longest = (lines + rows.map(\.label) + [problem]).map { TextLine.columns($0) }.max() ?? 0
    let columns = min(max(longest + 4, 56), 80, window.columns)
    let text = text(width: columns - 4).count
    let fields = rows.reduce(0) {
      $0 + (isBeside($1, columns - 4) ? 1 : labelLines($1, columns - 4).count + 1)
    }
    return window.centred(rows: text + fields + 2, columns: columns)
  }

  /// Draws the form; the cursor stands in the focused field, and the rows scroll to keep it visible.
  public func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    guard area.rows >= 3 else { return drawNarrow(on: &canvas, in: area, look) }
    let footer = KeyHint.spans(hints, on: .sheet, limit: max(area.columns - 6, 0), look)
    let inner = SheetFrame(title: title, footer: footer).draw(on: &canvas, in: area, look)
    canvas.cursor = nil
    var lines: [DrawnLine] = text(width: inner.columns).map { .text($0.text, $0.ink) }
    var focusedLine = 0
    for (index, row) in rows.enumerated() {
      if !isBeside(row, inner.columns) {
        lines += labelLines(row, inner.columns).map { .text($0, .text) }
      }
      if index == focused { focusedLine = lines.count }
      lines.append(.field(index))
    }
    let first = min(max(focusedLine - inner.rows + 1, 0), max(lines.count - inner.rows, 0))
    for (offset, line) in lines.dropFirst(first).prefix(inner.rows).enumerated() {
      switch line {
      case .text(let text, let ink):
        canvas.put(
          [TextSpan(text, look.style(ink, on: .sheet))],
          row: inner.row + offset,
          column: inner.column,
          limit: inner.columns
        )
      case .field(let index):
        draw(index, on: &canvas, in: inner.line(offset), look)
      }
    }
  }

  /// Without room for a frame the focused field stands in the last line, and what it is for above it or in front.
  private func drawNarrow(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) {
    guard area.rows > 0 else { return }
    canvas.cursor = nil
    canvas.clear(area, look.style(.text, on: .sheet))
    let style = look.style(problem.isEmpty ? .text : .danger, on: .sheet, bold: true)
    let heading = problem.isEmpty ? title : problem
    if area.rows > 1 || rows.isEmpty {
      canvas.put(
        [TextSpan(TextLine.clipped(heading, area.columns), style)],
        row: area.row,
        column: area.column,
        limit: area.columns
      )
    }
    guard rows.indices.contains(focused) else { return }
    var line = area.line(area.rows - 1)
    if !isBeside(rows[focused], line.columns), line.columns >= 12 {
      // A label that is too long for its place is cut, so that what is typed stays in sight.
      let room = line.columns / 2
      let label = TextSpan(TextLine.clipped(rows[focused].label, room - 1) + " ", style)
      let used = canvas.put([label], row: line.row, column: line.column, limit: room)
      line.column += used
      line.columns -= used
    }
    draw(focused, on: &canvas, in: line, look)
  }

  private enum DrawnLine {
    case text(String, Ink)
    case field(Int)
  }

  private func draw(
    _ index: Int,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    let row = rows[index]
    var start = line.column
    if isBeside(row, line.columns) {
      let columns = labelColumns + 1
      canvas.put(
        [TextSpan(row.label, look.style(index == focused ? .text : .dim, on: .sheet))],
        row: line.row,
        column: start,
        limit: columns
      )
      start += columns
    }
    let room = max(line.endColumn - start, 1)
    let place = CellRectangle(row: line.row, column: start, rows: 1, columns: room)
    canvas.clear(place, look.style(.text, on: .field))
    let (text, cursor) = row.field.visible(width: room)
    if row.field.isEmpty {
      canvas.put(
        [TextSpan(row.placeholder, look.style(.dim, on: .field))],
        row: line.row,
        column: start,
        limit: room
      )
    } else {
      canvas.put(
        text,
        row: line.row,
        column: start,
        limit: room,
        style: look.style(.text, on: .field)
      )
    }
    if index == focused {
      canvas.cursor = CanvasCursor(row: line.row, column: start + cursor, shape: .bar)
    }
  }

  private func text(width: Int) -> [(text: String, ink: Ink)] {
    var text: [(String, Ink)] = []
    for line in lines { text += TextLine.wrapped(line, width).map { ($0, .text) } }
    if !problem.isEmpty { text += TextLine.wrapped(problem, width).map { ($0, .danger) } }
    if rows.indices.contains(focused), !rows[focused].field.cutNote.isEmpty {
      text += TextLine.wrapped(rows[focused].field.cutNote, width).map { ($0, .warning) }
    }
    return text
  }

  private var labelColumns: Int { rows.map { TextLine.columns($0.label) }.max() ?? 0 }

  /// Short labels stand beside their fields, long ones above.
  private func isBeside(_ row: Row, _ width: Int) -> Bool {
    labelColumns <= min(width / 3, 24)
  }

  private func labelLines(_ row: Row, _ width: Int) -> [String] {
    TextLine.wrapped(row.label, width)
  }
}
