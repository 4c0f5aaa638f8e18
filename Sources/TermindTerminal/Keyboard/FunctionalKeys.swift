/// How a key that has no character is written: `CSI number ; modifiers final`.
struct FunctionalForm: Hashable {
  /// The parameter; 1 for the forms that end in a letter.
  let number: Int
  /// The final byte: `~`, `u`, or a letter of its own.
  let final: UInt8

  init(_ number: Int, _ final: Unicode.Scalar) {
    self.number = number
    self.final = UInt8(truncatingIfNeeded: final.value)
  }

  /// F1 to F4, which xterm writes with SS3 when no modifier is held.
  var isPF: Bool { number == 1 && (0x50...0x53).contains(final) }

  /// Arrows, Home, End and Begin, which follow DECCKM.
  var isCursor: Bool { number == 1 && (0x41...0x48).contains(final) }
}

extension TerminalKeyCode {
  /// xterm's form; nothing for keys that xterm does not send.
  var legacyForm: FunctionalForm? {
    switch self {
    case .function(let number): return Self.legacyFunction(number)
    case .menu: return FunctionalForm(29, "~")
    default: return commonForm
    }
  }

  /// The kitty keyboard protocol's form; nothing for keys known by their character.
  var kittyForm: FunctionalForm? {
    switch self {
    case .escape: return FunctionalForm(27, "u")
    case .enter: return FunctionalForm(13, "u")
    case .tab: return FunctionalForm(9, "u")
    case .backspace: return FunctionalForm(127, "u")
    case .capsLock: return FunctionalForm(57358, "u")
    case .scrollLock: return FunctionalForm(57359, "u")
    case .numLock: return FunctionalForm(57360, "u")
    case .printScreen: return FunctionalForm(57361, "u")
    case .pause: return FunctionalForm(57362, "u")
    case .menu: return FunctionalForm(57363, "u")
    case .function(let number): return Self.kittyFunction(number)
    case .keypad(.begin): return FunctionalForm(1, "E")
    case .keypad(let key): return FunctionalForm(57399 + key.place, "u")
    case .media(let key): return FunctionalForm(57428 + key.place, "u")
    case .modifier(let key): return FunctionalForm(57441 + key.place, "u")
    default: return commonForm
    }
  }

  /// The forms that both encodings share.
  private var commonForm: FunctionalForm? {
    switch self {
    case .up: FunctionalForm(1, "A")
    case .down: FunctionalForm(1, "B")
    case .right: FunctionalForm(1, "C")
    case .left: FunctionalForm(1, "D")
    case .keypad(.begin): FunctionalForm(1, "E")
    case .end: FunctionalForm(1, "F")
    case .home: FunctionalForm(1, "H")
    case .insert: FunctionalForm(2, "~")
    case .delete: FunctionalForm(3, "~")
    case .pageUp: FunctionalForm(5, "~")
    case .pageDown: FunctionalForm(6, "~")
    default: nil
    }
  }

  /// xterm leaves gaps in the numbers after F5, F10, F14, F16 and F20.
  private static func legacyFunction(_ number: Int) -> FunctionalForm? {
    switch number {
    case 1: FunctionalForm(1, "P")
    case 2: FunctionalForm(1, "Q")
    case 3: FunctionalForm(1, "R")
    case 4: FunctionalForm(1, "S")
    case 5: FunctionalForm(15, "~")
    case 6...10: FunctionalForm(11 + number, "~")
    case 11...14: FunctionalForm(12 + number, "~")
    case 15, 16: FunctionalForm(13 + number, "~")
    case 17...20: FunctionalForm(14 + number, "~")
    case 21...35: FunctionalForm(21 + number, "~")
    default: nil
    }
  }

  /// F3 has the number form alone, since `CSI R` is a cursor position report.
  private static func kittyFunction(_ number: Int) -> FunctionalForm? {
    switch number {
    case 3: FunctionalForm(13, "~")
    case 1...12: legacyFunction(number)
    case 13...35: FunctionalForm(57363 + number, "u")
    default: nil
    }
  }
}

extension TerminalKeypadKey {
  /// The place in the kitty keyboard protocol's numbers.
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The character that the key types; nothing for Enter and the navigation keys.
  var character: UInt32? {
    switch self {
    case .zero, .one, .two, .three, .four, .five, .six, .seven, .eight, .nine:
      0x30 + UInt32(place)
    case .decimal: 0x2E
    case .divide: 0x2F
    case .multiply: 0x2A
    case .subtract: 0x2D
    case .add: 0x2B
    case .equal: 0x3D
    case .separator: 0x2C
    default: nil
    }
  }

  /// The final byte of the SS3 sequence in application keypad mode; nothing for the navigation keys.
  var applicationFinal: UInt8? {
    if self == .enter { return 0x4D }
    // DEC's keypad letters are the characters moved up by 0x40; `=` is the one exception.
    if self == .equal { return 0x58 }
    return character.map { UInt8($0 + 0x40) }
  }

  /// The key elsewhere on the keyboard that does the same; nothing for keys that type a character.
  var plainCode: TerminalKeyCode? {
    switch self {
    case .enter: .enter
    case .left: .left
    case .right: .right
    case .up: .up
    case .down: .down
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .home: .home
    case .end: .end
    case .insert: .insert
    case .delete: .delete
    case .begin: .keypad(.begin)
    default: nil
    }
  }
}

extension TerminalMediaKey {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension TerminalModifierKey {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
