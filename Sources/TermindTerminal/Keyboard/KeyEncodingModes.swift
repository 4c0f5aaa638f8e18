/// The enhancements of the kitty keyboard protocol that a program asked for.
public struct KittyKeyboardFlags: OptionSet, Hashable, Sendable {
  /// The protocol's bits.
  public let rawValue: UInt8

  /// Makes a set from its bits; bits that the protocol does not define are dropped.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x1F }

  /// Keys whose old bytes mean something else too are sent as escape codes.
  public static let disambiguate = KittyKeyboardFlags(rawValue: 1)
  /// Repeats and releases are told.
  public static let eventTypes = KittyKeyboardFlags(rawValue: 2)
  /// The shifted key and the key of the base layout are told too.
  public static let alternateKeys = KittyKeyboardFlags(rawValue: 4)
  /// Every key is sent as an escape code, also those that type text.
  public static let allKeys = KittyKeyboardFlags(rawValue: 8)
  /// The text of a key is part of its escape code; only together with `allKeys`.
  public static let associatedText = KittyKeyboardFlags(rawValue: 16)
}

/// The modes of a terminal that decide how a key becomes bytes.
public struct KeyEncodingModes: Hashable, Sendable {
  /// DECCKM: arrows, Home and End send SS3 sequences.
  public var applicationCursorKeys = false
  /// DECKPAM: the number pad sends SS3 sequences while Num Lock is off.
  public var applicationKeypad = false
  /// DECBKM: Backspace sends BS, and Control-Backspace DEL.
  public var backspaceSendsBS = false
  /// LNM: Enter sends CR LF.
  public var newLine = false
  /// Modes 1036 and 1039: Alt and Meta send ESC before the key; otherwise they set the eighth bit.
  public var altSendsEscape = true
  /// xterm's modifyOtherKeys level: 0 off, 1 keys whose modifiers have no usual code, 2 and above all modified keys.
  public var modifyOtherKeys = 0
  /// xterm's formatOtherKeys: 0 sends `CSI 27 ; m ; c ~`, 1 sends `CSI c ; m u`.
  public var formatOtherKeys = 0
  /// The kitty keyboard protocol's flags; any flag makes it win over modifyOtherKeys.
  public var kittyFlags: KittyKeyboardFlags = []

  /// Makes the modes of a fresh terminal.
  public init() {}
}
