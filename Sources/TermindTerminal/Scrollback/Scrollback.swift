/// The rows above the screen: UTF-8 text and style runs in chunks, never cells.
struct Scrollback {
  /// Longest line for reflow, in columns; longer ones are cut there, so no lookup walks far.
  static let longestReflowLine = 65_536

  private(set) var limit: Int
  private(set) var chunks: [ScrollbackChunk] = []
  /// Lines at the front of the first chunk that are past the limit.
  private(set) var dropped = 0
  /// Lines that are kept.
  private(set) var count = 0
  /// Columns of the reflow line that is open at the end.
  private var openColumns = 0
  private var footprint = 0
  private var scratch: [UInt8] = []
  private var layout: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Most bytes kept, whatever the lines hold.
  private var mostBytes: Int { max(16 << 20, limit * 4_096) }

  /// Whether the last line goes on in the row below it.
  var isOpen: Bool { chunks.last?.lines.last?.continues ?? false }

  mutating func removeAll() { self = Scrollback(limit: limit) }

  mutating func setLimit(_ limit: Int) {
    self.limit = limit
    if limit == 0 { removeAll() } else { dropSurplus() }
  }

  // MARK: Appending

  /// Appends a row of the screen.
  ///
  /// - Parameters:
  ///   - all: Cells that hold its own.
  ///   - range: Where its used cells stand.
  ///   - info: Its wrap bit and marks.
  ///   - width: The columns of the screen; nil when a wrapped row's cells are exactly its part of the line.
  ///   - styles: What the cells' style numbers mean.
  ///   - clusters: What the cells' cluster numbers mean.
  mutating func append(
    _ all: [GridCell],
    _ range: Range<Int>,
    info: RowInfo,
    width: Int?,
    styles: StyleTable,
    clusters: ClusterTable
  ) {
    guard limit > 0 else { return }
    let cells = all.span.extracting(range)
    var line = ScrollbackLine(
      offset: 0,
      textBytes: 0,
      layoutBytes: 0,
      columns: 0,
      flags: [],
      marks: info.marks
    )
    var length = cells.count
    if info.isWrapped {
      line.flags.insert(.wrapped)
      line.columns = UInt16(width ?? length)
      if let width, length == width, length > 0 {
        if cells[length - 1].isFiller {
          length -= 1
          line.columns -= 1
        } else if cells[length - 1].isWide {
          // A screen of one column shows no second half, but the character has one.
          line.columns += 1
        }
      }
    } else {
      while length > 0, cells[length - 1].bits & ~0x20 == 0 { length -= 1 }
      line.columns = UInt16(length)
      if length > 0, cells[length - 1].isWide { line.columns += 1 }
    }
    openColumns += Int(line.columns)
    if !info.isWrapped {
      openColumns = 0
    } else if openColumns >= Self.longestReflowLine {
      line.flags.insert(.reflowEnd)
      openColumns = 0
    }
    store(cells.extracting(0..<length), &line, styles, clusters)
    count += 1
    dropSurplus()
  }

  private mutating func store(
    _ cells: Span<GridCell>,
    _ line: inout ScrollbackLine,
    _ styles: StyleTable,
    _ clusters: ClusterTable
  ) {
    var all: UInt64 = 0
    for place in cells.indices { unsafe all |= cells[unchecked: place].bits }
    if all & ~(0x7F | GridCell.protectedBit) == 0 {
      line.textBytes = UInt32(cells.count)
      chunk(for: cells.count).appendASCII(cells, line)
      return
    }
    layout.removeAll(keepingCapacity: true)
    if all & GridCell.wideBit != 0 { line.flags.insert(.wide) }
    if all & GridCell.clusterBit != 0 {
      encodeClusters(cells, clusters)
      line.flags.insert(.clustered)
    }
    if all >> 32 != 0 {
      encodeStyles(cells, styles)
      line.flags.insert(.styled)
    }
    let textBytes: Int
    if all & GridCell.clusterBit != 0 {
      textBytes = encodeClusteredText(cells, clusters)
    } else {
      textBytes = encodeText(cells)
    }
    if all & (GridCell.payloadMask & ~0x7F | GridCell.clusterBit | GridCell.wideBit) != 0 {
      line.flags.insert(.encoded)
    }
    line.textBytes = UInt32(textBytes)
    line.layoutBytes = UInt32(layout.count)
    let chunk = chunk(for: textBytes + layout.count)
    chunk.append(line, text: scratch.span.extracting(0..<textBytes), layout: layout.span)
  }

  private mutating func chunk(for size: Int) -> ScrollbackChunk {
    if let last = chunks.last, last.hasRoom(for: size), last.lines.count < 8_192 { return last }
    let chunk = ScrollbackChunk(capacity: size)
    chunks.append(chunk)
    footprint += chunk.footprint
    return chunk
  }

  // MARK: Encoding

  /// Whether a cell is left out: the second half of the character before it.
  @inline(__always)
  private static func isSkipped(_ cell: GridCell, _ place: Int) -> Bool { cell.isTail && place > 0 }

