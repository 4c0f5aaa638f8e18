/// A block of cells of a screen; rows and columns are zero-based.
public struct CellRectangle: Hashable, Sendable, Codable {
  /// First row.
  public var row: Int
  /// First column.
  public var column: Int
  /// Number of rows, never negative.
  public var rows: Int
  /// Number of columns, never negative.
  public var columns: Int

  /// Makes a block; negative sizes become zero.
  public init(row: Int = 0, column: Int = 0, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = max(rows, 0)
    self.columns = max(columns, 0)
  }

  /// The row after the last one.
  public var endRow: Int { row + rows }
  /// The column after the last one.
  public var endColumn: Int { column + columns }
  /// The rows of the block.
  public var rowRange: Range<Int> { row..<(row + rows) }
  /// The columns of the block.
  public var columnRange: Range<Int> { column..<(column + columns) }
  /// Whether there is no cell in it.
  public var isEmpty: Bool { rows == 0 || columns == 0 }
  /// Number of cells.
  public var cellCount: Int { rows * columns }

  /// Whether a cell lies in the block.
  public func contains(row: Int, column: Int) -> Bool {
    rowRange.contains(row) && columnRange.contains(column)
  }

  /// Whether the two blocks share a cell.
  public func intersects(_ other: CellRectangle) -> Bool {
    guard !isEmpty, !other.isEmpty else { return false }
    return rowRange.overlaps(other.rowRange) && columnRange.overlaps(other.columnRange)
  }

  /// Start and length along an axis: columns for `sideBySide`, rows for `stacked`.
  func span(along axis: SplitAxis) -> (start: Int, length: Int) {
    axis == .sideBySide ? (column, columns) : (row, rows)
  }

  /// The part of the block with another start and length along an axis.
  func slice(along axis: SplitAxis, start: Int, length: Int) -> CellRectangle {
    switch axis {
    case .sideBySide:
      CellRectangle(row: row, column: start, rows: rows, columns: length)
    case .stacked:
      CellRectangle(row: start, column: column, rows: length, columns: columns)
    }
  }
}
