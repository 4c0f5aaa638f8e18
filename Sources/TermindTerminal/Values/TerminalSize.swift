/// The size of a terminal in cells and, where known, in pixels.
public struct TerminalSize: Hashable, Sendable {
  /// Rows of cells, from 1 to 4,096.
  public let rows: Int
  /// Columns of cells, from 1 to 4,096.
  public let columns: Int
  /// Width of the text area in pixels, 0 when unknown.
  public let pixelWidth: Int
  /// Height of the text area in pixels, 0 when unknown.
  public let pixelHeight: Int

  /// Makes a size; every number is clamped to its range.
  ///
  /// - Parameters:
  ///   - rows: Rows of cells.
  ///   - columns: Columns of cells.
  ///   - pixelWidth: Width of the text area in pixels, 0 when unknown.
  ///   - pixelHeight: Height of the text area in pixels, 0 when unknown.
  public init(rows: Int, columns: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    self.rows = min(max(rows, 1), 4_096)
    self.columns = min(max(columns, 1), 4_096)
    self.pixelWidth = min(max(pixelWidth, 0), 65_535)
    self.pixelHeight = min(max(pixelHeight, 0), 65_535)
  }

  /// The pixels of one cell; 10 wide and 20 high stand in where the owner knows none.
  var cellPixels: (width: Int, height: Int) {
    let width = pixelWidth / columns
    let height = pixelHeight / rows
    return (width > 0 ? width : 10, height > 0 ? height : 20)
  }
}
