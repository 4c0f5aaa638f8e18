/// Visible stand-ins for what must not be drawn as it is.
extension DisplayText.Item {
  /// A stand-in with a note in angle brackets.
  static func standIn(_ note: String) -> Self {
    Self(text: "⟨\(note)⟩", columns: note.utf8.count + 2, isEscape: true)
  }

  /// The stand-in for a scalar, or nothing for one that may be drawn.
  static func standIn(for scalar: UInt32) -> Self? {
    if scalar >= 0x20, scalar < 0x7F { return nil }
    if scalar < 0x20 { return picture(0x2400 + scalar) }
    if scalar == 0x7F { return picture(0x2421) }
    return isUnseen(scalar) ? standIn(hexadecimal(scalar, digits: 4)) : nil
  }

  private static func picture(_ scalar: UInt32) -> Self {
    let text = Unicode.Scalar(scalar).map { String(Character($0)) } ?? "\u{FFFD}"
    return Self(text: text, columns: 1, isEscape: true)
  }

  /// C1 controls, direction controls, invisible characters that join nothing, and noncharacters.
  private static func isUnseen(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x80...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F: return true
    case 0x2028...0x202E, 0x2060...0x206F: return true
    case 0x3164, 0xFFA0: return true
    case 0xFDD0...0xFDEF, 0xFEFF, 0xFFF0...0xFFFB: return true
    default: return scalar & 0xFFFE == 0xFFFE
    }
  }
}

/// A number in upper-case hexadecimal digits, at least `digits` of them.
func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
