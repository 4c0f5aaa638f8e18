/// Turns the cells of a row into the bytes of a scrollback line, in memory that serves for the next row too.
struct LineEncoder {
  private var textMemory: [UInt8] = []
  private var layoutMemory: [UInt8] = []
  private var textEnd = 0
  private var layoutEnd = 0

  /// Bytes of the row that was encoded last.
  var byteCount: Int { textEnd + layoutEnd }

  /// Appends the row that was encoded last; there must be room for it.
  func append(_ line: ScrollbackLine, to chunk: ScrollbackChunk) {
    var line = line
    line.textBytes = UInt32(textEnd)
    line.layoutBytes = UInt32(layoutEnd)
    chunk.append(
      line,
      text: textMemory.span.extracting(0..<textEnd),
      layout: layoutMemory.span.extracting(0..<layoutEnd)
    )
  }

  /// Encodes a row, and says what its bytes hold.
  ///
  /// - Parameters:
  ///   - cells: The row.
  ///   - bits: The bits of all cells together.
  ///   - styles: What the cells' style numbers mean.
  ///   - clusters: What the cells' cluster numbers mean.
  /// - Returns: The flags that depend on the cells alone.
  mutating func encode(
    _ cells: Span<GridCell>,
    bits: UInt64,
    styles: StyleTable,
    clusters: ClusterTable
  ) -> ScrollbackLine.Flags {
    var flags: ScrollbackLine.Flags = []
    let hasClusters = bits & GridCell.clusterBit != 0
    textEnd = 0
    layoutEnd = 0
    if bits & GridCell.wideBit != 0 { flags.insert(.wide) }
    if hasClusters {
      encodeClusters(cells, clusters)
      flags.insert(.clustered)
    }
    if bits >> 32 != 0 {
      encodeStyles(cells, styles, hasTails: bits & GridCell.tailBit != 0)
      flags.insert(.styled)
    }
    if bits & (GridCell.payloadMask & ~0x7F | GridCell.clusterBit | GridCell.wideBit) != 0 {
      flags.insert(.encoded)
    }
    let most = hasClusters ? 4 * ClusterTable.longest : 4
    Self.reserve(cells.count * most + 4, &textMemory)
    if bits & (GridCell.payloadMask & ~0x7F | GridCell.clusterBit | GridCell.tailBit) == 0 {
      copyASCII(cells)
    } else {
      encodeText(cells, clusters)
    }
    return flags
  }

  private static func reserve(_ count: Int, _ memory: inout [UInt8]) {
    if memory.count < count { memory = [UInt8](repeating: 0, count: count) }
  }

  // MARK: Text

  private mutating func copyASCII(_ cells: Span<GridCell>) {
    precondition(textMemory.count >= cells.count)
    var target = textMemory.mutableSpan
    for place in cells.indices {
      let byte = unsafe UInt8(truncatingIfNeeded: cells[unchecked: place].bits)
      unsafe target[unchecked: place] = byte == 0 ? 0x20 : byte
    }
    textEnd = cells.count
  }

  private mutating func encodeText(_ cells: Span<GridCell>, _ clusters: ClusterTable) {
    textEnd = unsafe textMemory.withUnsafeMutableBytes { memory in
      guard let target = memory.baseAddress else { return 0 }
      var end = 0
      for place in cells.indices {
        let cell = unsafe cells[unchecked: place]
        if cell.bits & (GridCell.tailBit | GridCell.clusterBit) != 0 {
          if LineEncoder.isSkipped(cell, place) { continue }
          if cell.isCluster {
            for scalar in clusters[cell.payload] { unsafe LineEncoder.put(scalar, target, &end) }
            continue
          }
        }
        unsafe LineEncoder.put(cell.payload, target, &end)
      }
      return end
    }
  }

  /// Writes a scalar, a space for 0; four bytes of memory must be there.
  @unsafe @inline(__always)
  private static func put(_ scalar: UInt32, _ target: UnsafeMutableRawPointer, _ end: inout Int) {
    let word: UInt32
    let length: Int
    if scalar < 0x80 {
      word = scalar == 0 ? 0x20 : scalar
      length = 1
    } else if scalar < 0x800 {
      word = 0x80C0 | scalar >> 6 | (scalar & 0x3F) << 8
      length = 2
    } else if scalar < 0x1_0000 {
      word = 0x80_80E0 | scalar >> 12 | (scalar >> 6 & 0x3F) << 8 | (scalar & 0x3F) << 16
      length = 3
    } else {
      word =
        0x8080_80F0 | scalar >> 18 | (scalar >> 12 & 0x3F) << 8 | (scalar >> 6 & 0x3F) << 16
        | (scalar & 0x3F) << 24
      length = 4
    }
    unsafe target.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt32.self)
    end &+= length
  }

  /// Whether a cell is left out: the second half of the character before it.
  @inline(__always)
  private static func isSkipped(_ cell: GridCell, _ place: Int) -> Bool { cell.isTail && place > 0 }

  // MARK: Layout

  /// Writes the list of clusters: their number, then for each its distance from the one before, its scalars and
  /// whether it is wide.
  private mutating func encodeClusters(_ cells: Span<GridCell>, _ clusters: ClusterTable) {
    var list: [UInt8] = []
    var count = 0
    var number = 0
    var last = 0
    for place in cells.indices {
      let cell = cells[place]
      if Self.isSkipped(cell, place) { continue }
      if cell.isCluster {
        LineLayout.appendNumber(number - last, to: &list)
        let scalars = clusters[cell.payload].count
        list.append(UInt8(truncatingIfNeeded: scalars) << 1 | (cell.isWide ? 1 : 0))
        last = number
        count += 1
      }
      number += 1
    }
    var all: [UInt8] = []
    LineLayout.appendNumber(count, to: &all)
    all += list
    Self.reserve(all.count, &layoutMemory)
    for (place, byte) in all.enumerated() { layoutMemory[place] = byte }
    layoutEnd = all.count
  }

  /// Writes the style runs after the clusters; lengths count characters.
  private mutating func encodeStyles(
    _ cells: Span<GridCell>,
    _ styles: StyleTable,
    hasTails: Bool
  ) {
    growLayout(by: cells.count * LineLayout.longestRun)
    let start = layoutEnd
    layoutEnd = unsafe layoutMemory.withUnsafeMutableBufferPointer { memory in
      guard let target = memory.baseAddress else { return start }
      var end = start
      var previous = PackedStyle.plain
      var place = 0
      while place < cells.count {
        let style = unsafe cells[unchecked: place].style
        var length = 1
        place &+= 1
        while place < cells.count {
          let cell = unsafe cells[unchecked: place]
          if hasTails, cell.isTail {
            place &+= 1
            continue
          }
          if cell.style != style { break }
          length &+= 1
          place &+= 1
        }
        let packed = styles[style]
        end &+= unsafe LineLayout.writeRun(
          packed,
          after: previous,
          length: length,
          to: target + end
        )
        previous = packed
      }
      return end
    }
  }

  private mutating func growLayout(by count: Int) {
    guard layoutMemory.count < layoutEnd + count else { return }
    layoutMemory += [UInt8](repeating: 0, count: layoutEnd + count - layoutMemory.count)
  }
}
