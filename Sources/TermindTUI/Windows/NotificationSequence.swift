/// A notification of the outer terminal (OSC 9).
enum NotificationSequence {
  /// The bytes that show a text; its control characters are left out.
  static func write(_ text: String) -> [UInt8] {
    let clean = text.unicodeScalars.filter {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
    }
    return Array("\u{1B}]9;\(String(String.UnicodeScalarView(clean)))\u{1B}\\".utf8)
  }
}
