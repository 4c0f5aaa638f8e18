public import TermindDomain
public import TermindScreen

/// The Vault: its parts in a row, a list, and the chosen record beside it where there is room.
///
/// In a narrow window the record that is edited takes the place of the list.
public struct VaultScreen: Sendable {
  /// What a click means.
  public enum Target: Hashable, Sendable {
    /// A part of the Vault.
    case section(VaultSection)
    /// The field to filter in.
    case filter
    /// What the list is sorted by.
    case sort
    /// A row of the list, as a place in its matches.
    case row(Int)
    /// The mark before a row.
    case mark(Int)
    /// A field of the form, by its place.
    case field(Int)
    /// A hint at the lower edge, by its place.
    case hint(Int)
  }

  /// What was drawn where.
  public struct Targets: Hashable, Sendable {
    var cells: [Cell] = []
    /// The rows of the list that are shown at once.
    public var page = 1
    /// The cells of the form, when it is shown.
    public var form: CellRectangle?

    struct Cell: Hashable, Sendable {
      var area: CellRectangle
      var target: Target
    }

    /// Nothing was drawn yet.
    public init() {}

    /// What lies at a cell.
    public func target(row: Int, column: Int) -> Target? {
      cells.last { $0.area.contains(row: row, column: column) }?.target
    }

    mutating func add(_ area: CellRectangle, _ target: Target) {
      cells.append(Cell(area: area, target: target))
    }
  }

  /// The columns from which on the record stands beside the list.
  public static let wideColumns = 96

  /// The part in front.
  public var section: VaultSection
  /// How many records each part has, where that is known.
  public var counts: [VaultSection: Int]
  /// What an empty list says.
  public var empty: VaultEmptyText
  /// What to press.
  public var hints: [KeyHint]
  /// What is wrong with the store; the list gives way to it.
  public var problem: String
  /// What is shown instead of the parts, such as an import; nil for the parts.
  public var title: String?

  /// Makes the screen.
  public init(
    section: VaultSection,
    counts: [VaultSection: Int] = [:],
    empty: VaultEmptyText,
    hints: [KeyHint],
    problem: String = "",
    title: String? = nil
  ) {
    self.section = section
    self.counts = counts
    self.empty = empty
    self.hints = hints
    self.problem = problem
    self.title = title
  }

