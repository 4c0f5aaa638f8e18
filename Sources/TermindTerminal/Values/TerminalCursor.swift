/// The cursor's form (DECSCUSR).
public enum TerminalCursorShape: Hashable, Sendable {
  /// A filled cell.
  case block
  /// A line under the cell.
  case underline
  /// A line at the cell's left edge.
  case bar
}

/// The cursor as it is to be drawn.
public struct TerminalCursor: Hashable, Sendable {
  /// Where the cursor stands.
  public var position: CellPosition
  /// Whether the program shows it (DECTCEM).
  public var isVisible: Bool
  /// Its form.
  public var shape: TerminalCursorShape
  /// Whether it blinks.
  public var blinks: Bool
}
