/// Keeps what a remote side chose from acting on the outer terminal.
enum ContentFilter {
  /// Longer than any cluster in use; a pile of combining marks is cut here.
  private static let clusterScalarLimit = 32
  static let replacement: UInt32 = 0xFFFD

  /// Whether a scalar may be shown and fills a cell by itself.
  static func standsAlone(_ scalar: UInt32) -> Bool {
    if scalar < 0x300 { return scalar >= 0xA0 && scalar != 0xAD || scalar &- 0x20 < 0x5F }
    return isShowable(scalar) && CellWidth.columns(of: scalar) > 0
  }

  /// Whether a scalar may be sent at all: no control, no surrogate, nothing that turns the text direction.
  static func isShowable(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
    case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB: false
    case 0xD800...0xDFFF, 0x11_0000...: false
    default: true
    }
  }

  /// A cluster that is safe to send and that cannot join the cell before it.
  static func cluster(_ scalars: some Sequence<UInt32>) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in scalars {
      if count == clusterScalarLimit { break }
      let shown = isShowable(scalar) ? scalar : replacement
      if count == 0, shown >= 0x300, CellWidth.columns(of: shown) == 0 {
        // A mark without a base would land on the neighbour.
        result.append(" ")
        count += 1
      }
      if let value = Unicode.Scalar(shown) { result.append(value) }
      count += 1
    }
    return result.isEmpty ? " " : String(result)
  }
}
