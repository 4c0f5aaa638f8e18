/// The rows of one soft-wrapped line, joined to one text.
struct LineJoint {
  /// Where a row begins in the joined text, and where it comes from.
  struct Row {
    var start: Int
    var block: Int
    var number: UInt64
    var line: ScrollbackLine
  }

  private(set) var bytes: [UInt8] = []
  private(set) var rows: [Row] = []

  /// Joins the line that begins at a row, and says at which row of which block the next one begins.
  mutating func fill(_ text: FindText, block: Int, line: Int) -> (block: Int, line: Int) {
    bytes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    var place = (block: block, line: line)
    while place.block < text.blocks.count {
      place.line = append(text.blocks[place.block], place.block, from: place.line)
      guard rows.last?.line.isWrapped == true else { break }
      guard place.line >= text.blocks[place.block].range.upperBound else { continue }
      place.block += 1
      if place.block < text.blocks.count { place.line = text.blocks[place.block].range.lowerBound }
    }
    return place
  }

  /// Appends rows of one block up to the one that ends the line, and says which row comes after.
  private mutating func append(_ block: FindText.Block, _ index: Int, from first: Int) -> Int {
    var line = first
    unsafe block.bytes.withUnsafeBytes { memory in
      while line < block.range.upperBound {
        let row = block.lines[line]
        let offset = Int(row.offset)
        let count = Int(row.textBytes)
        let number = block.line + UInt64(line - block.range.lowerBound)
        rows.append(Row(start: bytes.count, block: index, number: number, line: row))
        unsafe bytes.append(contentsOf: memory[offset..<offset + count])
        line += 1
        guard row.isWrapped else { return }
        // What was erased at the end of a row that goes on is as wide as it was.
        if !row.flags.contains(.encoded), count < Int(row.columns) {
          bytes += [UInt8](repeating: 0x20, count: Int(row.columns) - count)
        }
      }
    }
    return line
  }

  /// The row that holds a byte, looked for from an earlier row on.
  func row(holding byte: Int, from first: Int) -> Int {
    var place = first
    while place + 1 < rows.count, rows[place + 1].start <= byte { place += 1 }
    return place
  }
}
