import TermindUnicode

extension Grid {
  /// Writes printable ASCII from `first` on, at most `limit` bytes, and says how many.
  ///
  /// Stops before the first byte that is not printable ASCII. Eight bytes are tested at a time with plain
  /// integer arithmetic, which is several times faster here than SIMD comparisons on baseline x86-64.
  @inline(__always)
  mutating func writeASCII(
    _ source: RawSpan,
    from first: Int,
    limit: Int,
    row: Int,
    column: Int,
    look: UInt64
  ) -> Int {
    let columns = columns
    let start = base(row) + column
    let room = min(limit, source.byteCount - first)
    precondition(first >= 0 && column >= 0 && room > 0)
    precondition(column + room <= columns && start + room <= cells.count)
    var target = cells.mutableSpan
    if column > 0, unsafe target[unchecked: start].isTail { Self.blank(&target, start - 1) }
    var written = 0
    var isOpen = true
    while isOpen, room &- written >= 8 {
      let word = unsafe UInt64(
        littleEndian: source.unsafeLoadUnaligned(
          fromByteOffset: first &+ written,
          as: UInt64.self
        )
      )
      let odd = Self.unprintable(word)
      let place = start &+ written
      if odd == 0 {
        unsafe Self.put(word, 8, look, &target, place)
        written &+= 8
      } else {
        // Carries reach only bytes above an odd one, so the lowest is certain.
        let count = odd.trailingZeroBitCount &>> 3
        unsafe Self.put(word, count, look, &target, place)
        written &+= count
        isOpen = false
      }
    }
    while isOpen, written < room {
      let byte = unsafe source.unsafeLoad(fromByteOffset: first &+ written, as: UInt8.self)
      if byte < 0x20 || byte >= 0x7F { break }
      unsafe target[unchecked: start &+ written] = GridCell(bits: UInt64(byte) | look)
      written &+= 1
    }
    let end = column + written
    if end < columns, target[start + written].isTail { Self.blank(&target, start + written) }
    if written > 0 { markUsed(row, through: end - 1) }
    return written
  }

  /// The top bit of each byte that is no printable ASCII; above the lowest such byte there may be more bits.
  @inline(__always)
  private static func unprintable(_ word: UInt64) -> UInt64 {
    let low = (word &- 0x2020_2020_2020_2020) & ~word
    let flipped = word ^ 0x7F7F_7F7F_7F7F_7F7F
    let delete = (flipped &- 0x0101_0101_0101_0101) & ~flipped
    return (word | low | delete) & 0x8080_8080_8080_8080
  }

  /// Writes the lowest `count` bytes of a word; the cells must be there.
  @unsafe @inline(__always)
  private static func put(
    _ word: UInt64,
    _ count: Int,
    _ look: UInt64,
    _ target: inout MutableSpan<GridCell>,
    _ start: Int
  ) {
    var rest = word
    var place = 0
    while place < count {
      unsafe target[unchecked: start &+ place] = GridCell(bits: rest & 0xFF | look)
      rest &>>= 8
      place &+= 1
    }
  }

  @inline(__always)
  private static func blank(_ cells: inout MutableSpan<GridCell>, _ place: Int) {
    cells[place] = GridCell(bits: cells[place].look)
  }

  /// What `writeStandalone` wrote.
  struct StandaloneText {
    var bytes = 0
    var columns = 0
    /// The last scalar.
    var last: UInt32 = 0
  }

  /// Writes characters in UTF-8 from `first` on that are not ASCII and clusters of their own, while they fit into
  /// `limit` columns.
  ///
  /// Stops at anything else, such as what is not well formed, and before the last three bytes, which may be cut.
  mutating func writeStandalone(
    _ source: RawSpan,
    from first: Int,
    limit: Int,
    row: Int,
    column: Int,
    look: UInt64
  ) -> StandaloneText {
    let columns = columns
    let start = base(row) + column
    precondition(first >= 0 && column >= 0 && limit > 0)
    precondition(column + limit <= columns && start + limit <= cells.count)
    var target = cells.mutableSpan
    let wideLook = look | GridCell.wideBit
    let tail = GridCell(bits: look | GridCell.tailBit)
    let wasTail = unsafe target[unchecked: start].isTail
    var text = StandaloneText()
    let most = source.byteCount &- first &- 4
    while text.bytes <= most, text.columns < limit {
      let word = unsafe UInt32(
        littleEndian: source.unsafeLoadUnaligned(
          fromByteOffset: first &+ text.bytes,
          as: UInt32.self
        )
      )
      guard let (scalar, length) = Self.decode(word) else { break }
      let width = CharacterWidth.standaloneColumns(of: scalar)
      let place = start &+ text.columns
      if width == 2 {
        guard text.columns &+ 2 <= limit else { break }
        unsafe target[unchecked: place] = GridCell(bits: UInt64(scalar) | wideLook)
        unsafe target[unchecked: place &+ 1] = tail
      } else {
        guard width == 1 else { break }
        unsafe target[unchecked: place] = GridCell(bits: UInt64(scalar) | look)
      }
      text.columns &+= width
      text.bytes &+= length
      text.last = scalar
    }
    guard text.columns > 0 else { return text }
    if column > 0, wasTail { Self.blank(&target, start - 1) }
    let end = column + text.columns
    if end < columns, target[start + text.columns].isTail {
      Self.blank(&target, start + text.columns)
    }
    markUsed(row, through: end - 1)
    return text
  }

  /// The scalar from U+00A0 on whose UTF-8 stands in the lowest bytes of a word, and how many bytes it takes.; nil for
  /// all else, such as what is not well formed.
  @inline(__always)
  private static func decode(_ word: UInt32) -> (scalar: UInt32, length: Int)? {
    if word & 0x00C0_C0F0 == 0x0080_80E0 {
      let scalar = (word & 0x0F) &<< 12 | (word &>> 8 & 0x3F) &<< 6 | (word &>> 16 & 0x3F)
      return scalar >= 0x800 && scalar & 0xF800 != 0xD800 ? (scalar, 3) : nil
    }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      let scalar =
        (word & 0x07) &<< 18 | (word &>> 8 & 0x3F) &<< 12 | (word &>> 16 & 0x3F) &<< 6
        | (word &>> 24 & 0x3F)
      return scalar >= 0x10000 ? (scalar, 4) : nil
    }
    guard word & 0xC0E0 == 0x80C0 else { return nil }
    let scalar = (word & 0x1F) &<< 6 | (word &>> 8 & 0x3F)
    return scalar >= 0xA0 ? (scalar, 2) : nil
  }
}
