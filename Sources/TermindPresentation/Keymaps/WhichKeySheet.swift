public import TermindDomain
public import TermindScreen

/// The sheet that rises from the status line after a pause: what may follow the keys pressed so far.
public enum WhichKeySheet {
  /// A line of the sheet: keys that do the same stand together.
  struct Entry: Hashable {
    var keys: String
    var label: String
    var isPrefix: Bool

    var columns: Int { TextLine.columns(keys) + 1 + TextLine.columns(label) }
  }

  private static let gap = 2

  /// Draws the choices in columns at the lower end of an area.
  ///
  /// - Parameters:
  ///   - keys: The open sequence.
  ///   - canvas: Where to draw.
  ///   - area: The window without its status line.
  ///   - look: The looks.
  /// - Returns: The cells that were covered.
  @discardableResult
  public static func draw(
    _ keys: PendingKeys,
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> CellRectangle {
    let entries = entries(keys.choices)
    guard !entries.isEmpty, area.rows >= 4, area.columns >= 12 else {
      return CellRectangle(row: area.endRow, column: area.column, rows: 0, columns: 0)
    }
    let inside = area.columns - 4
    let most = max(area.rows * 4 / 5 - 2, 1)
    var columns = columns(entries, width: inside, rows: most)
    var widths = columns.map(width)
    // Rather than leaving keys out, the sheet takes the whole height, puts words right behind keys, and cuts them.
    var isNarrow = false
    if columns.reduce(0, { $0 + $1.count }) < entries.count,
      let whole = narrowColumns(entries, width: inside, rows: area.rows - 2)
    {
      (columns, widths, isNarrow) = (whole.columns, whole.widths, true)
    }
    let rows = columns.map(\.count).max() ?? 1
    let hidden = entries.count - columns.reduce(0) { $0 + $1.count }
    let sheet = CellRectangle(
      row: area.endRow - rows - 2,
      column: area.column,
      rows: rows + 2,
      columns: area.columns
    )
    var footer = KeyHint.spans([KeyHint("esc", "leave")], on: .sheet, limit: inside, look)
    if hidden > 0 {
      footer.insert(TextSpan("\(hidden) more  ", look.style(.dim, on: .sheet)), at: 0)
    }
    let frame = SheetFrame(title: keys.prefixText + " …", footer: footer)
    let inner = frame.draw(on: &canvas, in: sheet, look)
    // What is left over goes between the columns.
    let used = widths.reduce(0, +)
    let spare = columns.count > 1 ? (inner.columns - used) / (columns.count - 1) : 0
    var start = inner.column
    for (column, limit) in zip(columns, widths) {
      let keyColumns = isNarrow ? 0 : keyColumns(of: column)
      for (offset, entry) in column.enumerated() {
        let missing = max(keyColumns - TextLine.columns(entry.keys), 0)
        let padding = String(repeating: " ", count: missing)
        canvas.put(
          [
            TextSpan(padding + entry.keys, look.style(.accent, on: .sheet, bold: true)),
            TextSpan(" " + entry.label, look.style(entry.isPrefix ? .dim : .text, on: .sheet)),
          ],
          row: inner.row + offset,
          column: start,
          limit: min(inner.endColumn - start, limit)
        )
      }
      start += limit + min(spare, 6)
    }
    return sheet
  }

  /// Joins keys that do the same, the four directions of one thing, and the numbers of workspaces.
  static func entries(_ choices: [KeyChoice]) -> [Entry] {
    var entries: [Entry] = []
    var places: [Action: Int] = [:]
    var numbers: [(chord: KeyChord, place: Int)] = []
    var numbersAt = 0
    let roses = Rose.found(in: choices)
    for choice in choices {
      if let rose = roses.first(where: { $0.chords.contains(choice.chord) }) {
        if rose.chords.first == choice.chord {
          entries.append(Entry(keys: rose.keys, label: rose.label, isPrefix: false))
        }
      } else if case .gotoWorkspace(let number) = choice.action {
        if numbers.isEmpty { numbersAt = entries.count }
        numbers.append((choice.chord, number))
      } else if let action = choice.action, let place = places[action] {
        entries[place].keys += " " + choice.chord.short
      } else {
        if let action = choice.action { places[action] = entries.count }
        entries.append(
          Entry(
            keys: choice.chord.short,
            label: choice.label,
            isPrefix: choice.action == nil
          )
        )
      }
    }
    guard let first = numbers.first, let last = numbers.last else { return entries }
    let isRow = numbers.enumerated().allSatisfy { $0.element.chord.short == "\($0.offset + 1)" }
    if isRow, numbers.count > 2 {
      entries.insert(
        Entry(
          keys: "\(first.chord.short)-\(last.chord.short)",
          label: "workspace",
          isPrefix: false
        ),
        at: numbersAt
      )
    } else {
      let rows = numbers.map {
        Entry(keys: $0.chord.short, label: "workspace \($0.place)", isPrefix: false)
      }
      entries.insert(contentsOf: rows, at: numbersAt)
    }
    return entries
  }

  /// Keys for all four directions of one thing, which take one line.
  private struct Rose {
    var label: String
    var chords: [KeyChord]

    /// The keys without blanks where each is one character: `hjkl ←↓↑→`.
    var keys: String {
      let sets = stride(from: 0, to: chords.count, by: 4).map { chords[$0..<$0 + 4].map(\.short) }
      return sets.map { names in
        names.joined(separator: names.allSatisfy { TextLine.columns($0) == 1 } ? "" : " ")
      }.joined(separator: " ")
    }

    /// The directions that an action has, and what it does there.
    private static func direction(of action: Action?) -> (label: String, side: Action.Direction)? {
      switch action {
      case .focus(let side): ("focus", side)
      case .resize(let side, _): ("resize", side)
      case .swap(.neighbour(let side)): ("swap", side)
      default: nil
      }
    }

    /// Those whose directions have as many keys each.
    static func found(in choices: [KeyChoice]) -> [Rose] {
      var labels: [String] = []
      var keys: [String: [Action.Direction: [KeyChord]]] = [:]
      for choice in choices {
        guard let (label, side) = direction(of: choice.action) else { continue }
        if keys[label] == nil { labels.append(label) }
        keys[label, default: [:]][side, default: []].append(choice.chord)
      }
      return labels.compactMap { label in
        guard let sides = keys[label], sides.count == 4,
          let count = sides.values.first?.count, sides.values.allSatisfy({ $0.count == count })
        else { return nil }
        let order: [Action.Direction] = [.left, .down, .up, .right]
        let chords = (0..<count).flatMap { set in order.compactMap { sides[$0]?[set] } }
        return Rose(label: label, chords: chords)
      }
    }
  }

  /// All entries in columns, of which the wider ones give way; nil when what they do could not be read then.
  static func narrowColumns(
    _ entries: [Entry],
    width: Int,
    rows: Int
  ) -> (columns: [[Entry]], widths: [Int])? {
    guard rows > 0 else { return nil }
    let columns = stride(from: 0, to: entries.count, by: rows).map {
      Array(entries[$0..<min($0 + rows, entries.count)])
    }
    let room = width - gap * (columns.count - 1)
    guard room / max(columns.count, 1) >= 14 else { return nil }
    var widths = columns.map { $0.map(\.columns).max() ?? 0 }
    // The widest ones lose a column at a time.
    while widths.reduce(0, +) > room, let widest = widths.max(),
      let place = widths.lastIndex(of: widest)
    {
      widths[place] -= 1
    }
    return (columns, widths)
  }

  /// Fills columns from top to bottom, with as few rows as the width allows.
  static func columns(_ entries: [Entry], width: Int, rows most: Int) -> [[Entry]] {
    func split(_ rows: Int) -> [[Entry]] {
      stride(from: 0, to: entries.count, by: rows).map {
        Array(entries[$0..<min($0 + rows, entries.count)])
      }
    }
    for rows in 1...most {
      let columns = split(rows)
      let used = columns.reduce(0) { $0 + self.width(of: $1) } + gap * (columns.count - 1)
      if used <= width { return columns }
    }
    var kept: [[Entry]] = []
    var used = 0
    for column in split(most) {
      let columns = self.width(of: column)
      guard kept.isEmpty || used + gap + columns <= width else { break }
      used += columns + (kept.isEmpty ? 0 : gap)
      kept.append(column)
    }
    return kept
  }

  private static func keyColumns(of column: [Entry]) -> Int {
    column.map { TextLine.columns($0.keys) }.max() ?? 0
  }

  private static func width(of column: [Entry]) -> Int {
    keyColumns(of: column) + 1 + (column.map { TextLine.columns($0.label) }.max() ?? 0)
  }
}
