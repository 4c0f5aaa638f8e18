import TermindUnicode

/// Everything that a terminal remembers, apart from the parser and its gate.
///
/// It is a structure so that one exclusive access covers a whole run of text: the same state in a class
/// spent half of its time on access checks.
struct TerminalState {
  var size: TerminalSize
  var configuration: TerminalConfiguration
  var modes = TerminalModes()
  var title = ""
  var iconTitle = ""
  var workingDirectory: String?
  var workingDirectoryHost: String?
  var rowsScrolledOut: UInt64 = 0
  var commands = CommandTrack()

  // MARK: Decoding

  var decoder = TextDecoder()
  /// The 8-bit control that ended a run of text, as it begins a sequence.
  var stop: UInt8?

  // MARK: Screens

  /// The screen that is shown.
  var grid: Grid
  /// The other one.
  var hiddenGrid: Grid
  /// Whether the main screen, and not the alternate one, is shown.
  var isMainScreen = true
  var scrollback: Scrollback
  var styles = StyleTable()
  var clusters = ClusterTable()
  /// Counts how often numbers of styles and clusters may have been given anew.
  var numbering: UInt64 = 0
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
  /// What clusters become; forgotten when their numbers are given anew.
  var clusterMemo = ClusterMemo()
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
  /// DECSACE: 2 for rectangles, else the stream.
  var attributeExtent = 0
  var checksumFlags = 0
  /// Whether protection was last chosen by SPA or EPA, which every erase respects.
  var isIsoProtection = false
  var conformanceLevel = 64
  var sendsEightBit = false

  // MARK: Reports

  var replies = ReplyQueue()
  var events = EventQueue()
  var titleStack: [(title: String, icon: String)] = []
  var titleModes = TitleModes()
  var keyboards = KeyboardStacks()
  var synchronizedUpdate = false
  var palette = TerminalPalette()
  /// Whether a string that ended with BEL is being answered: so do the answers, as xterm does it.
  var answersWithBell = false

  init(size: TerminalSize, configuration: TerminalConfiguration) {
    self.size = size
    self.configuration = configuration
    hasWidthOverrides = !configuration.widthOverrides.isEmpty
    grid = Grid(rows: size.rows, columns: size.columns)
    hiddenGrid = Grid(rows: size.rows, columns: size.columns)
    scrollback = Scrollback(limit: configuration.scrollbackLines)
    bottomMargin = size.rows - 1
    rightMargin = size.columns - 1
    tabStops = TabStops(columns: size.columns)
  }
}
