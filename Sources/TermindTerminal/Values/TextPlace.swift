/// A place in the text of a terminal that stays with its text while more of it comes.
///
/// Rows are numbered as they are printed: the number of a row of the screen is the one that it has above the screen
/// later. A change of the width, and taking lines away, give rows other numbers.
public struct TextPlace: Hashable, Sendable, Comparable {
  /// The number of the row.
  public var line: UInt64
  /// The zero-based column in the row, as it was when the row left the screen.
  public var column: Int

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - line: The number of the row.
  ///   - column: The zero-based column in it.
  public init(line: UInt64, column: Int) {
    self.line = line
    self.column = column
  }

  /// Whether a place comes before another one in reading order.
  public static func < (left: TextPlace, right: TextPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A part of a row of text as a row of the screen shows it.
public struct ShownPart: Hashable, Sendable {
  /// The number of the row of text.
  public let line: UInt64
  /// Its columns that are shown.
  public let columns: Range<Int>
  /// The column of the screen at which they begin.
  public let column: Int
}
