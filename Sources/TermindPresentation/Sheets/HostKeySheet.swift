public import TermindApplication
public import TermindDomain
public import TermindScreen

/// The question about a host key: three different screens for a new host, a new type, and a changed key.
///
/// A changed key is never one key away: the word `replace` has to be typed. In every case enter alone,
/// pressed out of habit, trusts nothing.
public struct HostKeySheet: Hashable, Sendable {
  /// The word to type before a changed key is taken.
  public static let replaceWord = "replace"

  /// What is asked.
  public let question: HostKeyQuestion
  /// What is typed; used for a changed key only.
  public private(set) var field = TextField()
  /// Whether enter was pressed with something else than the word.
  public private(set) var isWrong = false
  private var confirm: ConfirmSheet

  /// Makes the sheet of a question.
  public init(_ question: HostKeyQuestion) {
    self.question = question
    var buttons = [ConfirmSheet.Button(id: "reject", label: "Cancel", role: .cancel)]
    if !question.isChanged {
      buttons.append(.init(id: "trust", label: "Trust and remember", role: .plain))
      buttons.append(.init(id: "once", label: "Only this time", role: .plain))
    }
    confirm = ConfirmSheet(title: "", lines: [], buttons: buttons)
  }

  /// Takes a key; gives the decision once there is one.
  public mutating func handle(_ event: KeyEvent) -> HostKeyDecision? {
    guard event.kind != .release else { return nil }
    guard question.isChanged else {
      switch confirm.handle(event) {
      case .pressed("trust"): return .trust
      case .pressed("once"): return .trustOnce
      case .pressed: return .reject
      case .none: return nil
      }
    }
    switch event.code {
    case .escape: return .reject
    case .enter, .keypad(.enter):
      if field.text == Self.replaceWord { return .trust }
      isWrong = !field.isEmpty
      return nil
    default:
      if let edit = TextField.Edit(event) {
        field.apply(edit)
        isWrong = false
      }
      return nil
    }
  }

  /// Takes a click on one of the cells that `draw` gave.
  public mutating func press(button index: Int) -> HostKeyDecision? {
    guard !question.isChanged, confirm.buttons.indices.contains(index) else { return nil }
    switch confirm.buttons[index].id {
    case "trust": return .trust
    case "once": return .trustOnce
    default: return .reject
    }
  }

  /// The cells that the sheet takes of a window.
  public func area(in window: CellRectangle) -> CellRectangle {
    let columns = min(86, window.columns)
    let buttons = question.isChanged ? 1 : ButtonRow.rows(confirm.buttons, width: columns - 4)
    return window.centred(
      rows: content(width: columns - 4).count + buttons + 2,
      columns: columns
    )
  }

  /// Draws the sheet.
  ///
  /// - Returns: The cells of each button; none for a changed key.
  @discardableResult
  public func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> [CellRectangle] {
    let frame = SheetFrame(title: title, mood: question.isChanged ? .danger : .normal)
    let inner = frame.draw(on: &canvas, in: area, look)
    let buttonRows = question.isChanged ? 1 : ButtonRow.rows(confirm.buttons, width: inner.columns)
    let room = max(inner.rows - buttonRows, 0)
    // Where there is no line for the reason, it stands in the place of the answers, which would not be taken.
    guard room > 0 else {
      canvas.cursor = nil
      drawHint(on: &canvas, in: inner, look)
      return []
    }
    for (index, line) in lines(width: inner.columns, rows: room).enumerated() {
      let style = look.style(line.ink, on: .sheet, bold: line.isBold)
      canvas.put(
        [TextSpan(line.text, style)],
        row: inner.row + index,
        column: inner.column,
        limit: inner.columns
      )
    }
    guard question.isChanged else {
      canvas.cursor = nil
      return ButtonRow.draw(confirm.buttons, focused: confirm.focused, on: &canvas, in: inner, look)
    }
    drawField(on: &canvas, in: inner.line(inner.rows - 1), look)
    return []
  }

  /// Whether both keys can be seen whole in an area; where they cannot, a trusting answer should not
  /// be taken.
  public func fits(in area: CellRectangle) -> Bool {
    let width = area.columns - 4
    let buttons = question.isChanged ? 1 : ButtonRow.rows(confirm.buttons, width: width)
    return width > 0 && compactContent(width: width).count <= area.rows - 2 - buttons
  }

  private func lines(width: Int, rows: Int) -> [Line] {
    let full = content(width: width)
    if full.count <= rows { return full }
    let compact = compactContent(width: width)
    if compact.count <= rows { return compact }
    let hint = TextLine.wrapped("\(Self.smallHint): make it larger or zoom.", width)
    return hint.prefix(max(rows, 0)).map { Line(text: $0, ink: .warning, isBold: true) }
  }

  private static let smallHint = "Too small to show the key"

  private func drawHint(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    let style = look.style(.warning, on: .sheet, bold: true)
    for (index, line) in TextLine.wrapped(Self.smallHint, area.columns).prefix(area.rows)
      .enumerated()
    {
      canvas.put(
        [TextSpan(line, style)],
        row: area.row + index,
        column: area.column,
        limit: area.columns
      )
    }
  }

  private func drawField(on canvas: inout Canvas, in line: CellRectangle, _ look: Appearance) {
    let hint = isWrong ? "that is not the word" : "esc: close (nothing sent)"
    let ink: Ink = isWrong ? .danger : .dim
    let hintColumns = TextLine.columns(hint)
    let room = max(min(line.columns - hintColumns - 4, 24), 8)
    canvas.put(
      "› ",
      row: line.row,
      column: line.column,
      limit: 2,
      style: look.style(.accent, on: .sheet, bold: true)
    )
    let place = CellRectangle(row: line.row, column: line.column + 2, rows: 1, columns: room)
    let (text, cursor) = field.visible(width: room)
    canvas.clear(place, look.style(.text, on: .field))
    canvas.put(
      text,
      row: line.row,
      column: place.column,
      limit: room,
      style: look.style(.text, on: .field)
    )
    canvas.put(
      [TextSpan(hint, look.style(ink, on: .sheet))],
      row: line.row,
      endingAt: line.endColumn,
      limit: line.columns - room - 3
    )
    canvas.cursor = CanvasCursor(row: line.row, column: place.column + cursor, shape: .bar)
  }
}

extension HostKeyQuestion {
  var isChanged: Bool {
    if case .changed = doubt { return true }
    return false
  }
}