  /// Draws the screen.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - area: The room for the whole destination.
  ///   - list: The list of the part in front.
  ///   - form: The chosen or edited record; nil when there is none.
  ///   - look: The looks.
  ///   - row: Gives the row of a record, by its place in the list's items.
  /// - Returns: What was drawn where.
  public func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    list: inout VaultList,
    form: inout RecordForm?,
    _ look: Appearance,
    row: (Int) -> VaultRow
  ) -> Targets {
    var targets = Targets()
    canvas.clear(area, look.style(.text, on: .pane))
    guard area.rows >= 4, area.columns >= 20 else { return targets }
    drawSections(on: &canvas, in: area.line(0), &targets, look)
    drawHints(on: &canvas, in: area.line(area.rows - 1), &targets, look)
    let body = CellRectangle(
      row: area.row + 1,
      column: area.column,
      rows: area.rows - 2,
      columns: area.columns
    )
    let isEditing = form?.isEditing == true
    let isWide = area.columns >= Self.wideColumns && form != nil
    let listColumns = isWide ? max(area.columns * 11 / 20, 52) : area.columns
    var listArea = body
    listArea.columns = listColumns
    var formArea: CellRectangle?
    if isWide {
      formArea = CellRectangle(
        row: body.row,
        column: body.column + listColumns + 1,
        rows: body.rows,
        columns: body.columns - listColumns - 1
      )
    } else if isEditing {
      formArea = body
    }
    if isWide || !isEditing {
      drawList(on: &canvas, in: listArea, &list, isFocused: !isEditing, &targets, look, row)
    }
    if let formArea, var shown = form {
      drawForm(&shown, on: &canvas, in: formArea, &targets, look)
      form = shown
      if isWide {
        let column = formArea.column - 1
        let style = look.style(.border, on: .pane)
        canvas.line("│", rows: body.rowRange, columns: column..<(column + 1), style: style)
        canvas.mark("┬", row: body.row, column: column, style: style)
      }
    }
    return targets
  }

  // MARK: - Edges

  private func drawSections(
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ targets: inout Targets,
    _ look: Appearance
  ) {
    if let title {
      let span = TextSpan(" \(title) ", look.style(.text, on: .selection, bold: true))
      canvas.put([span], row: line.row, column: line.column, limit: line.columns)
      return
    }
    let all = VaultSection.allCases
    let full = all.map { ($0, label($0, withCount: true)) }
    let short = all.map { ($0, label($0, withCount: $0 == section)) }
    let alone = [(section, "‹ \(label(section, withCount: true)) ›")]
    func columns(_ labels: [(VaultSection, String)]) -> Int {
      labels.reduce(0) { $0 + TextLine.columns($1.1) + 2 }
    }
    let labels = [full, short].first { columns($0) <= line.columns } ?? alone
    var column = line.column
    for (part, text) in labels {
      let isActive = part == section
      let ground: Ground = isActive ? .selection : .pane
      let style = look.style(isActive ? .text : .dim, on: ground, bold: isActive)
      let room = line.endColumn - column
      let used = canvas.put(
        [TextSpan(" \(text) ", style)],
        row: line.row,
        column: column,
        limit: room
      )
      let cells = CellRectangle(row: line.row, column: column, rows: 1, columns: used)
      targets.add(cells, .section(labels.count == 1 ? part.next() : part))
      if labels.count == 1 {
        let left = CellRectangle(row: line.row, column: column, rows: 1, columns: used / 2)
        targets.add(left, .section(part.next(-1)))
      }
      column += used
    }
  }

  private func label(_ part: VaultSection, withCount: Bool) -> String {
    guard withCount, let count = counts[part] else { return part.title }
    return "\(part.title) \(count)"
  }

  private func drawHints(
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ targets: inout Targets,
    _ look: Appearance
  ) {
    var column = line.column + 1
    for (place, hint) in hints.enumerated() {
      let spans = [
        TextSpan(hint.key, look.style(.accent, on: .pane, bold: true)),
        TextSpan(" " + hint.label, look.style(.dim, on: .pane)),
      ]
      let columns = TextLine.columns(spans)
      guard column + columns <= line.endColumn else { break }
      canvas.put(spans, row: line.row, column: column, limit: columns)
      targets.add(
        CellRectangle(row: line.row, column: column, rows: 1, columns: columns),
        .hint(place)
      )
      column += columns + 2
    }
  }

  // MARK: - The record

  private func drawForm(
    _ form: inout RecordForm,
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ targets: inout Targets,
    _ look: Appearance
  ) {
    let isEditing = form.isEditing
    let line = look.style(isEditing ? .focusedBorder : .border, on: .pane)
    canvas.line("─", rows: area.row..<(area.row + 1), columns: area.columnRange, style: line)
    let changed = isEditing && form.isChanged ? " · changed" : ""
    let title = TextLine.clipped(form.title, max(area.columns - 6 - TextLine.columns(changed), 4))
    canvas.put(
      [
        TextSpan(" \(title)", look.style(.text, on: .pane, bold: true)),
        TextSpan("\(changed) ", look.style(.warning, on: .pane)),
      ],
      row: area.row,
      column: area.column + 1,
      limit: area.columns - 2
    )
    let inner = CellRectangle(
      row: area.row + 1,
      column: area.column + 1,
      rows: area.rows - 1,
      columns: area.columns - 2
    )
    for (cells, place) in form.draw(on: &canvas, in: inner, look) {
      targets.add(cells, .field(place))
    }
    targets.form = area
  }
}
