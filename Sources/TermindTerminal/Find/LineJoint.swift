/// The rows of one soft-wrapped line, joined to one text.
struct LineJoint {
  /// Where a row begins in the joined text, and where it comes from.
  struct Row {
    var start: Int
    var block: Int
    var line: Int
    var number: UInt64
  }

  private(set) var bytes: [UInt8] = []
  private(set) var rows: [Row] = []

  /// Joins the line that begins at a row, and says at which row the next one begins.
  mutating func fill(_ text: FindText, block: Int, line: Int) -> (block: Int, line: Int) {
    bytes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    var (block, line) = (block, line)
    while block < text.blocks.count {
      let current = text.blocks[block]
      guard line < current.range.upperBound else {
        block += 1
        if block < text.blocks.count { line = text.blocks[block].range.lowerBound }
        continue
      }
      let row = current.lines[line]
      let offset = Int(row.offset)
      rows.append(
        Row(
          start: bytes.count,
          block: block,
          line: line,
          number: current.line + UInt64(line - current.range.lowerBound)
        )
      )
      bytes += current.bytes[offset..<offset + Int(row.textBytes)]
      line += 1
      guard row.isWrapped else { break }
      // What was erased at the end of a row that goes on is as wide as it was.
      let shown = row.flags.contains(.encoded) ? nil : Int(row.textBytes)
      if let shown, shown < Int(row.columns) {
        bytes += [UInt8](repeating: 0x20, count: Int(row.columns) - shown)
      }
    }
    return (block, line)
  }

  /// The row that holds a byte, looked for from an earlier row on.
  func row(holding byte: Int, from first: Int) -> Int {
    var place = first
    while place + 1 < rows.count, rows[place + 1].start <= byte { place += 1 }
    return place
  }
}
