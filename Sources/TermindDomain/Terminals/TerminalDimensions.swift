/// The size of a pseudo-terminal, as a PTY or an SSH `pty-req` carries it.
public struct TerminalDimensions: Hashable, Sendable, Codable {
  /// Rows of text, from 1 to 65,535.
  public let rows: Int
  /// Columns of text, from 1 to 65,535.
  public let columns: Int
  /// Width of the text area in pixels, 0 when unknown.
  public let pixelWidth: Int
  /// Height of the text area in pixels, 0 when unknown.
  public let pixelHeight: Int

  /// Makes a size; every number is clamped to its range.
  public init(rows: Int, columns: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    self.rows = min(max(rows, 1), 65_535)
    self.columns = min(max(columns, 1), 65_535)
    self.pixelWidth = min(max(pixelWidth, 0), 65_535)
    self.pixelHeight = min(max(pixelHeight, 0), 65_535)
  }
}
