/// Columns of scalars and clusters.
enum CellWidth {
  static func columns(of scalar: UInt32) -> Int {
    if scalar < 0x300 { return scalar == 0xAD ? 0 : 1 }
    guard let value = Unicode.Scalar(scalar) else { return 1 }
    switch value.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar {
    case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF,
      0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return value.properties.isEmojiPresentation ? 2 : 1
    }
  }

  static func columns(of cluster: Character) -> Int {
    var widest = 0
    for scalar in cluster.unicodeScalars {
      if scalar.value == 0xFE0F { return 2 }
      widest = max(widest, columns(of: scalar.value))
    }
    return widest
  }
}
