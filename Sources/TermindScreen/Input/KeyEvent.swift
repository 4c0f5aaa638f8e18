/// One key of the outer terminal's keyboard.
public struct KeyEvent: Hashable, Sendable {
  /// Which key, without its modifiers: Shift-A is the character `a` with the shift modifier.
  public var code: KeyCode
  /// What the key gives together with Shift, when the terminal said so or it is known.
  public var shifted: UInt32?
  /// The key at this place on a US layout, when the terminal said so.
  public var base: UInt32?
  /// The modifiers that were held.
  public var modifiers: KeyModifiers
  /// Whether the key went down, repeats or went up.
  public var kind: KeyEventKind
  /// The text that the key types, if it types any.
  public var text: String?

  /// Makes a key event.
  public init(
    code: KeyCode,
    shifted: UInt32? = nil,
    base: UInt32? = nil,
    modifiers: KeyModifiers = [],
    kind: KeyEventKind = .press,
    text: String? = nil
  ) {
    self.code = code
    self.shifted = shifted
    self.base = base
    self.modifiers = modifiers
    self.kind = kind
    self.text = text
  }

  /// The same key named by what it gives together with Shift, as in `?` for Shift-slash; `nil` without Shift.
  ///
  /// A terminal without the keyboard protocol names symbols in this way only, so a keymap should try both.
  public var shiftedForm: (code: KeyCode, modifiers: KeyModifiers)? {
    guard modifiers.contains(.shift), let shifted else { return nil }
    return (.character(shifted), modifiers.subtracting(.shift))
  }
}

/// What happened to a key.
public enum KeyEventKind: Hashable, Sendable {
  /// It went down.
  case press
  /// It is held and repeats.
  case `repeat`
  /// It went up; only terminals with the kitty keyboard protocol say so.
  case release
}

/// The keys held together with another.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits of the kitty keyboard protocol.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shift.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Alt or Option.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Control.
  public static let control = KeyModifiers(rawValue: 4)
  /// Super, Windows or Command.
  public static let `super` = KeyModifiers(rawValue: 8)
  /// Hyper.
  public static let hyper = KeyModifiers(rawValue: 16)
  /// Meta.
  public static let meta = KeyModifiers(rawValue: 32)
  /// Caps Lock is on.
  public static let capsLock = KeyModifiers(rawValue: 64)
  /// Num Lock is on.
  public static let numLock = KeyModifiers(rawValue: 128)
}

/// A key without its modifiers.
public enum KeyCode: Hashable, Sendable {
  /// A key that is known by the character it gives without modifiers.
  case character(UInt32)
  /// The keys that every keyboard has.
  case enter, tab, backspace, escape, insert, delete, home, end, pageUp, pageDown
  /// The arrow keys.
  case up, down, left, right
  /// F1 to F35.
  case function(Int)
  /// A key of the number pad.
  case keypad(KeypadKey)
  /// The lock and system keys.
  case capsLock, scrollLock, numLock, printScreen, pause, menu
  /// A media key.
  case media(MediaKey)
  /// A modifier key by itself.
  case modifier(ModifierKey)
}

/// The keys of the number pad.
public enum KeypadKey: Hashable, Sendable, CaseIterable {
  /// The digits.
  case zero, one, two, three, four, five, six, seven, eight, nine
  /// The operators.
  case decimal, divide, multiply, subtract, add, enter, equal, separator
  /// What the digits give without Num Lock.
  case left, right, up, down, pageUp, pageDown, home, end, insert, delete, begin
}

/// The media keys of the kitty keyboard protocol.
public enum MediaKey: Hashable, Sendable, CaseIterable {
  /// Playing.
  case play, pause, playPause, reverse, stop, fastForward, rewind, trackNext, trackPrevious, record
  /// Loudness.
  case lowerVolume, raiseVolume, muteVolume
}

/// The modifier keys of the kitty keyboard protocol.
public enum ModifierKey: Hashable, Sendable, CaseIterable {
  /// The left ones.
  case leftShift, leftControl, leftAlt, leftSuper, leftHyper, leftMeta
  /// The right ones.
  case rightShift, rightControl, rightAlt, rightSuper, rightHyper, rightMeta
  /// The level shifts of ISO keyboards.
  case isoLevel3Shift, isoLevel5Shift
}
