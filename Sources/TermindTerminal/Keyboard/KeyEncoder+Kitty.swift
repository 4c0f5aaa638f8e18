/// The kitty keyboard protocol, with any of its five enhancements.
extension KeyEncoder {
  private var sendsAllKeys: Bool { modes.kittyFlags.contains(.allKeys) }

  /// Whether keys with ambiguous bytes are escape codes; reporting all keys implies it.
  private var disambiguates: Bool {
    !modes.kittyFlags.isDisjoint(with: [.disambiguate, .allKeys])
  }

  private var tellsEvents: Bool { modes.kittyFlags.contains(.eventTypes) }

  func kitty(_ key: TerminalKey) -> [UInt8] {
    let key = disambiguates ? key : key.withoutKeypad
    guard isTold(key) else { return [] }
    if let bytes = plainBytes(key) { return bytes }
    if case .character(let code) = key.code {
      return serialize(key, number: codeField(code, key), final: 0x75)
    }
    guard let form = key.code.kittyForm else { return [] }
    return serialize(key, number: form.number == 1 ? "" : String(form.number), final: form.final)
  }

  /// Releases are told only on request, those of Enter, Tab and Backspace and all of modifiers only with all keys.
  private func isTold(_ key: TerminalKey) -> Bool {
    if key.kind == .release, !tellsEvents { return false }
    guard !sendsAllKeys else { return true }
    switch key.code {
    case .modifier, .capsLock, .numLock, .scrollLock: return false
    case .enter, .tab, .backspace, .character(0): return key.kind != .release
    default: return true
    }
  }

  /// The bytes of a key that is not an escape code under the flags; nothing when it is one.
  private func plainBytes(_ key: TerminalKey) -> [UInt8]? {
    if case .character(0) = key.code, !modes.kittyFlags.isSuperset(of: [.allKeys, .associatedText])
    {
      return Array(key.typedText.utf8)
    }
    guard !sendsAllKeys, key.kind != .release else { return nil }
    let text = key.typedText
    if !text.isEmpty { return Array(text.utf8) }
    switch key.code {
    case .enter, .tab, .backspace: if key.held.isEmpty { return legacy(key) }
    default: break
    }
    guard !disambiguates, key.kind == .press || !tellsEvents else { return nil }
    // Cursor and function keys keep one form for all their events.
    if tellsEvents, key.code.kittyForm != nil, key.code.legacyForm != nil { return nil }
    return legacy(key)
  }

  /// The code of a character key with the alternates asked for.
  private func codeField(_ code: UInt32, _ key: TerminalKey) -> String {
    guard modes.kittyFlags.contains(.alternateKeys) else { return String(code) }
    var field = String(code)
    let shifted = key.modifiers.contains(.shift) ? key.shiftedCharacter(code) : code
    let base = key.base ?? code
    if shifted != code { field += ":\(shifted)" }
    if base != code { field += (shifted == code ? "::" : ":") + String(base) }
    return field
  }

  private func serialize(_ key: TerminalKey, number: String, final: UInt8) -> [UInt8] {
    var modifiers = key.modifiers
    if !sendsAllKeys, key.typesOrEdits { modifiers.subtract(.locks) }
    var field = modifiers.isEmpty ? "" : String(1 + Int(modifiers.rawValue))
    if tellsEvents, key.kind != .press {
      field = (field.isEmpty ? "1" : field) + (key.kind == .repeat ? ":2" : ":3")
    }
    let text = textField(key)
    var parameters = number
    if !field.isEmpty || !text.isEmpty {
      parameters = (number.isEmpty ? "1" : number) + ";" + field
    }
    if !text.isEmpty { parameters += ";" + text }
    return KeyBytes.csi + Array(parameters.utf8) + [final]
  }

  private func textField(_ key: TerminalKey) -> String {
    guard modes.kittyFlags.isSuperset(of: [.allKeys, .associatedText]) else { return "" }
    return key.typedText.unicodeScalars.map { String($0.value) }.joined(separator: ":")
  }
}

extension TerminalKey {
  /// The key elsewhere on the keyboard that a number pad key stands for.
  fileprivate var withoutKeypad: TerminalKey {
    guard case .keypad(let pad) = code else { return self }
    var key = self
    if let plain = pad.plainCode {
      key.code = plain
    } else if let character = pad.character {
      key.code = .character(character)
    }
    return key
  }

  /// Whether the locks are kept out of this key's escape code, so that old programs stay usable.
  fileprivate var typesOrEdits: Bool {
    switch code {
    case .character, .enter, .tab, .backspace: true
    case .keypad(let pad): pad.character != nil
    default: false
    }
  }
}
