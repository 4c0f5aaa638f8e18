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
  private var mostBytes: Int { max(16 << 20, limit * 2_048) }

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
  ///   - cells: Its used cells.
  ///   - info: Its wrap bit and marks.
  ///   - width: The columns of the screen.
  ///   - styles: What the cells' style numbers mean.
  ///   - clusters: What the cells' cluster numbers mean.
  mutating func append(
    _ cells: ArraySlice<GridCell>,
    info: RowInfo,
    width: Int,
    styles: StyleTable,
    clusters: ClusterTable
  ) {
    guard limit > 0 else { return }
    var line = ScrollbackLine(
      offset: 0,
      textBytes: 0,
      layoutBytes: 0,
      columns: 0,
      flags: [],
      marks: info.marks
    )
    var cells = cells
    if info.isWrapped {
      line.flags.insert(.wrapped)
      line.columns = UInt16(width)
      if let last = cells.last, cells.count == width, last.isFiller {
        cells.removeLast()
        line.columns -= 1
      }
    } else {
      while let last = cells.last, last.bits & ~0x20 == 0 { cells.removeLast() }
      line.columns = UInt16(cells.count)
    }
    openColumns += Int(line.columns)
    if !info.isWrapped {
      openColumns = 0
    } else if openColumns >= Self.longestReflowLine {
      line.flags.insert(.reflowEnd)
      openColumns = 0
    }
    store(cells, &line, styles, clusters)
    count += 1
    dropSurplus()
  }

  private mutating func store(
    _ cells: ArraySlice<GridCell>,
    _ line: inout ScrollbackLine,
    _ styles: StyleTable,
    _ clusters: ClusterTable
  ) {
    var all: UInt64 = 0
    for cell in cells { all |= cell.bits }
    let plainMask = ~(0x7F | GridCell.protectedBit)
    if all & plainMask == 0 {
      line.textBytes = UInt32(cells.count)
      chunk(for: cells.count).appendASCII(cells, line)
      return
    }
    encode(cells, &line, styles, clusters)
    let size = scratch.count
    chunk(for: size).append(line, scratch)
  }

  private mutating func chunk(for size: Int) -> ScrollbackChunk {
    if let last = chunks.last, last.hasRoom(for: size), last.lines.count < 2_048 { return last }
    let chunk = ScrollbackChunk(capacity: size)
    chunks.append(chunk)
    footprint += chunk.footprint
    return chunk
  }

  /// Puts text and layout of a row into `scratch`.
  private mutating func encode(
    _ cells: ArraySlice<GridCell>,
    _ line: inout ScrollbackLine,
    _ styles: StyleTable,
    _ clusters: ClusterTable
  ) {
    scratch.removeAll(keepingCapacity: true)
    layout.removeAll(keepingCapacity: true)
    var clusterBytes: [UInt8] = []
    var clusterCount = 0
    var number = 0
    var lastCluster = 0
    var style: UInt32 = 0
    var packed = PackedStyle.plain
    var previous = PackedStyle.plain
    var run = 0
    for cell in cells {
      if cell.isTail, number > 0 { continue }
      if cell.style != style {
        if run > 0 { LineLayout.appendRun(packed, after: previous, length: run, to: &layout) }
        if run > 0 { previous = packed }
        style = cell.style
        packed = styles[style]
        run = 0
      }
      run += 1
      if cell.isWide { line.flags.insert(.wide) }
      if cell.isCluster {
        let scalars = clusters[cell.payload]
        for scalar in scalars { Self.appendUTF8(scalar, to: &scratch) }
        LineLayout.appendNumber(number - lastCluster, to: &clusterBytes)
        clusterBytes.append(UInt8(truncatingIfNeeded: scalars.count) << 1 | (cell.isWide ? 1 : 0))
        lastCluster = number
        clusterCount += 1
      } else {
        Self.appendUTF8(cell.payload == 0 ? 0x20 : cell.payload, to: &scratch)
      }
      number += 1
    }
    if packed != .plain || !layout.isEmpty {
      LineLayout.appendRun(packed, after: previous, length: run, to: &layout)
      line.flags.insert(.styled)
    }
    if scratch.count != number || clusterCount > 0 { line.flags.insert(.encoded) }
    line.textBytes = UInt32(scratch.count)
    if clusterCount > 0 {
      line.flags.insert(.clustered)
      LineLayout.appendNumber(clusterCount, to: &scratch)
      scratch += clusterBytes
    }
    scratch += layout
    line.layoutBytes = UInt32(scratch.count) - line.textBytes
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
