/// Which mouse actions a program asked to hear of.
public enum TerminalMouseTracking: UInt8, Hashable, Sendable {
  /// None.
  case off
  /// Presses only (mode 9, X10).
  case press
  /// Presses and releases (mode 1000).
  case buttons
  /// Also motion with a button held (mode 1002).
  case drag
  /// All motion (mode 1003).
  case motion
}

/// The form of mouse reports.
public enum TerminalMouseEncoding: UInt8, Hashable, Sendable {
  /// Bytes offset by 32, to column 223.
  case legacy
  /// Numbers as UTF-8 (mode 1005).
  case utf8
  /// Decimal numbers with a press or release letter (mode 1006).
  case sgr
  /// Decimal numbers (mode 1015).
  case urxvt
  /// As `sgr`, in pixels (mode 1016).
  case sgrPixels
}

/// The modes that decide how keys, mouse and pastes are encoded, and a few that readers of the screen need.
public struct TerminalModes: Hashable, Sendable {
  /// DECCKM: arrow keys send SS3 sequences.
  public var applicationCursorKeys = false
  /// DECPAM and DECNKM: the keypad sends SS3 sequences.
  public var applicationKeypad = false
  /// DECBKM: Backspace sends BS rather than DEL.
  public var backspaceSendsBS = false
  /// LNM: Enter sends CR LF.
  public var newLine = false
  /// Mode 2004: pastes are framed.
  public var bracketedPaste = false
  /// Mode 1004: focus changes are reported.
  public var focusReports = false
  /// Modes 9, 1000, 1002 and 1003.
  public var mouseTracking = TerminalMouseTracking.off
  /// Modes 1005, 1006, 1015 and 1016.
  public var mouseEncoding = TerminalMouseEncoding.legacy
  /// Mode 1007: on the alternate screen the wheel sends arrow keys.
  public var alternateScroll = true
  /// Mode 1036 and 1039: Alt sends ESC before the key.
  public var altSendsEscape = true
  /// xterm's modifyOtherKeys level, 0 to 3.
  public var modifyOtherKeys = 0
  /// xterm's formatOtherKeys: 1 sends modified keys as CSI u.
  public var formatOtherKeys = 0
  /// The kitty keyboard protocol's flags in force, 0 to 31.
  public var kittyKeyboardFlags = 0
  /// Whether the alternate screen is shown.
  public var isAlternateScreen = false
  /// Mode 2031: changes of the colour scheme are reported.
  public var colorSchemeReports = false
  /// Mode 2048: changes of the size are reported in-band.
  public var inBandSizeReports = false
  /// Mode 2027: text is split into cells by grapheme cluster.
  public var graphemeClusters = true
  /// DECSCNM: the whole screen is inverse.
  public var reverseScreen = false

  /// Makes the modes of a fresh terminal.
  public init() {}
}
