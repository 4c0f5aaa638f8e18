extension Terminal {
  /// Rows of scrollback at the present width; 0 while the alternate screen is shown.
  ///
  /// Of old lines of wide characters the number is near the truth until they are visited.
  public var scrollbackRows: Int {
    state.isMainScreen ? state.scrollback.rowCount(width: state.size.columns) : 0
  }

  /// Calls `visit` for each cell of a row as it is drawn, left to right; the second columns of wide cells are left
  /// out.
  ///
  /// A line of double width (DECDWL, DECDHL) shows its left half: letters in their wide forms, other characters
  /// with a blank behind them.
  ///
  /// - Parameters:
  ///   - row: The row, counted from the top of what is shown.
  ///   - scrolledBack: How many rows of scrollback are shown above the screen's first row.
  ///   - visit: Called with each cell; the cells cover every column.
  public func visitRow(_ row: Int, scrolledBack: Int = 0, _ visit: (_ cell: TerminalCell) -> Void) {
    guard row >= 0, row < size.rows else { return }
    let shown = state.shownRow(row, scrolledBack: scrolledBack)
    guard shown.size != .single else { return visitCells(shown.cells, size.columns, visit) }
    let columns = size.columns
    var column = 0
    visitCells(Array(shown.cells.prefix(columns / 2)), columns / 2) { cell in
      for part in cell.doubled where part.column + part.width <= columns {
        visit(part)
        column = part.column + part.width
      }
    }
    while column < columns {
      visit(
        TerminalCell(
          column: column,
          width: 1,
          scalar: 0,
          isCluster: false,
          styleIndex: 0,
          cluster: 0
        )
      )
      column += 1
    }
  }

  /// Calls `visit` for each character of a row in its own width, whatever the line's size.
  func visitCells(
    _ cells: [GridCell],
    _ columns: Int,
    _ visit: (_ cell: TerminalCell) -> Void
  ) {
    var column = 0
    while column < columns {
      let cell = column < cells.count ? cells[column] : .erased
      let isWide = cell.isWide && column + 1 < columns
      let isCut = cell.isWide && !isWide
      var scalar = cell.payload
      if cell.isCluster { scalar = state.clusters[cell.payload].first ?? 0 }
      if cell.isTail || isCut { scalar = 0 }
      visit(
        TerminalCell(
          column: column,
          width: isWide ? 2 : 1,
          scalar: scalar,
          isCluster: cell.isCluster && scalar != 0,
          styleIndex: cell.style,
          cluster: cell.isCluster ? cell.payload : 0
        )
      )
      column += isWide ? 2 : 1
    }
  }

  /// Whether a shown row continues in the next one.
  ///
  /// - Parameters:
  ///   - row: The row, counted from the top of what is shown.
  ///   - scrolledBack: How many rows of scrollback are shown above the screen's first row.
  /// - Returns: True when a soft wrap ends the row.
  public func isWrapped(row: Int, scrolledBack: Int = 0) -> Bool {
    guard row >= 0, row < size.rows else { return false }
    return state.shownRow(row, scrolledBack: scrolledBack).isWrapped
  }

  /// The shell-integration marks of a shown row.
  ///
  /// - Parameters:
  ///   - row: The row, counted from the top of what is shown.
  ///   - scrolledBack: How many rows of scrollback are shown above the screen's first row.
  /// - Returns: The marks, none for most rows.
  public func promptMarks(row: Int, scrolledBack: Int = 0) -> TerminalRowMarks {
    guard row >= 0, row < size.rows else { return [] }
    let marks = state.shownRow(row, scrolledBack: scrolledBack).marks
    return TerminalRowMarks(rawValue: marks.rawValue)
  }

  /// The style behind a cell's style index.
  public func style(_ index: UInt32) -> TerminalStyle {
    let packed = state.styles[index]
    return TerminalStyle(
      foreground: PackedStyle.color(packed.foreground),
      background: PackedStyle.color(packed.background),
      underlineColor: PackedStyle.color(packed.underlineColor),
      underline: packed.underline,
      attributes: packed.attributes,
      hyperlink: packed.link == 0 ? nil : state.links[packed.link]
    )
  }

  /// The text of a cell: empty for a blank one.
  public func clusterText(_ cell: TerminalCell) -> String {
    var text = String.UnicodeScalarView()
    if cell.isCluster {
      for scalar in state.clusters[cell.cluster] { text.append(Self.character(scalar)) }
    } else if cell.scalar != 0 {
      text.append(Self.character(cell.scalar))
    }
    return String(text)
  }

  private static func character(_ scalar: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(scalar) ?? "\u{FFFD}"
  }
}

/// Shell-integration marks of a row (OSC 133).
public struct TerminalRowMarks: OptionSet, Hashable, Sendable {
  /// The mark bits.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A prompt begins on the row.
  public static let prompt = TerminalRowMarks(rawValue: 1)
  /// A typed command begins on the row.
  public static let command = TerminalRowMarks(rawValue: 2)
  /// A command's output begins on the row.
  public static let output = TerminalRowMarks(rawValue: 4)
  /// A command ended on the row.
  public static let end = TerminalRowMarks(rawValue: 8)
}
