import TermindUnicode

/// Goes through the characters of one row of scrollback to find the columns of bytes, each row once.
///
/// It may be asked for bytes in any order; ascending order costs least.
@safe struct ColumnWalker {
  private let text: UnsafeRawPointer
  private let layout: UnsafeRawPointer
  private let row: ScrollbackLine
  private let overrides: [UInt32: Int]
  /// The character that was reached: its bytes, its column, its width.
  private var start = 0
  private var end = 0
  private var column = 0
  private var width = 0
  /// How many characters come before the next one, and which of them is the next cluster.
  private var number = 0
  private var place = 0
  private var clustersLeft = 0
  private var nextCluster = -1
  private var clusterHead: UInt8 = 0

  /// Begins at the first character; the memory holds the block of the row, and must stay while this is used.
  @unsafe
  init(_ row: ScrollbackLine, in memory: UnsafeRawPointer, overrides: [UInt32: Int]) {
    unsafe text = memory + Int(row.offset)
    unsafe layout = unsafe memory + Int(row.offset) + Int(row.textBytes)
    self.row = row
    self.overrides = overrides
    begin()
  }

  /// The columns of the character that a byte of the text belongs to.
  mutating func columns(of byte: Int) -> Range<Int> {
    if byte < start { begin() }
    while byte >= end, end < Int(row.textBytes) { advance() }
    return byte < end ? column..<column + width : column + width..<column + width + 1
  }

  private mutating func begin() {
    (start, end, column, width, number, place) = (0, 0, 0, 0, 0, 0)
    clustersLeft = row.flags.contains(.clustered) ? readNumber() : 0
    nextCluster = -1
    readCluster()
  }

  private mutating func advance() {
    column += width
    start = end
    let scalar = readScalar()
    if number == nextCluster {
      var left = Int(clusterHead >> 1) - 1
      while left > 0, end < Int(row.textBytes) {
        _ = readScalar()
        left -= 1
      }
      width = clusterHead & 1 == 1 ? 2 : 1
      readCluster()
    } else {
      width = scalar < 0x80 ? 1 : LineReader.width(scalar, overrides)
    }
    number += 1
  }

  private mutating func readScalar() -> UInt32 {
    let first = unsafe text.load(fromByteOffset: end, as: UInt8.self)
    end += 1
    if first < 0x80 { return UInt32(first) }
    var left = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
    var value = UInt32(first) & (left == 1 ? 0x1F : left == 2 ? 0x0F : 0x07)
    while left > 0, end < Int(row.textBytes) {
      value = unsafe value << 6 | UInt32(text.load(fromByteOffset: end, as: UInt8.self) & 0x3F)
      end += 1
      left -= 1
    }
    return value
  }

  private mutating func readCluster() {
    guard clustersLeft > 0, place < Int(row.layoutBytes) else {
      nextCluster = -1
      return
    }
    nextCluster = max(nextCluster, 0) + readNumber()
    clusterHead =
      unsafe place < Int(row.layoutBytes)
      ? layout.load(fromByteOffset: place, as: UInt8.self) : 0
    place += 1
    clustersLeft -= 1
  }

  private mutating func readNumber() -> Int {
    var value = 0
    var shift = 0
    while place < Int(row.layoutBytes) {
      let byte = unsafe layout.load(fromByteOffset: place, as: UInt8.self)
      place += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return value
  }
}
