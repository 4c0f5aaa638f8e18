public import TermindDomain
public import TermindScreen

/// The line in which a person types what to find in a pane; it stands where the pane's title was.
public struct FindBar: Hashable, Sendable {
  /// A choice that a key turns on and off.
  public struct Toggle: Hashable, Sendable {
    /// A few characters for it.
    public var sign: String
    /// Whether it is on.
    public var isOn: Bool

    /// Makes a toggle.
    public init(_ sign: String, isOn: Bool) {
      self.sign = sign
      self.isOn = isOn
    }
  }

  /// What was found.
  public enum Outcome: Hashable, Sendable {
    /// Nothing is looked for.
    case idle
    /// Nothing is found; with whether older text is still being searched.
    case nothing(isSearching: Bool)
    /// A match of several is shown; with what stands behind the total.
    case found(place: Int?, count: Int, more: String)
    /// Nothing can be looked for.
    case problem(String)
  }

  /// What is typed.
  public var field: TextField
  /// Whether all of it is marked, since what is typed next replaces it.
  public var isMarked: Bool
  /// What was found.
  public var outcome: Outcome
  /// The choices, in the order in which they are shown.
  public var toggles: [Toggle]
  /// Whether what is typed goes into it.
  public var isFocused: Bool

  /// Makes a bar.
  public init(
    field: TextField,
    isMarked: Bool = false,
    outcome: Outcome,
    toggles: [Toggle],
    isFocused: Bool
  ) {
    self.field = field
    self.isMarked = isMarked
    self.outcome = outcome
    self.toggles = toggles
    self.isFocused = isFocused
  }

  /// Draws the bar, and puts the cursor into it when it is focused.
  public func draw(on canvas: inout Canvas, in line: CellRectangle, _ look: Appearance) {
    guard line.columns >= 4 else { return }
    canvas.clear(line, look.style(.text, on: .field))
    let right = rightSpans(line.columns, look)
    let rightColumns = TextLine.columns(right)
    let label = line.columns - rightColumns >= 24 ? " Find " : "/"
    let labelStyle = look.style(isFocused ? .accent : .dim, on: .field, bold: true)
    canvas.put([TextSpan(label, labelStyle)], row: line.row, column: line.column, limit: 6)
    let start = line.column + TextLine.columns(label)
    let room = line.endColumn - start - rightColumns
    guard room > 0 else { return }
    let (text, cursor) = field.visible(width: room)
    canvas.put(
      text,
      row: line.row,
      column: start,
      limit: room,
      style: isMarked
        ? look.selected(look.style(.text, on: .field)) : look.style(textInk, on: .field)
    )
    if isFocused {
      canvas.cursor = CanvasCursor(row: line.row, column: start + cursor, shape: .bar)
    }
    canvas.put(right, row: line.row, column: line.endColumn - rightColumns, limit: rightColumns)
  }

  /// A pattern that is wrong is seen, also where there is no room for the reason.
  private var textInk: Ink {
    if case .problem = outcome { .danger } else { .text }
  }

  /// What fits at the right of a field that keeps eight columns: the outcome and the choices; else less of each.
  private func rightSpans(_ columns: Int, _ look: Appearance) -> [TextSpan] {
    func outcome(_ words: (String, Ink)?) -> [TextSpan] {
      words.map { [TextSpan(" " + $0.0, look.style($0.1, on: .field))] } ?? []
    }
    let dim = look.style(.dim, on: .field)
    func choices(_ toggles: [Toggle]) -> [TextSpan] {
      guard !toggles.isEmpty else { return [] }
      return [TextSpan(" ", dim)]
        + toggles.flatMap { toggle in
          let style = toggle.isOn ? look.style(.accent, on: .field, bold: true) : dim
          return [TextSpan(" ", dim), TextSpan(toggle.sign, style)]
        }
    }
    var short = words
    if case .problem = self.outcome { short = ("bad pattern", .danger) }
    let chosen = toggles.filter(\.isOn)
    let candidates = [
      outcome(words) + choices(toggles), outcome(words) + choices(chosen),
      outcome(short) + choices(chosen), outcome(words), outcome(short), choices(chosen),
    ]
    let end = [TextSpan(" ", dim)]
    return candidates.map { $0 + end }.first { TextLine.columns($0) + 9 <= columns } ?? []
  }

  private var words: (String, Ink)? {
    switch outcome {
    case .idle: nil
    case .nothing(let isSearching): isSearching ? ("…", .dim) : ("no match", .warning)
    case .found(let place, let count, let more):
      ((place.map { "\($0)/" } ?? "") + "\(count)\(more)", .text)
    case .problem(let text): (text, .danger)
    }
  }
}
