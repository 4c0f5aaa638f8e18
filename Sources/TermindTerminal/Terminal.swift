/// An xterm-256color compatible terminal: bytes of a program in, a screen with scrollback and replies out.
///
/// It has no lock and is not `Sendable`: whoever owns it makes sure that one thread at a time uses it. No
/// input makes it crash, hang, or grow without bound.
public final class Terminal {
  /// The size in force.
  public internal(set) var size: TerminalSize
  /// The modes that decide how input is encoded.
  public internal(set) var modes = TerminalModes()
  /// The window title (OSC 0 and 2), at most 1,024 scalars, without control characters.
  public internal(set) var title = ""
  /// The icon title (OSC 0 and 1).
  public internal(set) var iconTitle = ""
  /// The program's directory as OSC 7 told it: the decoded path, and the host before it where one was told.
  public internal(set) var workingDirectory: String?
  /// The host that OSC 7 told beside the directory; nil when none was.
  public internal(set) var workingDirectoryHost: String?
  /// Changes whenever something visible may have changed.
  public internal(set) var revision: UInt64 = 0
  /// Rows that went from the screen to the scrollback since the terminal was made; never falls.
  public internal(set) var rowsScrolledOut: UInt64 = 0
  /// What the owner decided.
  public internal(set) var configuration: TerminalConfiguration

  // MARK: Parsing

  let parser = VTermParserHandle()
  var gate = SequenceGate()
  var decoder = TextDecoder()
  /// Address of what is being written to libvterm, 0 outside of a write.
  var writeStart: UInt = 0

  // MARK: Screens

  var grid: Grid
  var mainGrid: Grid
  var alternateGrid: Grid
  var scrollback: Scrollback
  var styles = StyleTable()
  var clusters = ClusterTable()
  var links = LinkTable()

  // MARK: Cursor

  var cursorRow = 0
  var cursorColumn = 0
  var pendingWrap = false
  var pen = PackedStyle.plain { didSet { isLookStale = true } }
  var isProtecting = false { didSet { isLookStale = true } }
  var isLookStale = false
  var cachedLook: UInt64 = 0
  var cachedErase = GridCell.erased
  var charsets = CharacterSets()
  var isPlainText = true
  var savedMain = SavedCursor()
  var savedAlternate = SavedCursor()
  var cursorShape = TerminalCursorShape.block
  var cursorBlinks = true

  // MARK: Clusters in the making

  var breaker = GraphemeBreaker()
  var isBreakerFresh = false
  var isClusterOpen = false
  var lastScalar: UInt32 = 0
  /// What REP repeats.
  var lastGraphic: UInt32 = 0
  let hasWidthOverrides: Bool

  // MARK: Margins, modes, tabs

  var settings = ScreenModes()
  var savedModes: [Int: Bool] = [:]
  var topMargin = 0
  var bottomMargin: Int
  var leftMargin = 0
  var rightMargin: Int
  var tabStops: TabStops
  var attributeExtentIsRectangle = false
  var checksumFlags = 0
  /// Whether protection was last chosen by SPA or EPA, which every erase respects.
  var isIsoProtection = false
  var conformanceLevel = 64
  var sendsEightBit = false

  // MARK: Reports

  var replies = ReplyQueue()
  var events = EventQueue()
  var titleStack: [(title: String?, icon: String?)] = []
  var keyboards = KeyboardStacks()
  var synchronizedUpdate = false
  var palettes = PaletteState()
  var cursorColorStack: Int = 0

  /// Makes a terminal with an empty screen.
  ///
  /// - Parameters:
  ///   - size: Its size in cells and pixels.
  ///   - configuration: What the owner decides.
  public init(
    size: TerminalSize,
    configuration: TerminalConfiguration = TerminalConfiguration()
  ) {
    self.size = size
    self.configuration = configuration
    hasWidthOverrides = !configuration.widthOverrides.isEmpty
    mainGrid = Grid(rows: size.rows, columns: size.columns)
    alternateGrid = Grid(rows: size.rows, columns: size.columns)
    grid = mainGrid
    scrollback = Scrollback(limit: configuration.scrollbackLines)
    bottomMargin = size.rows - 1
    rightMargin = size.columns - 1
    tabStops = TabStops(columns: size.columns)
    updateTableLimits()
    parser.attach(self)
  }

  // MARK: Output

  /// The bytes for the program that reports have made, in order; at most 256 KiB wait, more are dropped.
  public func takeReplies() -> [UInt8] { replies.take() }

  /// What happened since the last call, in order.
  ///
  /// At most 256 events wait. Repeated bells, titles, directories and progress values collapse into the
  /// newest; when the queue is full the oldest are dropped.
  public func takeEvents() -> [TerminalEvent] { events.take() }

  /// The cursor as it is to be drawn.
  public var cursor: TerminalCursor {
    TerminalCursor(
      position: CellPosition(row: cursorRow, column: cursorColumn),
      isVisible: settings.cursorVisible,
      shape: cursorShape,
      blinks: cursorBlinks
    )
  }

  /// Whether the program holds the screen back (mode 2026); the owner ends that after a time of its choice.
  public var isSynchronizedUpdateActive: Bool { synchronizedUpdate }

  /// Ends a synchronized update that the program left open.
  public func endSynchronizedUpdate() {
    synchronizedUpdate = false
    revision &+= 1
  }

  /// Whether the main screen, and not the alternate one, is shown.
  var isMainScreen: Bool { grid === mainGrid }

  // MARK: Upkeep

  /// Counts the change, and forgets unused styles and clusters when there are many.
  func finishFeed() {
    revision &+= 1
    if styles.isOverLimit || clusters.isOverLimit { collectUnused() }
  }

  func updateTableLimits() {
    let cells = size.rows * size.columns
    styles.limit = max(1 << 16, cells * 5)
    clusters.limit = max(1 << 14, cells * 5)
  }
}
