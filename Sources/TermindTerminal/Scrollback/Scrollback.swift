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
  /// The number of the row that leaves the screen next; rows are numbered as they leave, from 0.
  private(set) var end: UInt64 = 0
  /// Grows when rows were taken away at the end, or all at once: numbers then stand for other rows.
  private(set) var edits: UInt64 = 0
  /// Columns of the reflow line that is open at the end.
  private var openColumns = 0
  private var footprint = 0
  private var encoder = LineEncoder()

  init(limit: Int) { self.limit = limit }

  /// Most bytes kept, whatever the lines hold.
  private var mostBytes: Int { max(16 << 20, limit * 4_096) }

  /// Whether the last line goes on in the row below it.
  var isOpen: Bool { chunks.last?.lines.last?.continues ?? false }

  /// The number of the oldest row that is kept.
  var first: UInt64 { end - UInt64(count) }

  mutating func removeAll() {
    let (end, edits) = (end, edits)
    self = Scrollback(limit: limit)
    self.end = end
    self.edits = edits + 1
  }

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
    end &+= 1
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
    line.flags.formUnion(encoder.encode(cells, bits: all, styles: styles, clusters: clusters))
    encoder.append(line, to: chunk(for: encoder.byteCount))
  }

  private mutating func chunk(for size: Int) -> ScrollbackChunk {
    if let last = chunks.last, last.hasRoom(for: size) { return last }
    let chunk = ScrollbackChunk(capacity: size)
    chunks.append(chunk)
    footprint += chunk.footprint
    return chunk
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
        first.forgetCount()
      }
    }
  }

  /// Takes the newest line away.
  mutating func removeLast() -> (line: ScrollbackLine, chunk: ScrollbackChunk)? {
    while let last = chunks.last {
      if count > 0, let line = last.removeLast() {
        count -= 1
        end &-= 1
        edits &+= 1
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
