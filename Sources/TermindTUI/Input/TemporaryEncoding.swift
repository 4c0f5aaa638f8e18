import TermindTerminal

// Stands in until TermindTerminal has these.
extension Terminal {
  nonisolated func encode(_ key: TerminalKey) -> [UInt8] {
    var made = KeyEncodingModes()
    made.applicationCursorKeys = modes.applicationCursorKeys
    made.applicationKeypad = modes.applicationKeypad
    made.kittyFlags = KittyKeyboardFlags(rawValue: UInt8(modes.kittyKeyboardFlags))
    return KeyEncoder(modes: made).encode(key)
  }
  nonisolated func encode(_ mouse: TerminalMouse) -> [UInt8]? {
    var encoder = MouseEncoder()
    var made = MouseModes()
    made.tracking = MouseModes.Tracking(rawValue: modes.mouseTracking.rawValue) ?? .off
    made.encoding = MouseModes.Encoding(rawValue: modes.mouseEncoding.rawValue) ?? .sgr
    return encoder.encode(mouse, modes: made)
  }
  nonisolated func encodePaste(_ bytes: [UInt8]) -> [[UInt8]] {
    PasteEncoder.chunks(bytes, isBracketed: modes.bracketedPaste)
  }
  nonisolated func encodeFocus(_ on: Bool) -> [UInt8] { Array((on ? "\u{1B}[I" : "\u{1B}[O").utf8) }
  nonisolated func clearScrollback() {}
  nonisolated func reset() {}
  nonisolated var isBlank: Bool { scrollbackRows == 0 }
}
