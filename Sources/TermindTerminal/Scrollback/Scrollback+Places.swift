extension Scrollback {
  /// The chunk and the line that hold the row with a number.
  func position(of number: UInt64) -> (chunk: Int, line: Int)? {
    guard number >= first, number < end else { return nil }
    var left = Int(number - first)
    for (index, chunk) in chunks.enumerated() {
      let lowest = index == 0 ? dropped : 0
      let lines = chunk.lines.count - lowest
      if left < lines { return (index, lowest + left) }
      left -= lines
    }
    return nil
  }

  /// The number of the first row of a chunk that is kept.
  private func number(ofChunk index: Int) -> UInt64 {
    var number = first
    for (place, chunk) in chunks.enumerated() where place < index {
      number += UInt64(chunk.lines.count - (place == 0 ? dropped : 0))
    }
    return number
  }

  /// How many rows above the screen a place is at a width, 1 being the newest row.
  func distance(of place: TextPlace, width: Int) -> Int? {
    guard let found = position(of: place.line) else { return nil }
    var last = found
    while chunks[last.chunk].lines[last.line].continues {
      if last.line + 1 < chunks[last.chunk].lines.count {
        last.line += 1
      } else if last.chunk + 1 < chunks.count, !chunks[last.chunk + 1].lines.isEmpty {
        last = (last.chunk + 1, 0)
      } else {
        break
      }
    }
    let group = group(endingAt: last)
    var column = 0
    var number = number(ofChunk: group.first.chunk)
    number += UInt64(group.first.line - (group.first.chunk == 0 ? dropped : 0))
    forEachLine(of: group) { _, line in
      guard number < place.line else { return false }
      number += 1
      column += Int(line.columns)
      return true
    }
    let rows = rowCount(of: group, width: width)
    let row = min(self.row(of: column + place.column, in: group, width: width), rows - 1)
    var distance = rows - row
    for index in chunks.indices where index > last.chunk {
      distance += count(index, width: width, exactly: true)
    }
    forEachGroupBackward(endingIn: last.chunk) { other in
      guard other.last.line != last.line else { return false }
      distance += rowCount(of: other, width: width)
      return true
    }
    return distance
  }

  /// The row of a group at a width that shows one of its columns.
  private func row(of column: Int, in group: ScrollbackGroup, width: Int) -> Int {
    if group.columns <= width { return 0 }
    if !group.hasWide { return column / width }
    return breaks(of: group, width: width).lastIndex { $0 <= column } ?? 0
  }

  /// At which columns of a group its rows begin.
  private func breaks(of group: ScrollbackGroup, width: Int) -> [Int] {
    if group.columns <= width { return [0] }
    if !group.hasWide { return Array(stride(from: 0, to: group.columns, by: width)) }
    var breaks = [0]
    var wrapper = RowWrapper(width: width)
    var column = 0
    func add(_ cellWidth: Int) {
      if wrapper.add(cellWidth) { breaks.append(column) }
      column += cellWidth
    }
    forEachLine(of: group) { chunk, line in
      let end = column + Int(line.columns)
      LineReader.forEachWidth(chunk, line) { add($0) }
      while column < end { add(1) }
      return true
    }
    return breaks
  }

  /// What the row `distance` rows above the screen shows at a width.
  func parts(atDistance distance: Int, width: Int) -> [ShownPart] {
    guard distance > 0, let found = locate(distance, width: width) else { return [] }
    let group = found.group
    let breaks = group.hasWide ? breaks(of: group, width: width) : nil
    let start = breaks.map { $0[min(found.row, $0.count - 1)] } ?? found.row * width
    let end =
      breaks.map { found.row + 1 < $0.count ? $0[found.row + 1] : group.columns }
      ?? min(start + width, max(group.columns, 0))
    var number = number(ofChunk: group.first.chunk)
    number += UInt64(group.first.line - (group.first.chunk == 0 ? dropped : 0))
    var column = 0
    var parts: [ShownPart] = []
    forEachLine(of: group) { _, line in
      let next = column + Int(line.columns)
      let shown = max(start, column)..<max(min(end, next), max(start, column))
      // A row without text is shown too.
      if !shown.isEmpty || (group.columns == 0 && parts.isEmpty) {
        parts.append(
          ShownPart(
            line: number,
            columns: shown.lowerBound - column..<shown.upperBound - column,
            column: shown.lowerBound - start
          )
        )
      }
      number += 1
      column = next
      return column < end
    }
    return parts
  }
}
