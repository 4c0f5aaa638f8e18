/// Which characters every terminal gives the same number of columns.
///
/// Terminals follow different versions of Unicode, and differ on emoji, on marks and on scripts that join
/// letters. After such a character only an absolute move is sure to land where it should.
enum WidthCertainty {
  static func isCertain(_ scalar: UInt32) -> Bool {
    // Terminals show the soft hyphen as a hyphen or not at all.
    if scalar < 0x300 { return scalar != 0xAD }
    switch scalar {
    // Greek, Cyrillic without its marks, Armenian capitals; Latin and Greek extended.
    case 0x370..<0x483, 0x48A..<0x559, 0x1E00..<0x2000: return true
    // Dashes and quotes, currency, letterlike signs and numbers, arrows, mathematics.
    case 0x2010..<0x2028, 0x2030..<0x203C, 0x20A0..<0x20C0: return true
    case 0x203C..<0x2049, 0x204A..<0x205F, 0x2100..<0x231A: return !isEmoji(scalar)
    // Technical signs, boxes, blocks, shapes, signs and dingbats, braille.
    case 0x231C..<0x2329, 0x232B..<0x23E9, 0x23F4..<0x2440: return !isEmoji(scalar)
    case 0x2500..<0x25FD, 0x25FF..<0x2630, 0x2638..<0x268A, 0x2690..<0x2C00:
      return !isEmoji(scalar)
    // Ideographs, kana, syllables and full-width forms are two columns everywhere.
    case 0x2E80..<0x302A, 0x3030..<0x303F, 0x3041..<0x3097, 0x309B..<0x3248: return true
    case 0x3250..<0x4DC0, 0x4E00..<0xA48D, 0xAC00..<0xD7A4, 0xF900..<0xFAFF: return true
    case 0xFF01..<0xFF9E, 0xFFE0..<0xFFE7, 0xFFFD: return true
    case 0x2_0000..<0x3_FFFE: return true
    default: return false
    }
  }

  private static func isEmoji(_ scalar: UInt32) -> Bool {
    Unicode.Scalar(scalar)?.properties.isEmoji ?? true
  }
}
