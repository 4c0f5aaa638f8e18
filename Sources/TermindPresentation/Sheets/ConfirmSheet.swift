public import TermindDomain
public import TermindScreen

/// A question with buttons.
public struct ConfirmSheet: Hashable, Sendable {
  /// A button.
  public struct Button: Hashable, Sendable {
    /// What pressing it means.
    public enum Role: Hashable, Sendable {
      /// Leaves everything as it is; escape presses it.
      case cancel
      /// Does something that can be taken back.
      case plain
      /// Ends or loses something.
      case danger
    }

    /// Names it in the answer.
    public let id: String
    /// What it says.
    public let label: String
    /// What pressing it means.
    public let role: Role

    /// Makes a button.
    public init(id: String, label: String, role: Role) {
      self.id = id
      self.label = label
      self.role = role
    }
  }

  /// What a key did.
  public enum Answer: Hashable, Sendable {
    /// The sheet goes on.
    case none
    /// A button was pressed.
    case pressed(String)
  }

  /// The question.
  public var title: String
  /// What would happen; wrapped to the sheet.
  public var lines: [String]
  /// The buttons, the safe one first.
  public var buttons: [Button]
  /// Whether it takes keys; while it does not, no button has the focus.
  public var isReady = true
  /// The button that enter presses.
  public private(set) var focused = 0

  /// Makes a question; the first button has the focus.
  public init(title: String, lines: [String], buttons: [Button]) {
    self.title = title
    self.lines = lines
    self.buttons = buttons
  }

  /// Takes a key: arrows and tab move, enter and space press, escape cancels, a first letter presses
  /// its button when it is no dangerous one.
  public mutating func handle(_ event: KeyEvent) -> Answer {
    guard isReady, event.kind != .release, !buttons.isEmpty else { return .none }
    switch event.code {
    case .left, .up: move(by: -1)
    case .right, .down: move(by: 1)
    case .tab: move(by: event.modifiers.contains(.shift) ? -1 : 1)
    case .enter, .keypad(.enter), .character(0x20):
      return .pressed(buttons[focused].id)
    case .escape:
      return buttons.first { $0.role == .cancel }.map { .pressed($0.id) } ?? .none
    case .character(let scalar):
      guard event.modifiers.isDisjoint(with: [.control, .alt, .super]),
        let letter = Unicode.Scalar(scalar).map({ String(Character($0)).lowercased() })
      else { return .none }
      let named = buttons.filter { $0.role != .danger && $0.label.lowercased().hasPrefix(letter) }
      if named.count == 1 { return .pressed(named[0].id) }
    default: break
    }
    return .none
  }

  /// Gives a button the focus, for instance by the mouse.
  public mutating func focus(_ index: Int) {
    if buttons.indices.contains(index) { focused = index }
  }

  private mutating func move(by step: Int) {
    focused = (focused + step + buttons.count) % buttons.count
  }

  /// The cells that the sheet takes of a window.
  public func area(in window: CellRectangle) -> CellRectangle {
    let buttonColumns = buttons.reduce(0) { $0 + TextLine.columns($1.label) + 4 } + 4
    let widest = max(lines.map { TextLine.columns($0) }.max() ?? 0, title.count + 4, buttonColumns)
    let columns = min(max(widest + 4, 40), 76, window.columns)
    let text = lines.flatMap { TextLine.wrapped($0, columns - 4) }
    let buttonRows = ButtonRow.rows(buttons, width: columns - 4)
    return window.centred(rows: text.count + buttonRows + 3, columns: columns)
  }

  /// Draws the sheet.
  ///
  /// - Returns: The cells of each button, in order.
  @discardableResult
  public func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> [CellRectangle] {
    let isDanger = buttons.contains { $0.role == .danger }
    let frame = SheetFrame(title: title, mood: isDanger ? .danger : .normal)
    let inner = frame.draw(on: &canvas, in: area, look)
    canvas.cursor = nil
    let text = lines.flatMap { TextLine.wrapped($0, inner.columns) }
    let room = max(inner.rows - ButtonRow.rows(buttons, width: inner.columns), 0)
    for (index, line) in text.prefix(room).enumerated() {
      canvas.put(
        line,
        row: inner.row + index,
        column: inner.column,
        limit: inner.columns,
        style: look.style(.text, on: .sheet)
      )
    }
    return ButtonRow.draw(
      buttons,
      focused: isReady ? focused : nil,
      on: &canvas,
      in: inner,
      look
    )
  }
}

/// Buttons at the lower end of a block: in a row at its right, or below each other when it is narrow.
enum ButtonRow {
  /// The rows that the buttons take.
  static func rows(_ buttons: [ConfirmSheet.Button], width: Int) -> Int {
    columns(buttons) <= width ? 1 : buttons.count
  }

  static func draw(
    _ buttons: [ConfirmSheet.Button],
    focused: Int?,
    on canvas: inout Canvas,
    in block: CellRectangle,
    _ look: Appearance
  ) -> [CellRectangle] {
    let isRow = columns(buttons) <= block.columns
    var row = block.endRow - (isRow ? 1 : min(buttons.count, block.rows))
    var column = block.column + (isRow ? block.columns - columns(buttons) : 0)
    var places: [CellRectangle] = []
    for (index, button) in buttons.enumerated() {
      let isFocused = index == focused
      let ground: Ground = isFocused ? .selection : .sheet
      let ink: Ink = button.role == .danger ? .danger : .text
      let text = isFocused ? "[ \(button.label) ]" : "  \(button.label)  "
      let isInside = row < block.endRow
      let used =
        isInside
        ? canvas.put(
          [TextSpan(text, look.style(ink, on: ground, bold: isFocused))],
          row: row,
          column: column,
          limit: max(block.endColumn - column, 0)
        ) : 0
      places.append(CellRectangle(row: row, column: column, rows: 1, columns: used))
      if isRow { column += used + 1 } else { row += 1 }
    }
    return places
  }

  private static func columns(_ buttons: [ConfirmSheet.Button]) -> Int {
    buttons.reduce(0) { $0 + TextLine.columns($1.label) + 4 } + max(buttons.count - 1, 0)
  }
}
