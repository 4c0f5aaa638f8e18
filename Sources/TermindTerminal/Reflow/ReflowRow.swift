/// A row on its way from one grid to another.
struct ReflowRow {
  var cells: [GridCell]
  var isWrapped: Bool
  var marks: RowMarks

  init(cells: [GridCell], isWrapped: Bool = false, marks: RowMarks = []) {
    self.cells = cells
    self.isWrapped = isWrapped
    self.marks = marks
  }
}

/// A place on the screen that reflow keeps on its text.
struct TrackedPlace {
  var row: Int
  var column: Int
  /// Whether the place is behind the character in the last column (pending wrap).
  var isBehind: Bool
  /// Whether the place makes its line as long as it needs; the saved cursor does not.
  var isCursor = true
}

/// Lines of rows, and rows of another width from them.
struct LineReflow {
  /// A whole line: its cells without the blanks that wide characters left at row ends.
  struct Line {
    var cells: [GridCell] = []
    var marks: RowMarks = []
    /// Whether the line goes on past the last row given.
    var isOpen = false
  }

  private(set) var lines: [Line] = []
  /// For each place: its line and its cell in the line.
  private(set) var targets: [(line: Int, cell: Int, isBehind: Bool, isCursor: Bool)]

  /// Joins rows to lines.
  ///
  /// - Parameters:
  ///   - rows: The rows, top to bottom.
  ///   - places: Places on these rows.
  init(_ rows: [ReflowRow], places: [TrackedPlace]) {
    targets = places.map { (0, 0, false, $0.isCursor) }
    var line = Line()
    for (number, row) in rows.enumerated() {
      for (index, place) in places.enumerated() where place.row == number {
        let behind = place.isBehind ? 1 : 0
        targets[index] = (
          lines.count, line.cells.count + place.column + behind, place.isBehind, place.isCursor
        )
      }
      line.marks.formUnion(row.marks)
      line.cells += row.cells
      if row.isWrapped, number < rows.count - 1 { continue }
      line.isOpen = row.isWrapped
      lines.append(line)
      line = Line()
    }
  }

  /// Rows of a width, and the places on them.
  ///
  /// A place past the end of its line's text makes the line longer, so that it comes back when widened.
  func rows(width: Int) -> (rows: [ReflowRow], places: [TrackedPlace]) {
    var rows: [ReflowRow] = []
    var places = targets.map { _ in TrackedPlace(row: 0, column: 0, isBehind: false) }
    for (number, line) in lines.enumerated() {
      var cells = line.cells
      for target in targets where target.line == number && target.isCursor {
        let needed = target.isBehind ? target.cell : target.cell + 1
        // A place just behind text that fills its rows needs no row of its own.
        if cells.count < needed, target.cell > cells.count || target.cell % width != 0 {
          cells += [GridCell](repeating: .erased, count: needed - cells.count)
        }
      }
      let ranges = TerminalState.rowRanges(cells, width: width)
      for (index, target) in targets.enumerated() where target.line == number {
        places[index] = Self.place(target.cell, in: ranges, width: width, firstRow: rows.count)
      }
      for (index, range) in ranges.enumerated() {
        let isLast = index == ranges.count - 1
        rows.append(
          ReflowRow(
            cells: Array(cells[range]),
            isWrapped: !isLast || line.isOpen,
            marks: index == 0 ? line.marks : []
          )
        )
      }
    }
    return (rows, places)
  }

  private static func place(
    _ cell: Int,
    in ranges: [Range<Int>],
    width: Int,
    firstRow: Int
  ) -> TrackedPlace {
    for (index, range) in ranges.enumerated() where cell < range.upperBound {
      return TrackedPlace(
        row: firstRow + index,
        column: min(cell - range.lowerBound, width - 1),
        isBehind: false
      )
    }
    let last = ranges[ranges.count - 1]
    let column = cell - last.lowerBound
    return TrackedPlace(
      row: firstRow + ranges.count - 1,
      column: min(column, width - 1),
      isBehind: column >= width
    )
  }
}
