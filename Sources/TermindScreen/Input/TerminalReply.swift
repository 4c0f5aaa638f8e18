/// An answer of the outer terminal to one of our queries.
public enum TerminalReply: Hashable, Sendable {
  /// DA1: the terminal's class and what it offers. It answers the last query, so the others are in by then.
  case primaryAttributes([Int])
  /// DA2: kind and version numbers.
  case secondaryAttributes([Int])
  /// XTVERSION: name and version as text.
  case version(String)
  /// DECRQM: the state of a private mode.
  case mode(Int, ModeState)
  /// The kitty keyboard flags in force; any answer means that the protocol is there.
  case keyboardFlags(Int)
  /// A colour of the terminal.
  case color(TerminalColorSlot, red: UInt8, green: UInt8, blue: UInt8)
  /// Where the terminal's cursor is, zero-based.
  case cursorPosition(row: Int, column: Int)
  /// The size of the terminal, reported inside the input (mode 2048, or CSI 18 t).
  case size(ScreenSize)
  /// XTGETTCAP: a capability by name, `nil` when the terminal does not know it.
  case capability(name: String, value: String?)
  /// OSC 52: what the clipboard holds, decoded.
  case clipboard([UInt8])
}

/// Which colour a colour report speaks of.
public enum TerminalColorSlot: Hashable, Sendable {
  /// The default text colour (OSC 10).
  case foreground
  /// The default background (OSC 11).
  case background
  /// The cursor (OSC 12).
  case cursor
  /// A palette entry (OSC 4).
  case palette(UInt8)
}

/// What DECRQM says about a mode.
public enum ModeState: Int, Hashable, Sendable {
  /// The terminal does not know the mode.
  case unknown = 0
  /// It is on.
  case set = 1
  /// It is off.
  case reset = 2
  /// It is on and stays on.
  case permanentlySet = 3
  /// It is off and stays off.
  case permanentlyReset = 4

  /// Whether the mode is on or can be turned on.
  public var isUsable: Bool { self == .set || self == .reset || self == .permanentlySet }
}
