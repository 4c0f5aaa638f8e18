/// The key numbers of the kitty keyboard protocol.
enum KittyKeys {
  /// Builds the event of a key that came by number.
  static func event(
    scalar: UInt32,
    shifted: UInt32? = nil,
    base: UInt32? = nil,
    modifiers: KeyModifiers,
    kind: KeyEventKind = .press,
    text: [Int] = []
  ) -> KeyEvent {
    var event = KeyEvent(code: .character(scalar), modifiers: modifiers, kind: kind)
    event.shifted = shifted
    event.base = base
    if let named = named(scalar) {
      event.code = named
      event.shifted = nil
    } else if let small = LegacyKeys.smallLetter(of: scalar) {
      // xterm's form, and some terminals in the newer one, name the letter as typed.
      event.code = .character(small)
      event.shifted = shifted ?? scalar
      if !modifiers.contains(.capsLock) { event.modifiers.insert(.shift) }
    } else if modifiers.contains(.shift), shifted == nil {
      event.shifted = LegacyKeys.capitalLetter(of: scalar)
    }
    event.text = kind == .release ? nil : self.text(text) ?? impliedText(event)
    return event
  }

  private static func named(_ scalar: UInt32) -> KeyCode? {
    switch scalar {
    case 9: .tab
    case 13: .enter
    case 27: .escape
    case 8, 127: .backspace
    case 1..<0x20: .character(scalar + 0x60)
    default: functional[Int(scalar)]
    }
  }

  private static func text(_ numbers: [Int]) -> String? {
    var text = String.UnicodeScalarView()
    for number in numbers.prefix(64) where number >= 0x20 && !(number >= 0x7F && number < 0xA0) {
      if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: number)) { text.append(scalar) }
    }
    return text.isEmpty ? nil : String(text)
  }

  private static let nonTyping: KeyModifiers = [.alt, .control, .super, .hyper, .meta]

  /// What a key types when the terminal does not say.
  private static func impliedText(_ event: KeyEvent) -> String? {
    guard event.modifiers.isDisjoint(with: nonTyping) else { return nil }
    switch event.code {
    case .character(let plain):
      guard plain >= 0x20 else { return nil }
      if plain == 0x20 { return " " }
      let capital = LegacyKeys.capitalLetter(of: plain)
      let isShifted = event.modifiers.contains(.shift)
      let isCapital = capital != nil && isShifted != event.modifiers.contains(.capsLock)
      let scalar =
        capital != nil ? (isCapital ? capital : plain) : isShifted ? event.shifted : plain
      return scalar.flatMap { Unicode.Scalar($0) }.map { String(Character($0)) }
    case .keypad(let key): return keypadText[key]
    default: return nil
    }
  }

  static let keypadText: [KeypadKey: String] = [
    .zero: "0", .one: "1", .two: "2", .three: "3", .four: "4", .five: "5", .six: "6",
    .seven: "7", .eight: "8", .nine: "9", .decimal: ".", .divide: "/", .multiply: "*",
    .subtract: "-", .add: "+", .equal: "=", .separator: ",",
  ]

  /// The numbers from 57,344 on, which are in no character set.
  static let functional: [Int: KeyCode] = {
    var codes: [KeyCode] = [
      .escape, .enter, .tab, .backspace, .insert, .delete, .left, .right, .up, .down, .pageUp,
      .pageDown, .home, .end, .capsLock, .scrollLock, .numLock, .printScreen, .pause, .menu,
    ]
    for number in 1...35 { codes.append(.function(number)) }
    for key in KeypadKey.allCases { codes.append(.keypad(key)) }
    for key in MediaKey.allCases { codes.append(.media(key)) }
    for key in ModifierKey.allCases { codes.append(.modifier(key)) }
    return Dictionary(
      uniqueKeysWithValues: codes.enumerated().map { (57_344 + $0.offset, $0.element) }
    )
  }()
}
