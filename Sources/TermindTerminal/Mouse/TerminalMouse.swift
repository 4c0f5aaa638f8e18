/// What the mouse did over a terminal.
public struct TerminalMouse: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A button goes down.
    case press
    /// A button goes up.
    case release
    /// The pointer moved, with `button` held or with none.
    case motion
    /// The wheel turned one step.
    case wheel(WheelDirection)
  }

  /// Which way a wheel turned.
  public enum WheelDirection: Hashable, Sendable {
    /// Away from the person, towards them, and sideways.
    case up, down, left, right
  }

  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The three usual ones.
    case left, middle, right
    /// Buttons 8 to 11, mostly back and forward.
    case other(Int)
  }

  /// What happened.
  public var kind: Kind
  /// The button, where the event has one.
  public var button: Button?
  /// Zero-based row; a drag may leave the terminal, also upwards.
  public var row: Int
  /// Zero-based column; a drag may leave the terminal, also to the left.
  public var column: Int
  /// Zero-based row in pixels, when known.
  public var pixelRow: Int?
  /// Zero-based column in pixels, when known.
  public var pixelColumn: Int?
  /// The modifiers that are held; only Shift, Alt, Meta and Control are told.
  public var modifiers: TerminalKeyModifiers

  /// Makes a mouse event.
  public init(
    kind: Kind,
    button: Button? = nil,
    row: Int,
    column: Int,
    pixelRow: Int? = nil,
    pixelColumn: Int? = nil,
    modifiers: TerminalKeyModifiers = []
  ) {
    self.kind = kind
    self.button = button
    self.row = row
    self.column = column
    self.pixelRow = pixelRow
    self.pixelColumn = pixelColumn
    self.modifiers = modifiers
  }
}

/// The modes of a terminal that decide how the mouse becomes bytes.
public struct MouseModes: Hashable, Sendable {
  /// Which actions the program asked to hear of; the cases are in the order of what they include.
  public enum Tracking: UInt8, Hashable, Sendable {
    /// None.
    case off
    /// Presses of the three usual buttons, without modifiers (mode 9).
    case press
    /// Presses and releases, and the wheel (mode 1000).
    case buttons
    /// Also motion with a button held (mode 1002).
    case drag
    /// All motion (mode 1003).
    case motion
  }

  /// The form of the reports.
  public enum Encoding: UInt8, Hashable, Sendable {
    /// Bytes offset by 32, to row and column 223.
    case legacy
    /// Numbers offset by 32 as UTF-8, to row and column 2015 (mode 1005).
    case utf8
    /// Decimal numbers with a press or release letter (mode 1006).
    case sgr
    /// Decimal numbers offset as in the oldest form (mode 1015).
    case urxvt
    /// As `sgr`, in pixels (mode 1016).
    case sgrPixels
  }

  /// Modes 9, 1000, 1002 and 1003.
  public var tracking = Tracking.off
  /// Modes 1005, 1006, 1015 and 1016.
  public var encoding = Encoding.legacy
  /// Mode 1007: on the alternate screen the wheel sends arrow keys while nothing is tracked.
  public var alternateScroll = true
  /// Whether the alternate screen is shown.
  public var isAlternateScreen = false
  /// DECCKM: the arrow keys of mode 1007 are SS3 sequences.
  public var applicationCursorKeys = false
  /// The terminal's rows, which bound the reported row; 0 for no bound.
  public var rows = 0
  /// The terminal's columns, which bound the reported column; 0 for no bound.
  public var columns = 0

  /// Makes the modes of a fresh terminal.
  public init() {}
}
