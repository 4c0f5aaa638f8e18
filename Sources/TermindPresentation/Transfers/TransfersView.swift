public import TermindApplication
public import TermindDomain
public import TermindScreen

/// The sheet of transfers: batches, and under those that are open their files.
///
/// The chosen line stays the same thing while lines come and go.
public struct TransfersView: Hashable, Sendable {
  /// What a line shows.
  public enum Line: Hashable, Sendable {
    /// A batch.
    case batch(TransferBatch)
    /// A file of a batch.
    case row(batch: Int, TransferRow)
    /// Something to tell of a batch.
    case note(batch: Int, TransferNote)
    /// So many failures more than are kept.
    case more(batch: Int, Int)

    /// The batch that it belongs to.
    public var batch: Int {
      switch self {
      case .batch(let batch): batch.number
      case .row(let batch, _), .note(let batch, _), .more(let batch, _): batch
      }
    }

    /// What makes it the same line in another list.
    var key: Key {
      switch self {
      case .batch(let batch): Key(batch: batch.number)
      case .row(let batch, let row): Key(batch: batch, path: row.item.source)
      case .note(let batch, let note): Key(batch: batch, note: note)
      case .more(let batch, _): Key(batch: batch, isMore: true)
      }
    }
  }

  struct Key: Hashable {
    var batch: Int
    var path: RemotePath?
    var note: TransferNote?
    var isMore = false
  }

  /// What is shown.
  public private(set) var lines: [Line] = []
  /// The times until lost connections are tried again, by batch.
  public var retryTimes: [Int: Duration] = [:]
  /// What the title says of limits.
  public var limits = ""
  private var opened: Set<Int> = []
  private var selection: Key?
  private var place = 0
  private var top = 0

  /// Makes a sheet without lines.
  public init() {}

  /// The line that is chosen.
  public var selected: Line? { lines.indices.contains(place) ? lines[place] : nil }

  /// Takes the newest state.
  public mutating func show(_ list: TransferList) {
    lines = []
    for batch in list.batches {
      lines.append(.batch(batch))
      guard opened.contains(batch.number) else { continue }
      lines += batch.rows.map { .row(batch: batch.number, $0) }
      let more = batch.failureCount - batch.failures.count
      if more > 0 { lines.append(.more(batch: batch.number, more)) }
      lines += batch.notes.map { .note(batch: batch.number, $0) }
    }
    if let selection, let found = lines.firstIndex(where: { $0.key == selection }) {
      place = found
    } else {
      // What was chosen is gone: its neighbour is.
      place = min(place, max(lines.count - 1, 0))
      selection = selected?.key
    }
  }

  /// Chooses a batch.
  public mutating func select(batch: Int) {
    choose(lines.firstIndex { $0.key == Key(batch: batch) } ?? place)
  }

  /// Chooses a line by its place.
  public mutating func choose(_ place: Int) {
    self.place = min(max(place, 0), max(lines.count - 1, 0))
    selection = selected?.key
  }

  /// Moves the choice.
  public mutating func move(by step: Int) { choose(place + step) }

  /// Shows the files of the chosen batch, or hides them.
  ///
  /// - Parameters:
  ///   - isOpen: Whether they are shown; nil turns it round.
  ///   - list: The newest state.
  public mutating func toggle(isOpen: Bool? = nil, _ list: TransferList) {
    guard let batch = selected?.batch else { return }
    if isOpen ?? !opened.contains(batch) {
      opened.insert(batch)
    } else {
      opened.remove(batch)
      selection = Key(batch: batch)
    }
    show(list)
  }

  /// The cells that the sheet takes of a window.
  public static func area(in window: CellRectangle) -> CellRectangle {
    window.centred(
      rows: max(window.rows * 5 / 6, min(window.rows, 12)),
      columns: min(max(window.columns - 6, 60), 140)
    )
  }

  /// Draws the sheet.
  ///
  /// - Returns: The rows of the lines that were drawn: the screen row and the place of the line.
  @discardableResult
  public mutating func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> [(screenRow: Int, place: Int)] {
    let title = limits.isEmpty ? "Transfers" : "Transfers · \(limits)"
    let inner = SheetFrame(title: title).draw(on: &canvas, in: area, look)
    canvas.cursor = nil
    guard inner.rows >= 1 else { return [] }
    let text = detailText
    let detail = text.isEmpty ? [] : TextLine.wrapped(text, inner.columns).prefix(3)
    let hasHints = inner.rows >= 6
    let below = hasHints ? detail.count + (detail.isEmpty ? 2 : 3) : 0
    let room = inner.rows - below
    if hasHints {
      drawFoot(Array(detail), on: &canvas, in: area, inner, look)
    }
    guard !lines.isEmpty else {
      let text = "No transfers. In a file pane y picks up and p drops."
      let span = TextSpan(text, look.style(.dim, on: .sheet))
      canvas.put([span], row: inner.row, column: inner.column, limit: inner.columns)
      return []
    }
    scroll(to: room)
    var shown: [(Int, Int)] = []
    var row = inner.row
    for place in top..<lines.count {
      let height = Self.height(lines[place])
      guard row + height <= inner.row + room else { break }
      let block = CellRectangle(
        row: row,
        column: area.column + 1,
        rows: height,
        columns: area.columns - 2
      )
      draw(lines[place], on: &canvas, in: block, isSelected: place == self.place, look)
      for each in 0..<height { shown.append((row + each, place)) }
      row += height
    }
    return shown
  }

  /// A batch has a second line for its numbers.
  static func height(_ line: Line) -> Int {
    if case .batch = line { return 2 }
    return 1
  }

  /// Brings the chosen line into sight.
  private mutating func scroll(to room: Int) {
    top = min(top, place)
    while top < place {
      let used = lines[top...place].reduce(0) { $0 + Self.height($1) }
      guard used > room else { break }
      top += 1
    }
    // Room at the lower end is filled from above.
    while top > 0 {
      let used = lines[(top - 1)...].reduce(0) { $0 + Self.height($1) }
      guard used <= room else { break }
      top -= 1
    }
  }

  /// What there is to say of the chosen line.
  private var detailText: String {
    switch selected {
    case .batch(let batch):
      switch batch.state {
      case .waiting(let error, _), .failed(let error): ErrorText.sentence(error)
      case .running, .paused, .done, .cancelled: ""
      }
    case .row(_, let row): TransferText.reason(row) ?? ""
    case .note(_, let note): TransferText.sentence(note)
    case .more, nil: ""
    }
  }
}
