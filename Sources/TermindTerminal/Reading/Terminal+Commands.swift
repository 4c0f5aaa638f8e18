extension TerminalState {
  /// How far above the screen a change of the width can give rows other numbers.
  private static let farthestRenumbered: UInt64 = 1_000

  /// The marks of a row of the scrollback or the screen that is shown.
  func marks(line: UInt64) -> RowMarks { marks(line: line, screen: grid) }

  private func marks(line: UInt64, screen: Grid) -> RowMarks {
    if line >= scrollback.end { return screen.rowInfo(Int(line - scrollback.end)).marks }
    guard let found = scrollback.position(of: line) else { return [] }
    return scrollback.chunks[found.chunk].lines[found.line].marks
  }

  /// The numbers of the rows near the screen at which prompts begin, the newest first.
  func newestPrompts() -> [UInt64] {
    guard !commands.results.isEmpty else { return [] }
    let low = max(scrollback.first, scrollback.end - min(scrollback.end, Self.farthestRenumbered))
    let screen = isMainScreen ? grid : hiddenGrid
    // The screen's own rows: within a change of the size it has still those of before.
    let high = scrollback.end + UInt64(screen.rows)
    return (low..<high).reversed().filter { marks(line: $0, screen: screen).contains(.prompt) }
  }
}

extension Terminal {
  /// A column behind every row's text.
  private static let behindAll = 1 << 20

  /// Whether the shell told that a command runs.
  public var isRunningCommand: Bool { state.commands.isRunning }

  /// What the command of a shown prompt came to; nil for other rows, and while it runs.
  ///
  /// - Parameters:
  ///   - row: The row, counted from the top of what is shown.
  ///   - scrolledBack: How many rows of scrollback are shown above the screen's first row.
  /// - Returns: The result, as the shell told it.
  public func commandResult(row: Int, scrolledBack: Int = 0) -> CommandResult? {
    guard state.isMainScreen, !state.commands.results.isEmpty, row >= 0, row < size.rows else {
      return nil
    }
    let place = row - scrolledBack
    if place >= 0 {
      guard state.grid.rowInfo(place).marks.contains(.prompt) else { return nil }
      return state.commands.results[state.scrollback.end + UInt64(place)]
    }
    guard let part = shownParts(row: row, scrolledBack: scrolledBack).first,
      part.columns.lowerBound == 0, state.marks(line: part.line).contains(.prompt)
    else { return nil }
    return state.commands.results[part.line]
  }

  /// The output of the command that ended last, or of the one that runs; nil when the shell tells of none, or when it
  /// printed nothing.
  public var lastOutput: TextSelection? {
    guard state.isMainScreen else { return nil }
    guard let start = state.commands.outputStart ?? markedOutput else { return nil }
    let end = state.commands.outputEnd ?? markedEnd(after: start.line)
    guard start < end else { return nil }
    let last =
      end.column > 0
      ? TextPlace(line: end.line, column: end.column - 1)
      : TextPlace(line: end.line - 1, column: Self.behindAll)
    return TextSelection(.characters, anchor: start, head: last)
  }

  /// Where the newest output begins, by the marks of rows.
  private var markedOutput: TextPlace? {
    let found = textLines.reversed().first { state.marks(line: $0).contains(.output) }
    return found.map { TextPlace(line: $0, column: 0) }
  }

  /// Where an output ends, by the marks of rows: at the next prompt, else at the cursor.
  private func markedEnd(after start: UInt64) -> TextPlace {
    let cursor = TextPlace(
      line: screenLine + UInt64(state.cursorRow),
      column: state.cursorColumn
    )
    guard !state.commands.isRunning, start < textLines.upperBound else { return cursor }
    let found = (start..<textLines.upperBound).first { line in
      !state.marks(line: line).isDisjoint(with: line == start ? .end : [.end, .prompt])
    }
    return found.map { TextPlace(line: $0, column: 0) } ?? cursor
  }
}
