/// What the mouse did in the outer terminal.
public struct MouseEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A button went down.
    case press
    /// A button went up.
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
  /// The button, where the event has one; a release in the old form of report does not say which.
  public var button: Button?
  /// Zero-based row.
  public var row: Int
  /// Zero-based column.
  public var column: Int
  /// The modifiers that were held: only shift, alt and control.
  public var modifiers: KeyModifiers

  /// Makes a mouse event.
  public init(
    kind: Kind,
    button: Button? = nil,
    row: Int,
    column: Int,
    modifiers: KeyModifiers = []
  ) {
    self.kind = kind
    self.button = button
    self.row = row
    self.column = column
    self.modifiers = modifiers
  }
}
