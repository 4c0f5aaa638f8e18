/// The size of the outer terminal.
public struct ScreenSize: Hashable, Sendable {
  /// Rows of text; 0 while the terminal has not said.
  public var rows: Int
  /// Columns of text; 0 while the terminal has not said.
  public var columns: Int
  /// Width of the text area in pixels, 0 when unknown.
  public var pixelWidth: Int
  /// Height of the text area in pixels, 0 when unknown.
  public var pixelHeight: Int

  /// Makes a size; negative numbers become 0, and more than 10,000 rows or columns become 10,000.
  public init(rows: Int, columns: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    self.rows = min(max(rows, 0), 10_000)
    self.columns = min(max(columns, 0), 10_000)
    self.pixelWidth = min(max(pixelWidth, 0), 1_000_000)
    self.pixelHeight = min(max(pixelHeight, 0), 1_000_000)
  }

  /// Whether anything can be drawn: some terminals say 0 rows or columns until they are mapped.
  public var isUsable: Bool { rows > 0 && columns > 0 }
}
