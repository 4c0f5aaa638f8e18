/// Reads a terminal's rows as a person sees them, for moving about in them.
///
/// Rows are counted from the screen's first one, 0; those above it are negative. It is good until the terminal is
/// next fed or resized.
public struct TextReader {
  /// One row: a scalar for each column, 0 for a blank, `tail` for the second column of a wide character.
  struct Row {
    var scalars: [UInt32]
    /// Columns up to the last one that is no blank.
    var used: Int
    var isWrapped: Bool
  }

  static let tail: UInt32 = .max

  private let terminal: Terminal
  private var known: [Int: Row] = [:]
  /// The rows that there are.
  public let rows: Range<Int>
  /// The columns of each row.
  public let columns: Int

  /// Begins to read.
  public init(_ terminal: Terminal) {
    self.terminal = terminal
    rows = -terminal.scrollbackRows..<terminal.size.rows
    columns = terminal.size.columns
  }

  mutating func row(_ number: Int) -> Row {
    if let row = known[number] { return row }
    var scalars = [UInt32](repeating: 0, count: columns)
    var used = 0
    let (place, back) = (max(number, 0), max(-number, 0))
    terminal.visitRow(place, scrolledBack: back) { cell in
      guard cell.column < columns else { return }
      scalars[cell.column] = cell.scalar
      if cell.width == 2, cell.column + 1 < columns { scalars[cell.column + 1] = Self.tail }
      if cell.scalar != 0, cell.scalar != 0x20 { used = cell.column + cell.width }
    }
    let row = Row(
      scalars: scalars,
      used: min(used, columns),
      isWrapped: terminal.isWrapped(row: place, scrolledBack: back)
    )
    known[number] = row
    return row
  }

  /// The columns of a row up to the last one that is no blank.
  public mutating func usedColumns(_ number: Int) -> Int { row(number).used }

  /// Whether a soft wrap ends a row.
  public mutating func isWrapped(_ number: Int) -> Bool { row(number).isWrapped }

  /// A place inside of the rows, at the first column of its character.
  public mutating func clamped(_ position: CellPosition) -> CellPosition {
    var position = position
    position.row = min(max(position.row, rows.lowerBound), rows.upperBound - 1)
    position.column = min(max(position.column, 0), columns - 1)
    if position.column > 0, row(position.row).scalars[position.column] == Self.tail {
      position.column -= 1
    }
    return position
  }

  // MARK: Places in the text

  /// The place in the text that a cell shows.
  public func place(of position: CellPosition) -> TextPlace {
    let parts = terminal.shownParts(
      row: max(position.row, 0),
      scrolledBack: max(-position.row, 0)
    )
    let part = parts.last { $0.column <= position.column } ?? parts.first
    guard let part else { return TextPlace(line: terminal.screenLine, column: position.column) }
    return TextPlace(
      line: part.line,
      column: part.columns.lowerBound + max(position.column - part.column, 0)
    )
  }

  /// The cell that shows a place; nil when the place is gone.
  public func position(of place: TextPlace) -> CellPosition? {
    guard let row = terminal.shownRow(of: place) else { return nil }
    let parts = terminal.shownParts(row: max(row, 0), scrolledBack: max(-row, 0))
    guard let part = parts.last(where: { $0.line == place.line }) else {
      return CellPosition(row: row, column: 0)
    }
    let column = part.column + place.column - part.columns.lowerBound
    return CellPosition(row: row, column: min(max(column, 0), columns - 1))
  }

  // MARK: Steps

  /// The next character, and whether a line ends before it.
  mutating func after(_ position: CellPosition) -> (position: CellPosition, isBroken: Bool)? {
    let row = row(position.row)
    var column = position.column + 1
    while column < columns, row.scalars[column] == Self.tail { column += 1 }
    if column < (row.isWrapped ? columns : row.used) {
      return (CellPosition(row: position.row, column: column), false)
    }
    guard position.row + 1 < rows.upperBound else { return nil }
    return (CellPosition(row: position.row + 1, column: 0), !row.isWrapped)
  }

  /// The character before, and whether a line ends behind it.
  mutating func before(_ position: CellPosition) -> (position: CellPosition, isBroken: Bool)? {
    if position.column > 0 {
      return (clamped(CellPosition(row: position.row, column: position.column - 1)), false)
    }
    guard position.row > rows.lowerBound else { return nil }
    let row = row(position.row - 1)
    let last = row.isWrapped ? columns - 1 : max(row.used - 1, 0)
    return (clamped(CellPosition(row: position.row - 1, column: last)), !row.isWrapped)
  }

  /// What kind of character stands at a place.
  mutating func kind(_ position: CellPosition, isBig: Bool) -> TextMotion.Kind {
    let scalar = row(position.row).scalars[position.column]
    guard scalar != 0, scalar != 0x20 else { return .blank }
    if isBig || WordEdge.isWord(Unicode.Scalar(scalar)) { return .word }
    return .sign
  }
}
