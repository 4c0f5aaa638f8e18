/// Lines that make one line for reflow: from `first` to `last`, by chunk and line.
struct ScrollbackGroup {
  var first: (chunk: Int, line: Int)
  var last: (chunk: Int, line: Int)
  var columns: Int
  var hasWide: Bool
}

extension Scrollback {
  /// Rows of all lines at a width: exact where it was asked before, else near it for lines of wide characters.
  func rowCount(width: Int) -> Int {
    var rows = 0
    for index in chunks.indices {
      rows += count(index, width: width, exactly: false)
    }
    return rows
  }

  /// The group and the row in it that is `distance` rows above the screen, 1 being the newest.
  func locate(_ distance: Int, width: Int) -> (group: ScrollbackGroup, row: Int)? {
    var left = distance
    for index in chunks.indices.reversed() {
      let rows = count(index, width: width, exactly: true)
      if left > rows {
        left -= rows
        continue
      }
      var found: (group: ScrollbackGroup, row: Int)?
      // Groups come newest first, so the walk ends early near the screen.
      forEachGroupBackward(endingIn: index) { group in
        let rows = rowCount(of: group, width: width)
        if left <= rows {
          found = (group, rows - left)
          return false
        }
        left -= rows
        return true
      }
      return found
    }
    return nil
  }

  /// Rows of the lines that end in a chunk.
  func count(_ index: Int, width: Int, exactly: Bool) -> Int {
    let chunk = chunks[index]
    if let known = chunk.countedRows(width: width, exactly: exactly) { return known }
    var rows = 0
    var isExact = true
    forEachGroupBackward(endingIn: index) { group in
      if group.hasWide, group.columns > width, !exactly {
        isExact = false
        rows += (group.columns + width - 1) / width
      } else {
        rows += rowCount(of: group, width: width)
      }
      return true
    }
    chunk.setCountedRows(rows, width: width, isExact: isExact)
    return rows
  }

  /// Calls `body` with each group that ends in the chunk, newest first, until it says false.
  func forEachGroupBackward(endingIn index: Int, _ body: (ScrollbackGroup) -> Bool) {
    let lines = chunks[index].lines
    let lowest = index == 0 ? dropped : 0
    var line = lines.count - 1
    // A line that goes on in the next chunk belongs to the group that ends there.
    if index < chunks.count - 1 {
      while line >= lowest, lines[line].continues { line -= 1 }
    }
    while line >= lowest {
      let group = group(endingAt: (index, line))
      if !body(group) { return }
      if group.first.chunk < index { return }
      line = group.first.line - 1
    }
  }

  /// The lines that make one with the line at `last`, which is its last one.
  func group(endingAt last: (chunk: Int, line: Int)) -> ScrollbackGroup {
    let line = chunks[last.chunk].lines[last.line]
    var group = ScrollbackGroup(
      first: last,
      last: last,
      columns: Int(line.columns),
      hasWide: line.flags.contains(.wide)
    )
    while let before = place(before: group.first) {
      let line = chunks[before.chunk].lines[before.line]
      guard line.continues else { break }
      group.first = before
      group.columns += Int(line.columns)
      if line.flags.contains(.wide) { group.hasWide = true }
    }
    return group
  }

  private func place(before place: (chunk: Int, line: Int)) -> (chunk: Int, line: Int)? {
    if place.line > (place.chunk == 0 ? dropped : 0) { return (place.chunk, place.line - 1) }
    guard place.chunk > 0 else { return nil }
    let chunk = place.chunk - 1
    let line = chunks[chunk].lines.count - 1
    return line >= (chunk == 0 ? dropped : 0) ? (chunk, line) : nil
  }

  /// Calls `body` with each line of a group, oldest first, until it says false.
  func forEachLine(
    of group: ScrollbackGroup,
    _ body: (ScrollbackChunk, ScrollbackLine) -> Bool
  ) {
    var chunk = group.first.chunk
    var line = group.first.line
    while chunk < group.last.chunk || (chunk == group.last.chunk && line <= group.last.line) {
      if line >= chunks[chunk].lines.count {
        chunk += 1
        line = 0
        continue
      }
      if !body(chunks[chunk], chunks[chunk].lines[line]) { return }
      line += 1
    }
  }

  /// Calls `body` with every kept line, oldest first.
  func forEachLine(_ body: (ScrollbackChunk, ScrollbackLine) -> Void) {
    for (index, chunk) in chunks.enumerated() {
      for line in chunk.lines.dropFirst(index == 0 ? dropped : 0) { body(chunk, line) }
    }
  }

  func rowCount(of group: ScrollbackGroup, width: Int) -> Int {
    if group.columns <= width { return 1 }
    if !group.hasWide { return (group.columns + width - 1) / width }
    var wrapper = RowWrapper(width: width)
    forEachLine(of: group) { chunk, line in
      var columns = 0
      LineReader.forEachWidth(chunk, line) { cellWidth in
        wrapper.add(cellWidth)
        columns += cellWidth
      }
      while columns < Int(line.columns) {
        wrapper.add(1)
        columns += 1
      }
      return true
    }
    return wrapper.rows
  }
}

/// Where rows end when characters of one and two columns are put one after another.
struct RowWrapper {
  let width: Int
  private(set) var rows = 1
  private(set) var column = 0

  init(width: Int) { self.width = width }

  /// Adds a character, and says whether it begins a new row.
  @discardableResult
  mutating func add(_ cellWidth: Int) -> Bool {
    let taken = min(cellWidth, width)
    if column + taken > width {
      rows += 1
      column = taken
      return true
    }
    column += taken
    return false
  }
}
