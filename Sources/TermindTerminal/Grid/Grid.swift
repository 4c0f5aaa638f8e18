/// The cells of one screen; rows are moved by their numbers, never cell by cell.
///
/// Rows and columns given to it are inside the grid: the callers clamp.
struct Grid {
  let rows: Int
  let columns: Int
  /// Written by `Grid+Text.swift` too, and nowhere outside of the grid.
  var cells: [GridCell]
  /// Row of the screen to row of storage.
  private var order: [Int32]
  /// By row of storage.
  private var info: [RowInfo]
  /// Whether a row was ever given another size than the usual one: the quick answer of nearly all screens is no.
  private(set) var hasSizedRows = false

  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    cells = [GridCell](repeating: .erased, count: rows * columns)
    order = (0..<Int32(rows)).map { $0 }
    info = [RowInfo](repeating: RowInfo(), count: rows)
  }

  @inline(__always)
  func base(_ row: Int) -> Int { Int(order[row]) * columns }

  // MARK: Rows

  subscript(row: Int, column: Int) -> GridCell {
    get { cells[base(row) + column] }
    set {
      cells[base(row) + column] = newValue
      markUsed(row, through: column)
    }
  }

  func rowInfo(_ row: Int) -> RowInfo { info[Int(order[row])] }

  func isWrapped(_ row: Int) -> Bool { info[Int(order[row])].isWrapped }

  mutating func setWrapped(_ row: Int, _ value: Bool) { info[Int(order[row])].isWrapped = value }

  mutating func setSize(_ row: Int, _ size: RowSize) {
    if size != .single { hasSizedRows = true }
    info[Int(order[row])].size = size
  }

  mutating func addMark(_ row: Int, _ mark: RowMarks) { info[Int(order[row])].marks.insert(mark) }

  mutating func setMarks(_ row: Int, _ marks: RowMarks) { info[Int(order[row])].marks = marks }

  /// The used cells of a row, the rest being erased.
  func usedCells(_ row: Int) -> ArraySlice<GridCell> {
    let start = base(row)
    return cells[start..<start + Int(info[Int(order[row])].used)]
  }

  /// Where the used cells of a row stand in `cells`.
  func usedRange(_ row: Int) -> Range<Int> {
    let start = base(row)
    return start..<start + Int(info[Int(order[row])].used)
  }

  @inline(__always)
  mutating func markUsed(_ row: Int, through column: Int) {
    let place = Int(order[row])
    if info[place].used <= column { info[place].used = Int32(column + 1) }
  }

  /// Blanks the other half of wide characters that a write to `columns` would cut.
  @inline(__always)
  mutating func splitWide(_ row: Int, _ columns: Range<Int>) {
    let start = base(row)
    if columns.lowerBound > 0, cells[start + columns.lowerBound].isTail {
      blank(start + columns.lowerBound - 1)
    }
    let end = columns.upperBound
    if end < self.columns, cells[start + end].isTail {
      blank(start + end)
    }
  }

  private mutating func blank(_ place: Int) { cells[place] = GridCell(bits: cells[place].look) }

  /// Writes one character of two columns that fits the row.
  mutating func putWide(_ lead: GridCell, _ row: Int, _ column: Int) {
    let start = base(row) + column
    precondition(column >= 0 && column + 2 <= columns && start + 2 <= cells.count)
    if column > 0, cells[start].isTail { blank(start - 1) }
    if column + 2 < columns, cells[start + 2].isTail { blank(start + 2) }
    var span = cells.mutableSpan
    unsafe span[unchecked: start] = GridCell(bits: lead.bits | GridCell.wideBit)
    unsafe span[unchecked: start + 1] = GridCell(bits: lead.look | GridCell.tailBit)
    markUsed(row, through: column + 1)
  }

  // MARK: Filling and moving

  /// Fills part of a row with one cell, wide characters at the edges being blanked.
  mutating func fill(_ row: Int, _ range: Range<Int>, with cell: GridCell) {
    guard !range.isEmpty else { return }
    splitWide(row, range)
    let start = base(row)
    let place = Int(order[row])
    var end = range.upperBound
    if cell == .erased {
      end = min(end, Int(info[place].used))
      if range.upperBound >= Int(info[place].used) {
        info[place].used = Int32(min(Int(info[place].used), range.lowerBound))
      }
    } else {
      markUsed(row, through: range.upperBound - 1)
    }
    guard range.lowerBound < end else { return }
    setAll(start + range.lowerBound, end - range.lowerBound, cell)
  }

  private mutating func setAll(_ start: Int, _ count: Int, _ cell: GridCell) {
    precondition(start >= 0 && count >= 0 && start + count <= cells.count)
    var span = cells.mutableSpan
    for place in start..<start + count { unsafe span[unchecked: place] = cell }
  }

  /// Fills the unprotected cells of part of a row.
  mutating func fillUnprotected(_ row: Int, _ range: Range<Int>, with cell: GridCell) {
    for column in range where !self[row, column].isProtected {
      fill(row, column..<column + 1, with: cell)
    }
  }

  /// Makes a whole row erased or filled, with no wrap bit and no marks.
  mutating func clearRow(_ row: Int, with cell: GridCell) {
    let place = Int(order[row])
    let start = place * columns
    let count = cell == .erased ? Int(info[place].used) : columns
    setAll(start, count, cell)
    info[place] = RowInfo(used: cell == .erased ? 0 : Int32(columns))
  }

  /// Moves cells of a row right (positive) or left inside `range`; what comes free is filled.
  mutating func shift(_ row: Int, _ range: Range<Int>, by distance: Int, fill cell: GridCell) {
    guard !range.isEmpty, distance != 0 else { return }
    let count = min(abs(distance), range.count)
    splitWide(row, range)
    let start = base(row)
    if distance > 0 {
      let cut = range.upperBound - count
      splitWide(row, cut..<range.upperBound)
      splitWide(row, range.lowerBound..<cut)
      for column in stride(from: range.upperBound - 1, through: range.lowerBound + count, by: -1) {
        cells[start + column] = cells[start + column - count]
      }
      markUsed(row, through: range.upperBound - 1)
      for column in range.lowerBound..<range.lowerBound + count { cells[start + column] = cell }
    } else {
      splitWide(row, range.lowerBound..<range.lowerBound + count)
      for column in range.lowerBound..<range.upperBound - count {
        cells[start + column] = cells[start + column + count]
      }
      if cell != .erased { markUsed(row, through: range.upperBound - 1) }
      for column in range.upperBound - count..<range.upperBound { cells[start + column] = cell }
    }
  }

  /// Moves the rows of `range` up; the lowest ones come free and are filled.
  mutating func scrollUp(_ range: Range<Int>, by count: Int, fill cell: GridCell) {
    let count = min(count, range.count)
    guard count > 0 else { return }
    rotate(range, left: count)
    for row in range.upperBound - count..<range.upperBound { clearRow(row, with: cell) }
  }

  /// Moves the rows of `range` down; the topmost ones come free and are filled.
  mutating func scrollDown(_ range: Range<Int>, by count: Int, fill cell: GridCell) {
    let count = min(count, range.count)
    guard count > 0 else { return }
    rotate(range, left: range.count - count)
    for row in range.lowerBound..<range.lowerBound + count { clearRow(row, with: cell) }
  }

  private mutating func rotate(_ range: Range<Int>, left count: Int) {
    if count == 1 {
      precondition(range.lowerBound >= 0 && range.upperBound <= order.count)
      var rows = order.mutableSpan
      let first = unsafe rows[unchecked: range.lowerBound]
      var row = range.lowerBound
      while row < range.upperBound &- 1 {
        unsafe rows[unchecked: row] = rows[unchecked: row &+ 1]
        row &+= 1
      }
      unsafe rows[unchecked: row] = first
      return
    }
    let moved = Array(order[range.lowerBound..<range.lowerBound + count])
    for row in range.lowerBound..<range.upperBound - count { order[row] = order[row + count] }
    for (offset, place) in moved.enumerated() { order[range.upperBound - count + offset] = place }
  }

  /// Copies part of a row onto another one; both are inside the grid.
  mutating func copy(row: Int, _ range: Range<Int>, toRow: Int, column: Int) {
    guard !range.isEmpty else { return }
    let source = Array(cells[base(row) + range.lowerBound..<base(row) + range.upperBound])
    replace(toRow, from: column, with: source)
  }

  /// Writes cells over part of a row, blanking wide characters that are cut at either edge.
  mutating func replace(_ row: Int, from column: Int, with source: [GridCell]) {
    guard !source.isEmpty else { return }
    splitWide(row, column..<column + source.count)
    let start = base(row) + column
    for offset in source.indices { cells[start + offset] = source[offset] }
    if source[0].isTail { blank(start) }
    let last = source.count - 1
    if source[last].isWide, column + last < columns - 1 || columns > 1 { blank(start + last) }
    markUsed(row, through: column + last)
  }
}
