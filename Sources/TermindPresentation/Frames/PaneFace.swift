public import TermindDomain

/// What a pane shows of itself in its border.
public struct PaneFace: Hashable, Sendable {
  /// How the program or connection stands.
  public enum State: Hashable, Sendable {
    /// Nothing worth saying.
    case quiet
    /// Up, with a word: `up`, an engine's name.
    case up(String)
    /// Underway or coming back: `connecting`, `lost, retry in 5 s`.
    case waiting(String)
    /// Ended or failed: `exited 1`, `refused`.
    case dead(String)
  }

  /// The pane.
  public var pane: PaneID
  /// Its name, or the host's.
  public var title: String
  /// `user@address`, when it is remote.
  public var host: String
  /// Its directory.
  public var path: String
  /// How it stands.
  public var state: State
  /// What to press about the state, such as `r now`.
  public var stateHint: String
  /// Whether it has the focus.
  public var isFocused: Bool
  /// Whether it fills the workspace.
  public var isZoomed: Bool
  /// Whether it receives what is typed elsewhere.
  public var isBroadcasting: Bool
  /// Whether what is done in it is done as root.
  public var isRoot: Bool
  /// Whether a bell rang while it was not focused.
  public var hasBell: Bool
  /// Whether its session is being written to a file.
  public var isRecording: Bool
  /// How many lines it is scrolled back.
  public var scrolledBack: Int
  /// The mark of its host.
  public var color: PaletteColor?

  /// Makes a face.
  public init(
    pane: PaneID,
    title: String,
    host: String = "",
    path: String = "",
    state: State = .quiet,
    stateHint: String = "",
    isFocused: Bool = false,
    isZoomed: Bool = false,
    isBroadcasting: Bool = false,
    isRoot: Bool = false,
    hasBell: Bool = false,
    isRecording: Bool = false,
    scrolledBack: Int = 0,
    color: PaletteColor? = nil
  ) {
    self.pane = pane
    self.title = title
    self.host = host
    self.path = path
    self.state = state
    self.stateHint = stateHint
    self.isFocused = isFocused
    self.isZoomed = isZoomed
    self.isBroadcasting = isBroadcasting
    self.isRoot = isRoot
    self.hasBell = hasBell
    self.isRecording = isRecording
    self.scrolledBack = scrolledBack
    self.color = color
  }

  /// The ink of the border around it.
  var borderInk: Ink {
    if isBroadcasting || isRoot { return .warning }
    return isFocused ? .focusedBorder : .border
  }
}
