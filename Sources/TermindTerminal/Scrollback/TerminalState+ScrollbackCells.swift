extension TerminalState {
  /// The cells of a scrollback line, padded to the columns it took.
  mutating func cells(of line: ScrollbackLine, in chunk: ScrollbackChunk) -> [GridCell] {
    var cells: [GridCell] = []
    cells.reserveCapacity(Int(line.columns))
    let layout = chunk.content(line).layout
    var place = LineReader.runStart(layout, line)
    let isStyled = line.flags.contains(.styled)
    var style = PackedStyle.plain
    var look: UInt64 = 0
    var run = 0
    LineReader.forEachCharacter(chunk, line, overrides: configuration.widthOverrides) { character in
      if isStyled, run <= 0 {
        run = LineLayout.readRun(layout, &place, &style)
        look = UInt64(styles.intern(style)) << 32
      }
      run -= 1
      var bits = look
      if character.scalars.isEmpty {
        // A blank that was never written and a space are not told apart here.
        bits |= UInt64(character.scalar)
      } else {
        let number = clusters.intern(character.scalars)
        if UInt64(number) <= GridCell.payloadMask {
          bits |= GridCell.clusterBit | UInt64(number)
        } else {
          bits |= UInt64(character.scalar)
        }
      }
      if character.width == 2 { bits |= GridCell.wideBit }
      cells.append(GridCell(bits: bits))
      if character.width == 2, cells.count < Int(line.columns) {
        cells.append(GridCell(bits: look | GridCell.tailBit))
      }
    }
    while cells.count < Int(line.columns) { cells.append(.erased) }
    return cells
  }

  /// The cells of one row of scrollback at the present width, `distance` rows above the screen.
  mutating func scrollbackRow(_ distance: Int) -> (
    cells: [GridCell], isWrapped: Bool, marks: RowMarks
  )? {
    let width = size.columns
    guard distance > 0, let found = scrollback.locate(distance, width: width) else { return nil }
    let group = found.group
    let rows = scrollback.rowCount(of: group, width: width)
    let endsWrapped = scrollback.chunks[group.last.chunk].lines[group.last.line].isWrapped
    let isWrapped = found.row < rows - 1 || endsWrapped
    var marks: RowMarks = []
    if group.hasWide, group.columns > width {
      var all: [GridCell] = []
      scrollback.forEachLine(of: group) { chunk, line in
        marks.formUnion(line.marks)
        all += cells(of: line, in: chunk)
        return true
      }
      let ranges = Self.rowRanges(all, width: width)
      let range = ranges[min(found.row, ranges.count - 1)]
      return (Array(all[range]), isWrapped, found.row == 0 ? marks : [])
    }
    let start = found.row * width
    var column = 0
    var rowCells: [GridCell] = []
    scrollback.forEachLine(of: group) { chunk, line in
      let end = column + Int(line.columns)
      if end > start || (group.columns == 0) {
        if column >= start || found.row == 0 { marks.formUnion(line.marks) }
        let part = self.cells(of: line, in: chunk)
        let first = max(start - column, 0)
        let last = min(start + width - column, part.count)
        if first < last { rowCells += part[first..<last] }
      }
      column = end
      return column < start + width
    }
    return (rowCells, isWrapped, marks)
  }

  /// Where rows of a width begin and end in a line's cells; always at least one row.
  static func rowRanges(_ cells: [GridCell], width: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var wrapper = RowWrapper(width: width)
    var start = 0
    var place = 0
    while place < cells.count {
      let cell = cells[place]
      let hasTail = cell.isWide && place + 1 < cells.count && cells[place + 1].isTail
      if wrapper.add(cell.isWide ? 2 : 1) {
        ranges.append(start..<place)
        start = place
      }
      place += hasTail ? 2 : 1
    }
    ranges.append(start..<cells.count)
    return ranges
  }
}
