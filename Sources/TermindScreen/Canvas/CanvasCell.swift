/// One cell in eight bytes.
///
/// Bits 0 to 23 hold a scalar or a place in the cluster table, bit 24 says which, bits 25 and 26 the width
/// (0 marks the right half of a wide cell), and the upper 32 bits the style.
struct CanvasCell: Hashable, Sendable {
  var bits: UInt64

  static let clusterBit: UInt64 = 1 << 24
  private static let contentMask: UInt64 = 0xFF_FFFF

  init(bits: UInt64) { self.bits = bits }

  init(scalar: UInt32, width: Int, style: UInt32) {
    bits = UInt64(style) << 32 | UInt64(truncatingIfNeeded: width) << 25 | UInt64(scalar)
  }

  init(cluster: UInt32, width: Int, style: UInt32) {
    bits =
      UInt64(style) << 32 | UInt64(truncatingIfNeeded: width) << 25 | Self.clusterBit
      | UInt64(cluster)
  }

  static func blank(_ style: UInt32) -> CanvasCell {
    CanvasCell(scalar: 0x20, width: 1, style: style)
  }

  /// The right half of a wide cell.
  static func trailing(_ style: UInt32) -> CanvasCell {
    CanvasCell(scalar: 0, width: 0, style: style)
  }

  var content: UInt32 { UInt32(truncatingIfNeeded: bits & Self.contentMask) }
  var isCluster: Bool { bits & Self.clusterBit != 0 }
  var width: Int { Int(truncatingIfNeeded: bits >> 25 & 3) }
  var style: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
  var isTrailing: Bool { bits & (3 << 25) == 0 }
  var isWide: Bool { bits & (2 << 25) != 0 }
  /// A space, whatever its style.
  var isBlank: Bool { UInt32(truncatingIfNeeded: bits) == 0x20 | 1 << 25 }

  /// One column of ASCII.
  var isASCII: Bool { bits & 0x07FF_FF80 == 1 << 25 }

  func restyled(_ style: UInt32) -> CanvasCell {
    CanvasCell(bits: bits & 0xFFFF_FFFF | UInt64(style) << 32)
  }
}

extension CanvasCell {
  /// Equal to no cell of a canvas.
  static let unknown = CanvasCell(bits: .max)
}
