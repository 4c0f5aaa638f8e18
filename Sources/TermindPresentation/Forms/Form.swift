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
    /// What is chosen from instead of typing; empty where something is typed.
    public var choices: [String]
    /// Whether Enter is refused while it is empty.
    public var isRequired: Bool

    /// Makes a row.
    public init(
      _ label: String,
      text: String = "",
      isSecret: Bool = false,
      placeholder: String = "",
      choices: [String] = [],
      isRequired: Bool = false
    ) {
      self.label = label
      self.placeholder = placeholder
      self.choices = choices
      self.isRequired = isRequired
      field = TextField(text, isSecret: isSecret)
    }

    /// What is wrong with it, if anything.
    fileprivate var problem: String? {
      isRequired && field.isEmpty ? "\(label) is to be filled in." : nil
    }

    /// Takes a key of a row that is chosen from: arrows and the space bar turn, a letter goes to the next word with it.
    fileprivate mutating func choose(_ event: KeyEvent) {
      guard event.modifiers.isDisjoint(with: [.control, .alt, .super]) else { return }
      let at = choices.firstIndex(of: field.text) ?? 0
      let count = choices.count
      switch event.code {
      case .right, .character(0x20): choose((at + 1) % count)
      case .left: choose((at + count - 1) % count)
      case .home: choose(0)
      case .end: choose(count - 1)
      case .character(let code):
        guard let scalar = Unicode.Scalar(code) else { return }
        let letter = String(Character(scalar)).lowercased()
        let order = (1...count).map { (at + $0) % count }
        if let next = order.first(where: { choices[$0].lowercased().hasPrefix(letter) }) {
          choose(next)
        }
      default: break
      }
    }

    private mutating func choose(_ index: Int) { field = TextField(choices[index]) }

    /// Takes pasted text, of a row that is chosen from only one of its words.
    fileprivate mutating func paste(_ text: String) {
      if choices.isEmpty {
        field.apply(.insert(text))
      } else if let index = choices.firstIndex(of: text.trimmed) {
        choose(index)
      }
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
  ///
  /// A field that has to be filled in keeps Enter until it is.
  public mutating func handle(_ event: KeyEvent) -> Answer {
    guard event.kind != .release else { return .none }
    switch event.code {
    case .escape: return .cancelled
    case .enter, .keypad(.enter): return enter()
    case .tab: move(by: event.modifiers.contains(.shift) ? -1 : 1)
    case .up: move(by: -1)
    case .down: move(by: 1)
    default:
      guard rows.indices.contains(focused) else { break }
      if !rows[focused].choices.isEmpty {
        rows[focused].choose(event)
      } else if let edit = TextField.Edit(event) {
        rows[focused].field.apply(edit)
      }
    }
    return .none
  }

  /// Goes on where nothing is wrong up to here; in the last field, where nothing is wrong at all.
  private mutating func enter() -> Answer {
    let isLast = focused >= rows.count - 1
    let checked = isLast ? rows.indices : focused..<(focused + 1)
    if let wrong = checked.first(where: { rows[$0].problem != nil }) {
      problem = rows[wrong].problem ?? ""
      focused = wrong
      return .none
    }
    problem = ""
    guard !isLast else { return .submitted }
    focused += 1
    return .none
  }

  /// Types text into the focused field, as a paste does.
  public mutating func paste(_ text: String) {
    if rows.indices.contains(focused) { rows[focused].paste(text) }
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
    guard row.choices.isEmpty else {
      return drawChoice(row, isFocused: index == focused, on: &canvas, in: place, look)
    }
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

  /// Draws a row that is chosen from, with the sign that it can be turned.
  private func drawChoice(
    _ row: Row,
    isFocused: Bool,
    on canvas: inout Canvas,
    in place: CellRectangle,
    _ look: Appearance
  ) {
    let ground: Ground = isFocused ? .selection : .sheet
    canvas.clear(place, look.style(.text, on: ground))
    let at = (row.choices.firstIndex(of: row.field.text) ?? 0) + 1
    let sign = " \(at)/\(row.choices.count) ‹ › "
    let signColumns = min(TextLine.columns(sign), place.columns)
    canvas.put(
      [TextSpan(row.field.text, look.style(.text, on: ground))],
      row: place.row,
      column: place.column,
      limit: place.columns - signColumns
    )
    let style = look.style(isFocused ? .accent : .dim, on: ground, bold: isFocused)
    canvas.put(
      [TextSpan(sign, style)],
      row: place.row,
      endingAt: place.endColumn,
      limit: signColumns
    )
    if isFocused { canvas.cursor = nil }
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
