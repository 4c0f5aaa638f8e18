/// The form of the text cursor.
public enum CursorShape: Hashable, Sendable, CaseIterable {
  /// Whatever the person configured.
  case standard
  /// A filled cell.
  case block
  /// A line at the bottom of the cell.
  case underline
  /// A line at the left of the cell.
  case bar
}

/// Where the text cursor is and how it looks.
public struct CanvasCursor: Hashable, Sendable {
  /// Zero-based row.
  public var row: Int
  /// Zero-based column.
  public var column: Int
  /// The form.
  public var shape: CursorShape
  /// Whether it blinks; without meaning for the `.standard` shape.
  public var blinks: Bool

  /// Makes a cursor.
  public init(row: Int, column: Int, shape: CursorShape = .standard, blinks: Bool = false) {
    self.row = row
    self.column = column
    self.shape = shape
    self.blinks = blinks
  }
}
