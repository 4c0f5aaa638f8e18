/// xterm's modifyOtherKeys: modified keys that would lose their modifiers become escape sequences.
extension KeyEncoder {
  /// The sequence of a key that the level covers; nothing when the usual bytes are right.
  func modifiedOther(_ key: TerminalKey) -> [UInt8]? {
    guard !key.held.isEmpty else { return nil }
    let everything = modes.modifyOtherKeys >= 2
    switch key.code {
    case .character(let code): return modifiedCharacter(code, key)
    case .enter:
      return everything || !onlyAlt(key) ? sequence(13, key) : nil
    case .tab:
      return key.held == .shift || onlyAlt(key) && !everything ? nil : sequence(9, key)
    case .escape: return everything ? sequence(27, key) : nil
    case .backspace:
      return everything && key.held != .control ? sequence(UInt32(backspaceByte(key)), key) : nil
    default: return nil
    }
  }

  /// Shift alone only chooses another character, so it sends that; Shift-Space has no other one.
  private func modifiedCharacter(_ code: UInt32, _ key: TerminalKey) -> [UInt8]? {
    guard code != 0 else { return nil }
    let produced = key.character(code)
    if modes.modifyOtherKeys >= 2 {
      if key.held == .shift { return produced == 0x20 ? sequence(0x20, key) : nil }
      return sequence(produced, key)
    }
    if !key.modifiers.isDisjoint(with: [.super, .hyper]) { return sequence(produced, key) }
    guard key.modifiers.contains(.control) else { return nil }
    return hasControlCode(produced, shift: key.modifiers.contains(.shift))
      ? nil : sequence(produced, key)
  }

  /// Whether Control with the character has a code that level 1 leaves alone.
  ///
  /// With Shift the digits and `/` give other characters, so only what lies in the controls' own columns counts.
  private func hasControlCode(_ character: UInt32, shift: Bool) -> Bool {
    if (0x40...0x7E).contains(character) || character == 0x20 { return true }
    return !shift && Self.control(character) != nil
  }

  private func onlyAlt(_ key: TerminalKey) -> Bool {
    key.held.isSubset(of: [.alt, .meta])
  }

  private func sequence(_ character: UInt32, _ key: TerminalKey) -> [UInt8] {
    let modifiers = key.modifierParameter
    let text =
      modes.formatOtherKeys == 1 ? "\(character);\(modifiers)u" : "27;\(modifiers);\(character)~"
    return KeyBytes.csi + Array(text.utf8)
  }
}