  /// Puts the text of cells without clusters into `scratch`, and says how many bytes.
  private mutating func encodeText(_ cells: Span<GridCell>) -> Int {
    let needed = cells.count * 4
    if scratch.count < needed { scratch = [UInt8](repeating: 0, count: needed) }
    var target = scratch.mutableSpan
    precondition(target.count >= needed)
    var end = 0
    for place in cells.indices {
      let cell = unsafe cells[unchecked: place]
      let scalar = cell.payload
      if scalar < 0x80 {
        if Self.isSkipped(cell, place) { continue }
        unsafe target[unchecked: end] = scalar == 0 ? 0x20 : UInt8(truncatingIfNeeded: scalar)
        end &+= 1
      } else if scalar < 0x800 {
        unsafe target[unchecked: end] = 0xC0 | UInt8(truncatingIfNeeded: scalar >> 6)
        unsafe target[unchecked: end &+ 1] = 0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F)
        end &+= 2
      } else if scalar < 0x1_0000 {
        unsafe target[unchecked: end] = 0xE0 | UInt8(truncatingIfNeeded: scalar >> 12)
        unsafe target[unchecked: end &+ 1] = 0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F)
        unsafe target[unchecked: end &+ 2] = 0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F)
        end &+= 3
      } else {
        unsafe target[unchecked: end] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18)
        unsafe target[unchecked: end &+ 1] = 0x80 | UInt8(truncatingIfNeeded: scalar >> 12 & 0x3F)
        unsafe target[unchecked: end &+ 2] = 0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F)
        unsafe target[unchecked: end &+ 3] = 0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F)
        end &+= 4
      }
    }
    return end
  }

  /// Puts the text of any cells into `scratch`, and says how many bytes.
  private mutating func encodeClusteredText(
    _ cells: Span<GridCell>,
    _ clusters: ClusterTable
  ) -> Int {
    scratch.removeAll(keepingCapacity: true)
    for place in cells.indices {
      let cell = cells[place]
      if Self.isSkipped(cell, place) { continue }
      if cell.isCluster {
        for scalar in clusters[cell.payload] { Self.appendUTF8(scalar, to: &scratch) }
      } else {
        Self.appendUTF8(cell.payload == 0 ? 0x20 : cell.payload, to: &scratch)
      }
    }
    return scratch.count
  }

  /// Appends the list of clusters to the layout: their number, then for each its distance from the one before,
  /// its scalars and whether it is wide.
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
    LineLayout.appendNumber(count, to: &layout)
    layout += list
  }

  /// Appends the style runs to the layout; lengths count characters.
  private mutating func encodeStyles(_ cells: Span<GridCell>, _ styles: StyleTable) {
    var style: UInt32 = 0
    var packed = PackedStyle.plain
    var previous = PackedStyle.plain
    var run = 0
    for place in cells.indices {
      let cell = unsafe cells[unchecked: place]
      if Self.isSkipped(cell, place) { continue }
      if cell.style != style {
        if run > 0 {
          LineLayout.appendRun(packed, after: previous, length: run, to: &layout)
          previous = packed
        }
        style = cell.style
        packed = styles[style]
        run = 0
      }
      run += 1
    }
    LineLayout.appendRun(packed, after: previous, length: run, to: &layout)
  }

  static func appendUTF8(_ scalar: UInt32, to bytes: inout [UInt8]) {
    if scalar < 0x80 {
      bytes.append(UInt8(scalar))
    } else if scalar < 0x800 {
      bytes.append(0xC0 | UInt8(scalar >> 6))
      bytes.append(0x80 | UInt8(scalar & 0x3F))
    } else if scalar < 0x1_0000 {
      bytes.append(0xE0 | UInt8(scalar >> 12))
      bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      bytes.append(0x80 | UInt8(scalar & 0x3F))
    } else {
      bytes.append(0xF0 | UInt8(scalar >> 18))
      bytes.append(0x80 | UInt8(scalar >> 12 & 0x3F))
      bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      bytes.append(0x80 | UInt8(scalar & 0x3F))
    }
  }

  // MARK: Dropping

  private mutating func dropSurplus() {
    while count > limit || (footprint > mostBytes && chunks.count > 1) {
      guard let first = chunks.first else { return }
      if count - limit >= first.lines.count - dropped || footprint > mostBytes {
        count -= first.lines.count - dropped
        dropped = 0
        footprint -= first.footprint
        chunks.removeFirst()
      } else {
        dropped += count - limit
        count = limit
        first.countedWidth = 0
      }
    }
  }

  /// Takes the newest line away.
  mutating func removeLast() -> (line: ScrollbackLine, chunk: ScrollbackChunk)? {
    while let last = chunks.last {
      if count > 0, let line = last.removeLast() {
        count -= 1
        openColumns = 0
        return (line, last)
      }
      footprint -= last.footprint
      chunks.removeLast()
      if chunks.isEmpty { dropped = 0 }
    }
    return nil
  }
}
