/// The text of a terminal at one moment, to be searched on another thread.
///
/// Taking it costs little: the bytes of the scrollback are shared until one side changes them.
public struct FindText: Sendable {
  /// A stretch of rows with one block of bytes.
  struct Block {
    let bytes: [UInt8]
    let lines: [ScrollbackLine]
    /// Those of the lines that are searched.
    let range: Range<Int>
    /// The number of the first of them.
    let line: UInt64
    /// For each byte of a row of the screen its column; empty where rows say themselves how wide they are.
    var columns: [UInt16] = []
  }

  /// Which numbering of rows holds.
  struct Epoch: Hashable {
    let edits: UInt64
    let isMainScreen: Bool
    let width: Int
  }

  var blocks: [Block] = []
  let epoch: Epoch
  /// The oldest row that there is.
  let first: UInt64
  /// The first row of the blocks; a line begins there.
  let start: UInt64
  /// The first row of the first line that may still change; a line begins there.
  let settled: UInt64
  let widthOverrides: [UInt32: Int]
}

extension FindText {
  /// The text of one row, without trailing blanks.
  ///
  /// - Parameter line: The number of the row.
  /// - Returns: The text; empty for a row that is not part of this.
  public func text(line: UInt64) -> String {
    for block in blocks where line >= block.line && line - block.line < UInt64(block.range.count) {
      let row = block.lines[block.range.lowerBound + Int(line - block.line)]
      let bytes = block.bytes[Int(row.offset)..<Int(row.offset) + Int(row.textBytes)]
      let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? bytes.startIndex
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
    return ""
  }
}

extension Terminal {
  /// The text to be searched: all that is kept above the screen, and the screen.
  ///
  /// - Parameter results: What was found before; what it knows of for good is left out.
  /// - Returns: The text as it is now.
  public func findText(after results: FindResults? = nil) -> FindText {
    let scrollback = state.scrollback
    let epoch = FindText.Epoch(
      edits: scrollback.edits,
      isMainScreen: state.isMainScreen,
      width: state.size.columns
    )
    let first = state.isMainScreen ? scrollback.first : scrollback.end
    var start = first
    if let results, results.epoch == epoch { start = max(results.settled, first) }
    var text = FindText(
      epoch: epoch,
      first: first,
      start: start,
      settled: state.isMainScreen ? scrollback.openStart : scrollback.end,
      widthOverrides: state.configuration.widthOverrides
    )
    if state.isMainScreen { text.blocks = scrollback.blocks(from: start) }
    text.blocks.append(state.screenBlock())
    return text
  }
}

extension Scrollback {
  /// The number of the first row of the line that goes on in the screen; past the newest row when none does.
  var openStart: UInt64 {
    var number = end
    for (index, chunk) in chunks.enumerated().reversed() {
      let lowest = index == 0 ? dropped : 0
      for line in chunk.lines[lowest...].reversed() {
        guard line.isWrapped else { return number }
        number -= 1
      }
    }
    return number
  }

  /// The rows from a number on.
  fileprivate func blocks(from start: UInt64) -> [FindText.Block] {
    var blocks: [FindText.Block] = []
    var number = first
    for (index, chunk) in chunks.enumerated() {
      let lowest = index == 0 ? dropped : 0
      let next = number + UInt64(chunk.lines.count - lowest)
      defer { number = next }
      guard next > start else { continue }
      let skipped = start > number ? Int(start - number) : 0
      let (bytes, lines) = chunk.snapshot()
      blocks.append(
        FindText.Block(
          bytes: bytes,
          lines: lines,
          range: lowest + skipped..<lines.count,
          line: number + UInt64(skipped)
        )
      )
    }
    return blocks
  }
}

extension TerminalState {
  /// The rows of the screen, as rows of the scrollback would hold their text.
  fileprivate func screenBlock() -> FindText.Block {
    var bytes: [UInt8] = []
    var lines: [ScrollbackLine] = []
    var columns: [UInt16] = []
    bytes.reserveCapacity(size.rows * size.columns)
    columns.reserveCapacity(size.rows * size.columns)
    for row in 0..<size.rows {
      let start = bytes.count
      var cells = grid.usedCells(row)
      let isWrapped = grid.isWrapped(row)
      var width = isWrapped ? size.columns : cells.count
      if isWrapped {
        if cells.count == size.columns, let last = cells.last, last.isFiller {
          cells.removeLast()
          width -= 1
        }
      } else {
        while let last = cells.last, last.isBlank, !last.isCluster { cells.removeLast() }
        while cells.last.map({ $0.bits & 0xFF_FFFF == 0x20 }) == true { cells.removeLast() }
        width = cells.count
      }
      for (column, cell) in cells.enumerated() where !(cell.isTail && column > 0) {
        if cell.bits & (GridCell.payloadMask & ~0x7F | GridCell.clusterBit) == 0 {
          bytes.append(cell.isBlank ? 0x20 : UInt8(truncatingIfNeeded: cell.bits))
          columns.append(UInt16(column))
          continue
        }
        if cell.isBlank { bytes.append(0x20) }
        for scalar in scalars(of: cell) { bytes += Self.utf8(scalar) }
        while columns.count < bytes.count { columns.append(UInt16(column)) }
      }
      // What was erased at the end of a row that goes on is as wide as it was.
      for column in cells.count..<max(width, cells.count) {
        bytes.append(0x20)
        columns.append(UInt16(column))
      }
      lines.append(
        ScrollbackLine(
          offset: UInt32(start),
          textBytes: UInt32(bytes.count - start),
          layoutBytes: 0,
          columns: UInt16(width),
          flags: isWrapped ? [.wrapped, .encoded] : .encoded,
          marks: []
        )
      )
    }
    return FindText.Block(
      bytes: bytes,
      lines: lines,
      range: lines.indices,
      line: scrollback.end,
      columns: columns
    )
  }

  private static func utf8(_ scalar: UInt32) -> Unicode.UTF8.EncodedScalar {
    Unicode.UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}")
      ?? Unicode.UTF8.encodedReplacementCharacter
  }
}
