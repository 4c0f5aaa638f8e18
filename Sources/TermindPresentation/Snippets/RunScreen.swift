public import TermindDomain
public import TermindScreen

/// What a text that is run on several hosts prints there, side by side.
public struct RunScreen: Hashable, Sendable {
  /// One host.
  public struct Column: Hashable, Sendable {
    /// How far it is.
    public enum State: Hashable, Sendable {
      /// Others come first.
      case waiting
      /// It is at work.
      case running
      /// It was told to end.
      case stopping
      /// It ended with a status.
      case done(status: Int)
      /// It did not run, or not to its end; for this reason.
      case failed(String)
    }

    /// The host.
    public var name: String
    /// How far it is.
    public var state = State.waiting
    /// What it printed.
    public var lines: [String] = []
    /// Whether it printed more than is kept.
    public var isCut = false

    /// Makes a column of a host that waits.
    public init(name: String) { self.name = name }
  }

  /// The fewest columns of the screen that a host is given.
  static let narrowest = 34

  /// What is run.
  public var title: String
  /// The hosts.
  public var columns: [Column]
  /// The first host that is shown.
  public var first: Int
  /// How many lines are scrolled away.
  public var scrolled: Int
  /// Whether a host is still at work.
  public var isRunning: Bool

  /// Makes a screen.
  public init(title: String, columns: [Column], first: Int, scrolled: Int, isRunning: Bool) {
    self.title = title
    self.columns = columns
    self.first = first
    self.scrolled = scrolled
    self.isRunning = isRunning
  }

  /// Where within a control sequence of the output a character stands.
  private enum Sequence { case none, begun, parameters, text, textEnd }

