/// How the rows of a screen looked when somebody drew them, so that only those that look different are drawn again.
///
/// It holds the cells themselves, eight bytes each: comparing them all costs a few microseconds, and no way to write a
/// cell has to remember that it was used.
public struct DrawnRows: Sendable {
  private var terminal: ObjectIdentifier?
  private var rows = 0
  private var columns = 0
  /// Which numbers of styles and clusters the cells refer to.
  private var numbering: UInt64 = 0
  private var cells: [GridCell] = []
  private var looks: [Look] = []

  /// What a row has beside its cells and can be seen.
  private struct Look: Equatable {
    var used: Int32 = 0
    var size = RowSize.single
  }

  /// Makes a memory of nothing: every row looks different.
  public init() {}

  /// Takes over how the rows look now.
  ///
  /// - Returns: The rows that looked different, in order.
  fileprivate mutating func take(_ state: borrowing TerminalState, of owner: ObjectIdentifier)
    -> [Int]
  {
    let isKnown =
      terminal == owner && rows == state.grid.rows && columns == state.grid.columns
      && numbering == state.numbering
    if !isKnown {
      terminal = owner
      rows = state.grid.rows
      columns = state.grid.columns
      numbering = state.numbering
      cells = [GridCell](repeating: .erased, count: rows * columns)
      looks = [Look](repeating: Look(), count: rows)
    }
    var changed: [Int] = []
    for row in 0..<rows {
      let info = state.grid.rowInfo(row)
      let look = Look(used: info.used, size: info.size)
      let range = state.grid.usedRange(row)
      if isKnown, look == looks[row], isSame(row, state.grid.cells.span, range) { continue }
      looks[row] = look
      for offset in 0..<range.count {
        cells[row * columns + offset] = state.grid.cells[range.lowerBound + offset]
      }
      changed.append(row)
    }
    return changed
  }

  private func isSame(_ row: Int, _ other: Span<GridCell>, _ range: Range<Int>) -> Bool {
    let own = cells.span
    let start = row * columns
    precondition(start + range.count <= own.count && range.upperBound <= other.count)
    for offset in 0..<range.count {
      // Inside both, as was just made sure.
      let (mine, theirs) = unsafe (
        own[unchecked: start &+ offset], other[unchecked: range.lowerBound &+ offset]
      )
      if mine != theirs { return false }
    }
    return true
  }
}

extension Terminal {
  /// The rows of the screen that look different than when the same memory was given last, which is brought up to date.
  ///
  /// Colours that the palette decides are not looked at: a cell of colour 3 stays what it is when colour 3 changes.
  /// - Parameter drawn: What was drawn before.
  /// - Returns: The rows, in order.
  public func takeChangedRows(since drawn: inout DrawnRows) -> [Int] {
    // Before the comparison, since it may give numbers another meaning.
    state.finishFeed()
    return drawn.take(state, of: ObjectIdentifier(self))
  }
}
