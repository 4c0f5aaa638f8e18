extension Terminal {
  /// Encodes a key as the program asked for keys; empty when the program hears nothing of it.
  public func encode(_ key: TerminalKey) -> [UInt8] {
    KeyEncoder(modes: keyModes).encode(key)
  }

  /// Encodes a mouse action as the program asked for them.
  ///
  /// - Parameter mouse: What happened, in cells of this terminal.
  /// - Returns: The report, empty for motion that was reported already; nil when the action is not the
  ///   program's, so that the owner may use it.
  public func encode(_ mouse: TerminalMouse) -> [UInt8]? {
    mouseEncoder.encode(mouse, modes: mouseModes)
  }

  /// Encodes a paste: framed when the program asked for that, cleaned of what could break out of it.
  ///
  /// - Parameter text: The pasted bytes.
  /// - Returns: Pieces to send in order, none of which cuts a character.
  public func encodePaste(_ text: [UInt8]) -> [[UInt8]] {
    PasteEncoder.chunks(text, isBracketed: modes.bracketedPaste)
  }

  /// Encodes a change of the focus; empty when the program did not ask for it.
  public func encodeFocus(_ hasFocus: Bool) -> [UInt8] {
    modes.focusReports ? [0x1B, 0x5B, hasFocus ? 0x49 : 0x4F] : []
  }

  private var keyModes: KeyEncodingModes {
    let modes = modes
    var made = KeyEncodingModes()
    made.applicationCursorKeys = modes.applicationCursorKeys
    made.applicationKeypad = modes.applicationKeypad
    made.backspaceSendsBS = modes.backspaceSendsBS
    made.newLine = modes.newLine
    made.altSendsEscape = modes.altSendsEscape
    made.modifyOtherKeys = modes.modifyOtherKeys
    made.formatOtherKeys = modes.formatOtherKeys
    made.kittyFlags = KittyKeyboardFlags(rawValue: UInt8(clamping: modes.kittyKeyboardFlags))
    return made
  }

  /// Both sides count tracking and forms in the same order.
  private var mouseModes: MouseModes {
    let modes = modes
    var made = MouseModes()
    made.tracking = MouseModes.Tracking(rawValue: modes.mouseTracking.rawValue) ?? .off
    made.encoding = MouseModes.Encoding(rawValue: modes.mouseEncoding.rawValue) ?? .legacy
    made.alternateScroll = modes.alternateScroll
    made.isAlternateScreen = modes.isAlternateScreen
    made.applicationCursorKeys = modes.applicationCursorKeys
    made.rows = size.rows
    made.columns = size.columns
    return made
  }
}
