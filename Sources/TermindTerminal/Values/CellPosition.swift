/// A place on the screen; both numbers are zero-based.
public struct CellPosition: Hashable, Sendable {
  /// The row, counted from the top.
  public var row: Int
  /// The column, counted from the left.
  public var column: Int

  /// Makes a place from its row and column.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}
