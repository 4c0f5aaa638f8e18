internal import TermindApplication
internal import TermindDomain
internal import TermindScreen

extension TransfersView {
  /// What the chosen line lets one do, best first.
  private var hints: [KeyHint] {
    var hints: [KeyHint] = []
    let batch = lines.lazy.compactMap { line -> TransferBatch? in
      if case .batch(let batch) = line, batch.number == selected?.batch { return batch }
      return nil
    }.first
    guard let batch else { return [KeyHint("b", "limits"), KeyHint("esc", "close")] }
    if case .row(_, let row) = selected, row.isOpen {
      hints += [KeyHint("space", row.state == .paused ? "go on" : "pause"), KeyHint("s", "skip")]
    } else if batch.isOpen {
      let isWaiting = if case .waiting = batch.state { true } else { false }
      hints.append(
        isWaiting ? KeyHint("r", "try now") : KeyHint("space", batch.isPaused ? "go on" : "pause")
      )
    }
    if batch.canRetry { hints.append(KeyHint("r", "retry failed")) }
    if case .batch = selected { hints.append(KeyHint("enter", "files")) }
    hints +=
      batch.isOpen ? [KeyHint("x", "cancel"), KeyHint("K/J", "move")] : [KeyHint("c", "clear")]
    hints += [KeyHint("b", "limits"), KeyHint("esc", "close")]
    return hints
  }

  func drawFoot(
    _ detail: [String],
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ inner: CellRectangle,
    _ look: Appearance
  ) {
    SheetFrame.divider(on: &canvas, row: inner.endRow - 2, in: area, look)
    let spans = KeyHint.spans(hints, on: .sheet, limit: inner.columns, look)
    canvas.put(spans, row: inner.endRow - 1, column: inner.column, limit: inner.columns)
    guard !detail.isEmpty else { return }
    let first = inner.endRow - 2 - detail.count
    SheetFrame.divider(on: &canvas, row: first - 1, in: area, look)
    for (index, text) in detail.enumerated() {
      let span = TextSpan(text, look.style(.text, on: .sheet))
      canvas.put([span], row: first + index, column: inner.column, limit: inner.columns)
    }
  }

  func draw(
    _ line: Line,
    on canvas: inout Canvas,
    in block: CellRectangle,
    isSelected: Bool,
    _ look: Appearance
  ) {
    let ground: Ground = isSelected ? .selection : .sheet
    canvas.clear(block, look.style(.text, on: ground))
    switch line {
    case .batch(let batch): draw(batch, on: &canvas, in: block, ground, look)
    case .row(let number, let row):
      let batch = lines.lazy.compactMap { line -> TransferBatch? in
        if case .batch(let batch) = line, batch.number == number { return batch }
        return nil
      }.first
      let name = batch.map { TransferText.name(row, in: $0) } ?? row.item.source.text
      draw(row, name, on: &canvas, in: block, ground, look)
    case .note(_, let note):
      draw("· " + TransferText.sentence(note), .dim, on: &canvas, in: block, ground, look)
    case .more(_, let count):
      let text = "and \(FileText.grouped(UInt64(count))) more that failed; r tries all again"
      draw(text, .danger, on: &canvas, in: block, ground, look)
    }
  }

  private func draw(
    _ text: String,
    _ ink: Ink,
    on canvas: inout Canvas,
    in block: CellRectangle,
    _ ground: Ground,
    _ look: Appearance
  ) {
    canvas.put(
      [TextSpan(text, look.style(ink, on: ground))],
      row: block.row,
      column: block.column + 5,
      limit: block.columns - 6
    )
  }

