/// One cell of the grid in eight bytes: scalar or cluster, width bits, protection, style.
///
/// The zero cell is an erased one in the plain style.
struct GridCell: Equatable {
  var bits: UInt64

  static let erased = GridCell(bits: 0)
  static let clusterBit: UInt64 = 1 << 21
  static let wideBit: UInt64 = 1 << 22
  static let tailBit: UInt64 = 1 << 23
  static let protectedBit: UInt64 = 1 << 24
  /// Set on the blank at a row's end that a wide character did not fit into; reflow leaves it out.
  static let fillerBit: UInt64 = 1 << 25
  static let payloadMask: UInt64 = 0x1F_FFFF

  init(bits: UInt64) { self.bits = bits }

  /// A cell of one scalar; `look` holds style and protection bits.
  init(scalar: UInt32, look: UInt64) { bits = UInt64(scalar) | look }

  /// The scalar, or the index of the cluster.
  var payload: UInt32 { UInt32(truncatingIfNeeded: bits & Self.payloadMask) }
  var isCluster: Bool { bits & Self.clusterBit != 0 }
  var isWide: Bool { bits & Self.wideBit != 0 }
  var isTail: Bool { bits & Self.tailBit != 0 }
  var isProtected: Bool { bits & Self.protectedBit != 0 }
  var isFiller: Bool { bits & Self.fillerBit != 0 }
  /// Whether nothing is drawn in the cell.
  var isBlank: Bool { bits & (Self.payloadMask | Self.clusterBit | Self.tailBit) == 0 }
  var style: UInt32 {
    get { UInt32(truncatingIfNeeded: bits >> 32) }
    set { bits = bits & 0xFFFF_FFFF | UInt64(newValue) << 32 }
  }
  /// The bits that a new cell beside this one would share: style and protection.
  var look: UInt64 { bits & (0xFFFF_FFFF << 32 | Self.protectedBit) }
}

/// What a row carries besides its cells.
struct RowInfo: Equatable {
  /// Cells from here on are erased and plain.
  var used: Int32 = 0
  /// Whether the next row continues this one's line.
  var isWrapped = false
  /// Shell-integration marks on the row.
  var marks: RowMarks = []
  /// DECDWL and DECDHL.
  var size = RowSize.single
}

/// The size of a row's characters.
enum RowSize: UInt8 {
  /// As everywhere.
  case single
  /// Two columns wide (DECDWL).
  case doubleWidth
  /// The upper half of characters of double width and height (DECDHL).
  case doubleTop
  /// The lower half of them.
  case doubleBottom
}

/// Shell-integration marks of a row, as bits.
struct RowMarks: OptionSet, Hashable {
  let rawValue: UInt8
  static let prompt = RowMarks(rawValue: 1)
  static let command = RowMarks(rawValue: 2)
  static let output = RowMarks(rawValue: 4)
  static let end = RowMarks(rawValue: 8)
}
