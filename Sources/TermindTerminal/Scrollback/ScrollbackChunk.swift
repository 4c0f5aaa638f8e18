/// One row as it left the screen: where its bytes stand in its chunk, and what they are.
struct ScrollbackLine {
  /// First byte of the text in the chunk; the layout bytes follow the text.
  var offset: UInt32
  /// Bytes of UTF-8 text.
  var textBytes: UInt32
  /// Bytes of layout after the text: style runs, clusters.
  var layoutBytes: UInt32
  /// Columns that the text takes.
  var columns: UInt16
  var flags: Flags
  var marks: RowMarks

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The next row continues this one's line.
    static let wrapped = Flags(rawValue: 1)
    /// The text has bytes beyond ASCII.
    static let encoded = Flags(rawValue: 2)
    /// Some characters take two columns.
    static let wide = Flags(rawValue: 4)
    /// There are style runs.
    static let styled = Flags(rawValue: 8)
    /// There is a list of clusters.
    static let clustered = Flags(rawValue: 16)
    /// Reflow begins a new line after this row although it is wrapped: lines have a longest length there.
    static let reflowEnd = Flags(rawValue: 32)
  }

  var isWrapped: Bool { flags.contains(.wrapped) }
  /// Whether the next row belongs to the same line for reflow.
  var continues: Bool { flags.contains(.wrapped) && !flags.contains(.reflowEnd) }
}

/// A stretch of scrollback rows with one block of bytes.
@safe final class ScrollbackChunk {
  /// Large enough that the C library maps each chunk on its own, so that none leaves holes.
  static let usualCapacity = 262_144
  /// Most lines of a chunk.
  private static let mostLines = 8_192

  /// What the chunk holds.
  struct Content {
    /// As many bytes as the chunk can hold; those from `end` on are free.
    fileprivate var bytes: [UInt8]
    fileprivate var end = 0
    fileprivate(set) var lines: [ScrollbackLine] = []

    /// Rows of the lines that end in this chunk, for the width `countedWidth`.
    var countedRows = 0
    var countedWidth = 0
    /// Whether `countedRows` is exact and not an estimate.
    var isCountExact = false
  }

  /// Behind a pointer and not plain properties: the run-time checks of exclusive access to these, several for
  /// each line, took a seventh of the time of plain text.
  private let storage: UnsafeMutablePointer<Content>

  private(set) var content: Content {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(storage) }
    @inline(__always) unsafeMutableAddress { unsafe storage }
  }

  init(capacity: Int) {
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(
      to: Content(bytes: [UInt8](repeating: 0, count: max(capacity, Self.usualCapacity)))
    )
  }

  deinit {
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
  }

  var lines: [ScrollbackLine] { content.lines }

  // MARK: Counting rows

  /// Rows of the lines that end in this chunk at a width; nil when they must be counted again.
  func countedRows(width: Int, exactly: Bool) -> Int? {
    guard content.countedWidth == width, content.isCountExact || !exactly else { return nil }
    return content.countedRows
  }

  func setCountedRows(_ rows: Int, width: Int, isExact: Bool) {
    content.countedRows = rows
    content.countedWidth = width
    content.isCountExact = isExact
  }

  /// Forgets the rows that were counted.
  func forgetCount() { content.countedWidth = 0 }

  // MARK: Lines

  /// Whether one more line of so many bytes fits.
  func hasRoom(for count: Int) -> Bool {
    content.end + count <= content.bytes.count && content.lines.count < Self.mostLines
  }

  /// Bytes that the chunk holds on to.
  var footprint: Int { content.bytes.count + 1_024 * MemoryLayout<ScrollbackLine>.stride }

  /// Appends a line with its text and layout; there must be room for them.
  func append(_ line: ScrollbackLine, text: Span<UInt8>, layout: Span<UInt8>) {
    content.append(line, text: text, layout: layout)
  }

  /// Appends a line of plain ASCII cells; there must be room for them.
  func appendASCII(_ cells: Span<GridCell>, _ line: ScrollbackLine) {
    content.appendASCII(cells, line)
  }

  func removeLast() -> ScrollbackLine? {
    guard let line = content.lines.popLast() else { return nil }
    forgetCount()
    return line
  }

  /// Forgets the bytes of lines that were removed at the end.
  func trimBytes() {
    content.end = content.lines.last.map { Int($0.offset + $0.textBytes + $0.layoutBytes) } ?? 0
  }

  /// The bytes and the lines as they are now; what is appended later does not change them.
  func snapshot() -> (bytes: [UInt8], lines: [ScrollbackLine]) { (content.bytes, content.lines) }

  func content(_ line: ScrollbackLine) -> (text: ArraySlice<UInt8>, layout: ArraySlice<UInt8>) {
    let start = Int(line.offset)
    let middle = start + Int(line.textBytes)
    let end = middle + Int(line.layoutBytes)
    return (content.bytes[start..<middle], content.bytes[middle..<end])
  }
}

extension ScrollbackChunk.Content {
  fileprivate mutating func append(
    _ line: ScrollbackLine,
    text: Span<UInt8>,
    layout: Span<UInt8>
  ) {
    var line = line
    line.offset = UInt32(end)
    copy(text)
    copy(layout)
    lines.append(line)
    countedWidth = 0
  }

  private mutating func copy(_ source: Span<UInt8>) {
    precondition(end + source.count <= bytes.count)
    let start = end
    var target = bytes.mutableSpan
    for place in source.indices {
      unsafe target[unchecked: start &+ place] = source[unchecked: place]
    }
    end += source.count
  }

  fileprivate mutating func appendASCII(_ cells: Span<GridCell>, _ line: ScrollbackLine) {
    precondition(end + cells.count <= bytes.count)
    var line = line
    let start = end
    line.offset = UInt32(start)
    var target = bytes.mutableSpan
    for place in cells.indices {
      let byte = unsafe UInt8(truncatingIfNeeded: cells[unchecked: place].bits)
      unsafe target[unchecked: start &+ place] = byte == 0 ? 0x20 : byte
    }
    end += cells.count
    lines.append(line)
    countedWidth = 0
  }
}