  /// The lines of an output: tabs become blanks, control sequences go, other control characters are shown as U+FFFD.
  public static func lines(of bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var sequence = Sequence.none
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar.value != 0x0A, skips(scalar.value, &sequence) { continue }
      if scalar.value == 0x0A { sequence = .none }
      switch scalar.value {
      case 0x0A:
        lines.append(String(line))
        line = String.UnicodeScalarView()
      case 0x0D: break
      case 0x09: repeat { line.append(" ") } while line.count % 8 != 0
      case 0..<0x20, 0x7F...0x9F: line.append("\u{FFFD}")
      default: line.append(scalar)
      }
    }
    if !line.isEmpty { lines.append(String(line)) }
    return lines
  }

  /// Whether a character belongs to a control sequence, which a line's end ends at the latest.
  private static func skips(_ value: UInt32, _ sequence: inout Sequence) -> Bool {
    switch (sequence, value) {
    case (.none, 0x1B): sequence = .begun
    case (.none, _): return false
    case (.begun, 0x5B): sequence = .parameters
    case (.begun, 0x5D), (.begun, 0x50), (.begun, 0x58...0x5A), (.begun, 0x5E...0x5F):
      sequence = .text
    case (.begun, 0x20...0x2F): break
    case (.parameters, 0x20...0x3F): break
    case (.text, 0x1B): sequence = .textEnd
    case (.text, let value) where value != 0x07: break
    default: sequence = .none
    }
    return true
  }

  /// Draws it over an area.
  public func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    let ended = columns.count {
      if case .done = $0.state { true } else if case .failed = $0.state { true } else { false }
    }
    let good = columns.count { $0.state == .done(status: 0) }
    var hints = [KeyHint("←→", "hosts"), KeyHint("↑↓", "lines")]
    if isRunning { hints.append(KeyHint("c", "cancel")) }
    hints.append(KeyHint("esc", isRunning ? "cancel and close" : "close"))
    let place = area.inset(rows: 1, columns: 2)
    let fit = max(1, min(columns.count, (place.columns - 3) / (Self.narrowest + 1)))
    let start = min(max(first, 0), max(columns.count - fit, 0))
    let shown = fit == 1 ? "host \(start + 1)" : "hosts \(start + 1)–\(start + fit)"
    let frame = SheetFrame(
      title: "\(title): \(ended) of \(columns.count) ended, \(good) well"
        + (fit < columns.count ? "; \(shown)" : ""),
      footer: KeyHint.spans(hints, on: .sheet, limit: max(area.columns - 6, 0), look)
    )
    let inside = frame.draw(on: &canvas, in: place, look)
    guard inside.rows > 1, inside.columns > 4 else { return }
    var rows = inside.row..<inside.endRow
    if fit < columns.count, inside.rows > 4 {
      drawOverview(start..<(start + fit), on: &canvas, in: inside.line(0), look)
      rows = (inside.row + 1)..<inside.endRow
    }
    let width = (inside.columns - (fit - 1)) / fit
    for (place, column) in columns.dropFirst(start).prefix(fit).enumerated() {
      let left = inside.column + place * (width + 1)
      if place > 0 {
        canvas.line(
          "│",
          rows: rows,
          columns: left - 1..<left,
          style: look.style(.border, on: .sheet)
        )
      }
      // A blank keeps the text off the line to the next host.
      draw(column, rows: rows, at: left, place < fit - 1 ? width - 1 : width, on: &canvas, look)
    }
  }

  /// How each host is, from the first one that is shown on; how many stand before and behind is said.
  private func drawOverview(
    _ shown: Range<Int>,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    func count(_ count: Int, _ before: String, _ after: String) -> [TextSpan] {
      count > 0 ? [TextSpan("\(before)\(count)\(after)", look.style(.dim, on: .sheet))] : []
    }
    var spans = count(shown.lowerBound, "‹", "  ")
    var used = TextLine.columns(spans)
    // Room for the count of those behind stays free.
    let room = line.columns - TextLine.columns("  \(columns.count)›")
    var next = shown.lowerBound
    while next < columns.count {
      let column = columns[next]
      let (ink, word) = Self.sign(column.state)
      let entry = [
        TextSpan("\(word.first ?? " ") ", look.style(ink, on: .sheet)),
        TextSpan(
          column.name + "  ",
          look.style(shown.contains(next) ? .text : .dim, on: .sheet, bold: shown.contains(next))
        ),
      ]
      guard used + TextLine.columns(entry) <= room else { break }
      spans += entry
      used += TextLine.columns(entry)
      next += 1
    }
    spans += count(columns.count - next, "", "›")
    canvas.put(spans, row: line.row, column: line.column, limit: line.columns)
  }

  private func draw(
    _ column: Column,
    rows: Range<Int>,
    at left: Int,
    _ width: Int,
    on canvas: inout Canvas,
    _ look: Appearance
  ) {
    let (ink, word) = Self.sign(column.state)
    canvas.put(
      [
        TextSpan(column.name + " ", look.style(.text, on: .sheet, bold: true)),
        TextSpan(word, look.style(ink, on: .sheet)),
      ],
      row: rows.lowerBound,
      column: left,
      limit: width
    )
    let all = (column.isCut ? ["… (what came before is not kept)"] : []) + column.lines
    // A shorter output than the others stays in view at its end.
    let lines = all.dropFirst(min(scrolled, max(all.count - (rows.count - 1), 0)))
      .prefix(rows.count - 1)
    for (place, line) in lines.enumerated() {
      canvas.put(
        line,
        row: rows.lowerBound + 1 + place,
        column: left,
        limit: width,
        style: look.style(.text, on: .sheet)
      )
    }
  }

  private static func sign(_ state: Column.State) -> (ink: Ink, word: String) {
    switch state {
    case .waiting: (.dim, "· waiting")
    case .running: (.warning, "… running")
    case .stopping: (.warning, "… stopping")
    case .done(0): (.success, "✓ 0")
    case .done(let status): (.danger, "✗ \(status)")
    case .failed(let reason): (.danger, "✗ \(reason)")
    }
  }
}
