/// One key for the program in a terminal.
public struct TerminalKey: Hashable, Sendable {
  /// Which key, without its modifiers: Shift-A is the character `a` with the shift modifier.
  public var code: TerminalKeyCode
  /// What the key gives together with Shift, when known.
  public var shifted: UInt32?
  /// The key at this place on a US layout, when known.
  public var base: UInt32?
  /// The modifiers that are held or locked.
  public var modifiers: TerminalKeyModifiers
  /// Whether the key goes down, repeats or goes up.
  public var kind: TerminalKeyKind
  /// The text that the key types, if it types any.
  public var text: String?

  /// Makes a key.
  public init(
    code: TerminalKeyCode,
    shifted: UInt32? = nil,
    base: UInt32? = nil,
    modifiers: TerminalKeyModifiers = [],
    kind: TerminalKeyKind = .press,
    text: String? = nil
  ) {
    self.code = code
    self.shifted = shifted
    self.base = base
    self.modifiers = modifiers
    self.kind = kind
    self.text = text
  }
}

/// What happens to a key.
public enum TerminalKeyKind: Hashable, Sendable {
  /// It goes down.
  case press
  /// It is held and repeats.
  case `repeat`
  /// It goes up.
  case release
}

/// The keys held, and the locks on, together with another key.
public struct TerminalKeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits of the kitty keyboard protocol.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shift.
  public static let shift = TerminalKeyModifiers(rawValue: 1)
  /// Alt or Option.
  public static let alt = TerminalKeyModifiers(rawValue: 2)
  /// Control.
  public static let control = TerminalKeyModifiers(rawValue: 4)
  /// Super, Windows or Command.
  public static let `super` = TerminalKeyModifiers(rawValue: 8)
  /// Hyper.
  public static let hyper = TerminalKeyModifiers(rawValue: 16)
  /// Meta.
  public static let meta = TerminalKeyModifiers(rawValue: 32)
  /// Caps Lock is on.
  public static let capsLock = TerminalKeyModifiers(rawValue: 64)
  /// Num Lock is on.
  public static let numLock = TerminalKeyModifiers(rawValue: 128)

  /// The two locks, which are states rather than held keys.
  public static let locks: TerminalKeyModifiers = [.capsLock, .numLock]
}

/// A key without its modifiers.
public enum TerminalKeyCode: Hashable, Sendable {
  /// A key that is known by the character it gives without modifiers; 0 when only its text is known.
  case character(UInt32)
  /// The keys that every keyboard has.
  case enter, tab, backspace, escape, insert, delete, home, end, pageUp, pageDown
  /// The arrow keys.
  case up, down, left, right
  /// F1 to F35.
  case function(Int)
  /// A key of the number pad.
  case keypad(TerminalKeypadKey)
  /// The lock and system keys.
  case capsLock, scrollLock, numLock, printScreen, pause, menu
  /// A media key.
  case media(TerminalMediaKey)
  /// A modifier key by itself.
  case modifier(TerminalModifierKey)
}

/// The keys of the number pad, in the order of the kitty keyboard protocol's numbers.
public enum TerminalKeypadKey: Hashable, Sendable, CaseIterable {
  /// The digits.
  case zero, one, two, three, four, five, six, seven, eight, nine
  /// The operators.
  case decimal, divide, multiply, subtract, add, enter, equal, separator
  /// What the digits give without Num Lock.
  case left, right, up, down, pageUp, pageDown, home, end, insert, delete, begin
}

/// The media keys of the kitty keyboard protocol, in the order of its numbers.
public enum TerminalMediaKey: Hashable, Sendable, CaseIterable {
  /// Playing.
  case play, pause, playPause, reverse, stop, fastForward, rewind, trackNext, trackPrevious, record
  /// Loudness.
  case lowerVolume, raiseVolume, muteVolume
}

/// The modifier keys of the kitty keyboard protocol, in the order of its numbers.
public enum TerminalModifierKey: Hashable, Sendable, CaseIterable {
  /// The left ones.
  case leftShift, leftControl, leftAlt, leftSuper, leftHyper, leftMeta
  /// The right ones.
  case rightShift, rightControl, rightAlt, rightSuper, rightHyper, rightMeta
  /// The level shifts of ISO keyboards.
  case isoLevel3Shift, isoLevel5Shift
}
