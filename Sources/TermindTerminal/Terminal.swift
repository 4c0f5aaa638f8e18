/// An xterm-256color compatible terminal: bytes of a program in, a screen with scrollback and replies out.
///
/// It has no lock and is not `Sendable`: whoever owns it makes sure that one thread at a time uses it. No
/// input makes it crash, hang, or grow without bound.
@safe public final class Terminal {
  /// Changes whenever something visible may have changed.
  public private(set) var revision: UInt64 = 0

  let parser = VTermParserHandle()
  var gate = SequenceGate()
  var mouseEncoder = MouseEncoder()
  /// Behind a pointer and not a plain property: the run-time checks of exclusive access to a property, twice
  /// for each control sequence, took a tenth of the time of coloured text.
  private let storage: UnsafeMutablePointer<TerminalState>

  var state: TerminalState {
    // Addresses and not `_read`: that yielded a copy, and unoptimized code read from it after it was freed.
    @inline(__always) unsafeAddress { unsafe UnsafePointer(storage) }
    @inline(__always) unsafeMutableAddress { unsafe storage }
  }

  /// Makes a terminal with an empty screen.
  ///
  /// - Parameters:
  ///   - size: Its size in cells and pixels.
  ///   - configuration: What the owner decides.
  public init(
    size: TerminalSize,
    configuration: TerminalConfiguration = TerminalConfiguration()
  ) {
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: TerminalState(size: size, configuration: configuration))
    parser.attach(self)
  }

  deinit {
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
  }

  // MARK: What it is

  /// The size in force.
  public var size: TerminalSize { state.size }

  /// The modes that decide how input is encoded.
  public var modes: TerminalModes { state.modes }

  /// The window title (OSC 0 and 2), at most 1,024 scalars, without control characters.
  public var title: String { state.title }

  /// The icon title (OSC 0 and 1).
  public var iconTitle: String { state.iconTitle }

  /// The program's directory as OSC 7 told it, decoded.
  public var workingDirectory: String? { state.workingDirectory }

  /// The host that OSC 7 told beside the directory; nil when none was.
  public var workingDirectoryHost: String? { state.workingDirectoryHost }

  /// Rows that went from the screen to the scrollback since the terminal was made; never falls.
  ///
  /// Rows that a change of the size moves are not counted.
  public var rowsScrolledOut: UInt64 { state.rowsScrolledOut }

  /// The cursor as it is to be drawn.
  public var cursor: TerminalCursor {
    TerminalCursor(
      position: CellPosition(
        row: state.cursorRow,
        column: state.drawnColumn(state.cursorColumn, row: state.cursorRow)
      ),
      isVisible: state.settings.cursorVisible,
      shape: state.cursorShape,
      blinks: state.cursorBlinks
    )
  }

  // MARK: Output

  /// The bytes for the program that reports have made, in order; at most 256 KiB wait, more are dropped.
  public func takeReplies() -> [UInt8] { state.replies.take() }

  /// What happened since the last call, in order.
  ///
  /// At most 256 events wait. Repeated bells, titles, directories and progress values collapse into the
  /// newest; when the queue is full the oldest are dropped.
  public func takeEvents() -> [TerminalEvent] { state.events.take() }

  /// Whether the program holds the screen back (mode 2026); the owner ends that after a time of its choice.
  public var isSynchronizedUpdateActive: Bool { state.synchronizedUpdate }

  /// Ends a synchronized update that the program left open.
  public func endSynchronizedUpdate() {
    state.synchronizedUpdate = false
    noteChange()
  }

  /// Counts a change.
  func noteChange() { revision &+= 1 }
}
