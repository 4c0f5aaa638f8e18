/// The columns of the bytes of one row; what they cost is paid only when they are asked for.
struct RowColumns {
  private let row: ScrollbackLine
  private let block: FindText.Block
  private let overrides: [UInt32: Int]
  private var walker: ColumnWalker?

  init(_ row: ScrollbackLine, of block: FindText.Block, overrides: [UInt32: Int]) {
    self.row = row
    self.block = block
    self.overrides = overrides
  }

  /// The columns of the character that a byte of the row's text belongs to.
  ///
  /// - Parameters:
  ///   - byte: The byte, counted from the start of the row.
  ///   - memory: The bytes of the block.
  /// - Returns: The columns, counted from the start of the row.
  @unsafe
  mutating func range(of byte: Int, in memory: UnsafeRawPointer) -> Range<Int> {
    guard row.flags.contains(.encoded) else { return byte..<byte + 1 }
    if !block.columns.isEmpty { return shown(byte) }
    var walker = unsafe walker ?? ColumnWalker(row, in: memory, overrides: overrides)
    let found = walker.columns(of: byte)
    self.walker = walker
    return found
  }

  /// The same in a row of the screen, whose columns are listed.
  private func shown(_ byte: Int) -> Range<Int> {
    let place = Int(row.offset) + byte
    guard place < block.columns.count else { return Int(row.columns)..<Int(row.columns) + 1 }
    let column = block.columns[place]
    var end = place + 1
    let last = Int(row.offset + row.textBytes)
    while end < last, block.columns[end] == column { end += 1 }
    // Behind it begins the next character, or what the row has after its last one.
    let next = end < last ? Int(block.columns[end]) : max(Int(row.columns), Int(column) + 1)
    return Int(column)..<next
  }
}

extension FindText {
  /// The columns of the character that a byte of a row belongs to; not beyond the row.
  func columns(of byte: Int, in row: LineJoint.Row) -> Range<Int> {
    let most = max(Int(row.line.columns), 1)
    guard row.line.flags.contains(.encoded) else {
      return (byte..<byte + 1).clamped(to: 0..<most)
    }
    let block = blocks[row.block]
    var columns = RowColumns(row.line, of: block, overrides: widthOverrides)
    return unsafe block.bytes.withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return 0..<1 }
      return unsafe columns.range(of: byte, in: base).clamped(to: 0..<most)
    }
  }
}
