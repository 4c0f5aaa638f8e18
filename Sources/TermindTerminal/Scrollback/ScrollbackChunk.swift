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
final class ScrollbackChunk {
  static let usualCapacity = 65_536

  private(set) var bytes: [UInt8] = []
  private(set) var lines: [ScrollbackLine] = []
  private let capacity: Int

  /// Rows of the lines that end in this chunk, for the width `countedWidth`.
  var countedRows = 0
  var countedWidth = 0
  /// Whether `countedRows` is exact and not an estimate.
  var isCountExact = false

  init(capacity: Int) {
    self.capacity = max(capacity, Self.usualCapacity)
    bytes.reserveCapacity(self.capacity)
  }

  func hasRoom(for count: Int) -> Bool { bytes.count + count <= capacity }

  /// Bytes that the chunk holds on to.
  var footprint: Int { capacity + lines.capacity * MemoryLayout<ScrollbackLine>.stride }

  /// Appends a line whose text and layout are the given bytes.
  func append(_ line: ScrollbackLine, _ content: [UInt8]) {
    var line = line
    line.offset = UInt32(bytes.count)
    bytes += content
    lines.append(line)
    countedWidth = 0
  }

  /// Appends a line of plain ASCII cells.
  func appendASCII(_ cells: ArraySlice<GridCell>, _ line: ScrollbackLine) {
    var line = line
    line.offset = UInt32(bytes.count)
    for cell in cells {
      let byte = UInt8(truncatingIfNeeded: cell.bits)
      bytes.append(byte == 0 ? 0x20 : byte)
    }
    lines.append(line)
    countedWidth = 0
  }

  func removeLast() -> ScrollbackLine? {
    guard let line = lines.popLast() else { return nil }
    countedWidth = 0
    return line
  }

  /// Forgets the bytes of lines that were removed at the end.
  func trimBytes() {
    let end = lines.last.map { Int($0.offset + $0.textBytes + $0.layoutBytes) } ?? 0
    bytes.removeLast(bytes.count - end)
  }

  func content(_ line: ScrollbackLine) -> (text: ArraySlice<UInt8>, layout: ArraySlice<UInt8>) {
    let start = Int(line.offset)
    let middle = start + Int(line.textBytes)
    return (bytes[start..<middle], bytes[middle..<middle + Int(line.layoutBytes)])
  }
}
