import FoundationEssentials

/// OSC 52, by which a terminal is given a text for its clipboard.
enum ClipboardSequence {
  /// The sequence that puts bytes into the clipboard.
  static func write(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}]52;c;\(Data(bytes).base64EncodedString())\u{1B}\\".utf8)
  }
}
