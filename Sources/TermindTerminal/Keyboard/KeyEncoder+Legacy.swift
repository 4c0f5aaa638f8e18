/// xterm's own encoding.
extension KeyEncoder {
  /// The bytes of a press or repeat.
  func legacy(_ key: TerminalKey) -> [UInt8] {
    switch key.code {
    case .character(let code): return legacyCharacter(code, key)
    case .enter: return withAlt(key, modes.newLine ? [0x0D, 0x0A] : [0x0D])
    case .tab: return legacyTab(key)
    case .backspace: return withAlt(key, [backspaceByte(key)])
    case .escape: return withAlt(key, [KeyBytes.escape])
    case .keypad(let pad): return legacyKeypad(pad, key)
    default: return key.code.legacyForm.map { legacyForm($0, key) } ?? []
    }
  }

  /// BS or DEL: DECBKM chooses, and Control changes to the other one.
  func backspaceByte(_ key: TerminalKey) -> UInt8 {
    modes.backspaceSendsBS != key.modifiers.contains(.control) ? 0x08 : 0x7F
  }

  /// Puts ESC before the bytes, or sets the eighth bit, when Alt is held.
  private func withAlt(_ key: TerminalKey, _ bytes: [UInt8]) -> [UInt8] {
    guard key.hasAlt else { return bytes }
    if !modes.altSendsEscape, bytes.count == 1, bytes[0] < 0x80 {
      // U+0080 to U+00FF as UTF-8, as xterm's eightBitInput sends it.
      return [0xC2 | bytes[0] >> 6, 0x80 | bytes[0] & 0x3F]
    }
    return [KeyBytes.escape] + bytes
  }

  private func legacyTab(_ key: TerminalKey) -> [UInt8] {
    guard key.modifiers.contains(.shift) else { return withAlt(key, [0x09]) }
    let backTab = KeyBytes.csi + [0x5A]
    return key.hasAlt && modes.altSendsEscape ? [KeyBytes.escape] + backTab : backTab
  }

  private func legacyCharacter(_ code: UInt32, _ key: TerminalKey) -> [UInt8] {
    guard key.modifiers.isDisjoint(with: [.super, .hyper]) else { return [] }
    guard key.modifiers.contains(.control) else {
      if !key.isChord { return Array(key.typedText.utf8) }
      return withAlt(key, utf8(key.character(code)))
    }
    // A key of another alphabet gives the control of the Latin key at its place.
    let latin = code >= 0x80 ? key.base ?? code : code
    let character =
      key.modifiers.contains(.shift) && latin == code ? key.shiftedCharacter(code) : latin
    return withAlt(key, Self.control(character).map { [$0] } ?? utf8(character))
  }

  /// The control code of a character, as terminals on X11 have it.
  static func control(_ character: UInt32) -> UInt8? {
    switch character {
    case 0x20, 0x32: 0x00
    case 0x33...0x37: UInt8(character - 0x18)
    case 0x38, 0x3F: 0x7F
    case 0x2F: 0x1F
    case 0x40...0x7E: UInt8(character & 0x1F)
    default: nil
    }
  }

  /// A key of the number pad: SS3 in application mode while Num Lock is off, else what it stands for.
  private func legacyKeypad(_ pad: TerminalKeypadKey, _ key: TerminalKey) -> [UInt8] {
    if modes.applicationKeypad, !key.modifiers.contains(.numLock), let final = pad.applicationFinal
    {
      let parameter = key.modifierParameter
      return KeyBytes.ss3 + (parameter > 1 ? Array(String(parameter).utf8) : []) + [final]
    }
    if pad == .begin { return legacyForm(FunctionalForm(1, "E"), key) }
    var plain = key
    if let code = pad.plainCode {
      plain.code = code
      return legacy(plain)
    }
    guard let character = pad.character else { return [] }
    return withAlt(key, utf8(character))
  }

  private func legacyForm(_ form: FunctionalForm, _ key: TerminalKey) -> [UInt8] {
    let parameter = key.modifierParameter
    if parameter > 1 {
      return KeyBytes.csi + Array("\(form.number);\(parameter)".utf8) + [form.final]
    }
    if form.isPF || form.isCursor && modes.applicationCursorKeys {
      return KeyBytes.ss3 + [form.final]
    }
    return KeyBytes.csi + (form.number == 1 ? [] : Array(String(form.number).utf8)) + [form.final]
  }

  /// A character as UTF-8; nothing for a number that is no character.
  func utf8(_ character: UInt32) -> [UInt8] {
    guard character != 0, let scalar = Unicode.Scalar(character) else { return [] }
    return Array(String(Character(scalar)).utf8)
  }
}