  private func draw(
    _ batch: TransferBatch,
    on canvas: inout Canvas,
    in block: CellRectangle,
    _ ground: Ground,
    _ look: Appearance
  ) {
    let state = TransferText.state(batch, timeToRetry: retryTimes[batch.number])
    let right = [
      TextSpan(state, look.style(Self.ink(batch), on: ground)),
      TextSpan("  ", look.style(.text, on: ground)),
      TextSpan(
        String(repeating: " ", count: max(5 - TransferText.share(batch).count, 0))
          + TransferText.share(batch),
        look.style(.text, on: ground, bold: true)
      ),
    ]
    let width = block.columns - 2
    let used = canvas.put(right, row: block.row, endingAt: block.endColumn - 1, limit: width)
    canvas.put(
      [
        TextSpan(TransferText.sign(batch) + " ", look.style(.accent, on: ground, bold: true)),
        TextSpan(TransferText.title(batch), look.style(.text, on: ground, bold: true)),
      ],
      row: block.row,
      column: block.column + 1,
      limit: max(width - used - 2, 0)
    )
    let amounts = TransferText.amounts(batch)
    // Numbers go before a picture of them.
    let isWide = amounts.count + 4 + Self.barColumns(block) <= width
    let bar = isWide ? drawBar(batch, on: &canvas, in: block, ground, look) : 0
    canvas.put(
      [TextSpan(amounts, look.style(.dim, on: ground))],
      row: block.row + 1,
      column: block.column + 3,
      limit: max(width - bar - 4, 0)
    )
  }

  /// Draws how far a batch is as a line at the right of its second row.
  ///
  /// - Returns: The columns that it takes.
  private func drawBar(
    _ batch: TransferBatch,
    on canvas: inout Canvas,
    in block: CellRectangle,
    _ ground: Ground,
    _ look: Appearance
  ) -> Int {
    let columns = Self.barColumns(block)
    guard columns >= 8, batch.isOpen, let share = batch.share else { return 0 }
    let first = block.endColumn - 1 - columns
    let full = Int(Double(columns) * share)
    for column in 0..<columns {
      canvas.mark(
        column < full ? "━" : "─",
        row: block.row + 1,
        column: first + column,
        style: look.style(column < full ? .accent : .border, on: ground)
      )
    }
    return columns
  }

  private static func barColumns(_ block: CellRectangle) -> Int { min(block.columns / 5, 24) }

  private func draw(
    _ row: TransferRow,
    _ name: String,
    on canvas: inout Canvas,
    in block: CellRectangle,
    _ ground: Ground,
    _ look: Appearance
  ) {
    var parts: [String] = []
    if let size = row.item.size {
      if row.isOpen, row.byteCount > 0, size > 0 {
        parts.append("\(min(row.byteCount * 100 / size, 100))%")
      }
      parts.append(FileText.size(size))
    }
    let state = TransferText.state(row)
    let numbers = parts.joined(separator: "  ")
    let right = [
      TextSpan(numbers + "  ", look.style(.dim, on: ground)),
      TextSpan(
        state + String(repeating: " ", count: max(9 - state.count, 0)),
        look.style(Self.ink(row), on: ground)
      ),
    ]
    let width = block.columns - 2
    let used = canvas.put(right, row: block.row, endingAt: block.endColumn - 1, limit: width)
    canvas.put(
      [
        TextSpan(Self.sign(row) + " ", look.style(Self.ink(row), on: ground)),
        TextSpan(
          TextLine.clippedAtStart(name, max(width - used - 6, 0)),
          look.style(row.isOpen || row.hasFailed ? .text : .dim, on: ground)
        ),
      ],
      row: block.row,
      column: block.column + 3,
      limit: max(width - used - 4, 0)
    )
  }

  private static func ink(_ batch: TransferBatch) -> Ink {
    switch batch.state {
    case .running: .accent
    case .paused: .warning
    case .waiting: .warning
    case .failed: .danger
    case .done: batch.failureCount > 0 ? .danger : .success
    case .cancelled: .dim
    }
  }

  private static func ink(_ row: TransferRow) -> Ink {
    switch row.state {
    case .queued, .skipped, .cancelled: .dim
    case .running: .accent
    case .paused: .warning
    case .done: .success
    case .failed, .missing: .danger
    }
  }

  private static func sign(_ row: TransferRow) -> String {
    switch row.state {
    case .queued: "·"
    case .running: "▸"
    case .paused: "‖"
    case .done: "✓"
    case .skipped: "–"
    case .cancelled: "–"
    case .failed, .missing: "×"
    }
  }
}
