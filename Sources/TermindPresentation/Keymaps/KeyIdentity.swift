public import TermindScreen

/// The chords that one key event can stand for, best first.
///
/// A binding names what a key gives (`?`, `H`) or the key with Shift (`shift+/`); terminals report either,
/// with or without the kitty keyboard protocol. When the keyboard has another alphabet, the key at the
/// same place of a US layout counts as well, after everything that the event itself says.
enum KeyIdentity {
  static func chords(of event: KeyEvent) -> [KeyChord] {
    guard let key = key(event.code) else { return [] }
    guard let modifiers = modifiers(event.modifiers) else { return [] }
    var chords = [KeyChord(key, modifiers)]
    func add(_ chord: KeyChord) { if !chords.contains(chord) { chords.append(chord) } }
    guard case .character(let scalar) = key else { return chords }
    if modifiers.contains(.shift), let shifted = shifted(event) {
      // A capital letter keeps its Shift; any other character has used it up.
      add(KeyChord(.character(shifted), modifiers.subtracting(.shift)))
    }
    if let base = event.base, scalar > 0x7F {
      add(KeyChord(.character(base), modifiers))
      if modifiers.contains(.shift), let upper = shiftedOnUSLayout[base] {
        add(KeyChord(.character(upper), modifiers.subtracting(.shift)))
      }
    }
    return chords
  }

  /// Whether the event is a modifier key by itself, which is never part of a sequence.
  static func isModifier(_ event: KeyEvent) -> Bool {
    switch event.code {
    case .modifier, .capsLock, .numLock, .scrollLock: true
    default: false
    }
  }

  /// The event that types a chord, for sending a leader that was not just pressed.
  static func event(typing chord: KeyChord) -> KeyEvent {
    var modifiers: KeyModifiers = []
    if chord.modifiers.contains(.control) { modifiers.insert(.control) }
    if chord.modifiers.contains(.alt) { modifiers.insert(.alt) }
    if chord.modifiers.contains(.shift) { modifiers.insert(.shift) }
    if chord.modifiers.contains(.superKey) { modifiers.insert(.super) }
    switch chord.key {
    case .character(let scalar):
      let plain = modifiers.subtracting(.shift).isEmpty
      let typed = Unicode.Scalar(scalar).map { String(Character($0)) }
      let text = modifiers.contains(.shift) ? typed?.uppercased() : typed
      return KeyEvent(
        code: .character(scalar),
        modifiers: modifiers,
        text: plain ? text : nil
      )
    case .function(let number): return KeyEvent(code: .function(number), modifiers: modifiers)
    case .named(let key): return KeyEvent(code: code(key), modifiers: modifiers)
    }
  }

  /// What the key gives with Shift: as reported, as typed, or by a US layout.
  private static func shifted(_ event: KeyEvent) -> UInt32? {
    if let shifted = event.shifted { return shifted }
    if let text = event.text, text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first
    {
      return scalar.value
    }
    guard case .character(let scalar) = event.code else { return nil }
    return shiftedOnUSLayout[scalar]
  }

  private static let shiftedOnUSLayout: [UInt32: UInt32] = {
    let plain = "`1234567890-=[]\\;',./".unicodeScalars.map(\.value)
    let upper = "~!@#$%^&*()_+{}|:\"<>?".unicodeScalars.map(\.value)
    return Dictionary(zip(plain, upper), uniquingKeysWith: { first, _ in first })
  }()

  /// Nil when a modifier is held that no binding can name.
  private static func modifiers(_ given: KeyModifiers) -> ChordModifiers? {
    guard given.isDisjoint(with: [.hyper, .meta]) else { return nil }
    var modifiers: ChordModifiers = []
    if given.contains(.control) { modifiers.insert(.control) }
    if given.contains(.alt) { modifiers.insert(.alt) }
    if given.contains(.shift) { modifiers.insert(.shift) }
    if given.contains(.super) { modifiers.insert(.superKey) }
    return modifiers
  }

  private static func key(_ code: KeyCode) -> ChordKey? {
    switch code {
    case .character(let scalar): .character(scalar)
    case .function(let number): .function(number)
    case .enter: .named(.enter)
    case .tab: .named(.tab)
    case .backspace: .named(.backspace)
    case .escape: .named(.escape)
    case .insert: .named(.insert)
    case .delete: .named(.delete)
    case .home: .named(.home)
    case .end: .named(.end)
    case .pageUp: .named(.pageUp)
    case .pageDown: .named(.pageDown)
    case .up: .named(.up)
    case .down: .named(.down)
    case .left: .named(.left)
    case .right: .named(.right)
    case .printScreen: .named(.printScreen)
    case .pause: .named(.pause)
    case .menu: .named(.menu)
    case .scrollLock: .named(.scrollLock)
    case .keypad(let key): keypad(key)
    case .capsLock, .numLock, .media, .modifier: nil
    }
  }

  /// The keypad counts as the keys that it doubles.
  private static func keypad(_ key: KeypadKey) -> ChordKey? {
    switch key {
    case .zero: .character(0x30)
    case .one: .character(0x31)
    case .two: .character(0x32)
    case .three: .character(0x33)
    case .four: .character(0x34)
    case .five: .character(0x35)
    case .six: .character(0x36)
    case .seven: .character(0x37)
    case .eight: .character(0x38)
    case .nine: .character(0x39)
    case .decimal: .character(0x2E)
    case .divide: .character(0x2F)
    case .multiply: .character(0x2A)
    case .subtract: .character(0x2D)
    case .add: .character(0x2B)
    case .equal: .character(0x3D)
    case .separator: .character(0x2C)
    case .enter: .named(.keypadEnter)
    case .left: .named(.left)
    case .right: .named(.right)
    case .up: .named(.up)
    case .down: .named(.down)
    case .pageUp: .named(.pageUp)
    case .pageDown: .named(.pageDown)
    case .home: .named(.home)
    case .end: .named(.end)
    case .insert: .named(.insert)
    case .delete: .named(.delete)
    case .begin: nil
    }
  }

  private static func code(_ key: NamedKey) -> KeyCode {
    switch key {
    case .enter: .enter
    case .tab: .tab
    case .backspace: .backspace
    case .escape: .escape
    case .up: .up
    case .down: .down
    case .left: .left
    case .right: .right
    case .home: .home
    case .end: .end
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .insert: .insert
    case .delete: .delete
    case .menu: .menu
    case .printScreen: .printScreen
    case .pause: .pause
    case .scrollLock: .scrollLock
    case .keypadEnter: .keypad(.enter)
    }
  }
}

extension KeyChord {
  /// The chord that an event is first of all; nil for keys that no binding can name.
  public init?(_ event: KeyEvent) {
    guard let chord = KeyIdentity.chords(of: event).first else { return nil }
    self = chord
  }

  /// The event that pressing the chord gives; for scripts that send keys by name.
  public var event: KeyEvent { KeyIdentity.event(typing: self) }
}
