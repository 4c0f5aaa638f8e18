/// The keys that come as the characters they type.
enum LegacyKeys {
  /// A printable character; capital letters are their small letter with Shift.
  static func character(_ scalar: UInt32, alt: Bool) -> KeyEvent {
    var key = KeyEvent(code: .character(scalar))
    if let small = smallLetter(of: scalar) {
      key.code = .character(small)
      key.shifted = scalar
      key.modifiers = .shift
    }
    if alt {
      key.modifiers.insert(.alt)
    } else {
      key.text = Unicode.Scalar(scalar).map { String(Character($0)) }
    }
    return key
  }

  /// The small letter of a capital one, `nil` for everything else.
  static func smallLetter(of scalar: UInt32) -> UInt32? {
    if scalar < 0x80 { return scalar >= 0x41 && scalar <= 0x5A ? scalar + 0x20 : nil }
    guard let properties = Unicode.Scalar(scalar)?.properties, properties.isUppercase else {
      return nil
    }
    let small = properties.lowercaseMapping.unicodeScalars
    return small.count == 1 && small.first?.value != scalar ? small.first?.value : nil
  }

  /// The capital letter of a small one, `nil` for everything else.
  static func capitalLetter(of scalar: UInt32) -> UInt32? {
    if scalar < 0x80 { return scalar >= 0x61 && scalar <= 0x7A ? scalar - 0x20 : nil }
    guard let properties = Unicode.Scalar(scalar)?.properties, properties.isLowercase else {
      return nil
    }
    let capital = properties.uppercaseMapping.unicodeScalars
    return capital.count == 1 && capital.first?.value != scalar ? capital.first?.value : nil
  }

  /// A byte below 0x20 or 0x7F.
  static func control(_ byte: UInt8, alt: Bool) -> KeyEvent {
    var key: KeyEvent
    switch byte {
    case 0x00: key = KeyEvent(code: .character(0x20), modifiers: .control)
    case 0x09: key = KeyEvent(code: .tab)
    case 0x0D: key = KeyEvent(code: .enter)
    case 0x1B: key = KeyEvent(code: .escape)
    case 0x7F: key = KeyEvent(code: .backspace)
    case 0x01...0x1A:
      key = KeyEvent(code: .character(UInt32(byte) + 0x60), modifiers: .control)
    default:
      // Ctrl with \ ] ^ _
      key = KeyEvent(code: .character(UInt32(byte) + 0x40), modifiers: .control)
    }
    if alt { key.modifiers.insert(.alt) }
    return key
  }
}
