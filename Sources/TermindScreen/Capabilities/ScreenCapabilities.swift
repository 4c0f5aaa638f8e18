/// How many colours a terminal can show.
public enum ScreenColorDepth: Int, Hashable, Sendable, Comparable {
  /// None, or the person asked for none (`NO_COLOR`).
  case monochrome
  /// The 16 colours of the person's theme.
  case indexed16
  /// The 256-colour palette.
  case indexed256
  /// 24 bits.
  case trueColor

  /// Fewer colours come first.
  public static func < (left: ScreenColorDepth, right: ScreenColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What the outer terminal can do, from terminfo, the environment and its own replies.
public struct ScreenCapabilities: Hashable, Sendable {
  /// The value of `TERM`.
  public var terminalName: String
  /// The terminfo entry that was used, `nil` when the database has none.
  public var terminfoEntry: String?
  /// What the terminal calls itself (XTVERSION), once it has answered.
  public var terminalVersion: String?
  /// Colours that can be shown.
  public var colorDepth: ScreenColorDepth
  /// Whether the locale is a UTF-8 one; otherwise drawing falls back to ASCII.
  public var unicode: Bool
  /// Whether the cursor can be addressed at all.
  public var isAddressable: Bool
  /// Mode 2026: a frame can be shown at once.
  public var synchronizedOutput: Bool
  /// The kitty keyboard protocol.
  public var kittyKeyboard: Bool
  /// xterm's modifyOtherKeys, the older way to tell modified keys apart.
  public var modifyOtherKeys: Bool
  /// Mode 2027: the terminal measures text by grapheme cluster, as we do.
  public var graphemeClusters: Bool
  /// Whether mode 2027 was off, so that entering turns it on and leaving turns it off again.
  public var turnsGraphemeClustersOn: Bool
  /// Underlines with forms and colours.
  public var underlineStyles: Bool
  /// OSC 8 hyperlinks.
  public var hyperlinks: Bool
  /// Mode 2031: reports when the desktop turns dark or light.
  public var colorSchemeReports: Bool
  /// Mode 2048: reports of the size inside the input.
  public var sizeReports: Bool
  /// OSC 52 may set the clipboard.
  public var clipboardWrite: Bool
  /// DECSCUSR sets the cursor's form.
  public var cursorShapes: Bool
  /// An erased cell takes the current background.
  public var backColorErase: Bool
  /// A character can be repeated by count (REP).
  public var repeats: Bool
  /// Cells can be erased by count (ECH).
  public var erasesCharacters: Bool
  /// Rows can be scrolled inside a region.
  public var scrollRegions: Bool
  /// DECSLRM: the region can also have left and right margins.
  public var leftRightMargins: Bool
  /// The terminal's default text colour, once it has answered.
  public var defaultForeground: ScreenColor?
  /// The terminal's default background, once it has answered.
  public var defaultBackground: ScreenColor?
  /// Keys that the terminfo entry adds to what every decoder knows.
  public var keys: [[UInt8]: KeyEvent]
  /// Whether DA1, the answer to the last query, has come.
  public var hasAnswered: Bool

  let isColorRefused: Bool
  let isLocaleUnset: Bool
  let terminfoRepeats: Bool

  /// Joins what terminfo and the environment say.
  ///
  /// - Parameters:
  ///   - terminfo: The entry of the terminal.
  ///   - environment: The environment of the process that owns the terminal, not of the server.
  public init(terminfo: TerminfoDescription, environment: [String: String]) {
    terminalName = terminfo.name
    terminfoEntry = terminfo.entry
    terminalVersion = nil
    isAddressable = terminfo.isAddressable
    isColorRefused = !(environment["NO_COLOR"] ?? "").isEmpty
    colorDepth = Self.depth(terminfo, environment, isRefused: isColorRefused)
    let locale = LocaleCharset(environment: environment)
    unicode = locale == .utf8
    isLocaleUnset = locale == .unset
    backColorErase = terminfo.backColorErase
    erasesCharacters = terminfo.erasesCharacters
    scrollRegions = terminfo.scrollRegions
    terminfoRepeats = terminfo.repeats
    // Too many terminals call themselves xterm and do not repeat; those have to answer by name first.
    repeats = terminfo.repeats && !terminfo.name.hasPrefix("xterm")
    cursorShapes = terminfo.cursorShapes
    underlineStyles = terminfo.underlineStyles
    keys = terminfo.keys
    synchronizedOutput = false
    kittyKeyboard = false
    modifyOtherKeys = false
    graphemeClusters = false
    turnsGraphemeClustersOn = false
    hyperlinks = false
    colorSchemeReports = false
    sizeReports = false
    clipboardWrite = false
    leftRightMargins = false
    hasAnswered = false
    if let known = KnownTerminal(environment: environment) { adopt(known) }
  }

  /// Looks the terminal of an environment up in the terminfo database of this machine.
  public init(environment: [String: String]) {
    let terminfo = TerminfoDescription.load(name: environment["TERM"] ?? "")
    self.init(terminfo: terminfo, environment: environment)
  }

  /// Takes in an answer of the terminal.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult
  public mutating func apply(_ reply: TerminalReply) -> Bool {
    let before = self
    switch reply {
    case .primaryAttributes(let attributes):
      hasAnswered = true
      if attributes.contains(52) { clipboardWrite = true }
    case .version(let text):
      terminalVersion = text
      if let known = KnownTerminal(version: text) { adopt(known) }
    case .mode(let mode, let state): apply(mode: mode, state)
    case .keyboardFlags:
      kittyKeyboard = true
      modifyOtherKeys = false
    case .color(.foreground, let red, let green, let blue):
      defaultForeground = .rgb(red, green, blue)
    case .color(.background, let red, let green, let blue):
      defaultBackground = .rgb(red, green, blue)
    default: break
    }
    return self != before
  }

  /// Whether what is on the screen looks right for other capabilities too.
  func drawsLike(_ other: ScreenCapabilities) -> Bool {
    colorDepth == other.colorDepth && unicode == other.unicode
      && isAddressable == other.isAddressable && underlineStyles == other.underlineStyles
      && hyperlinks == other.hyperlinks && graphemeClusters == other.graphemeClusters
  }

  private mutating func apply(mode: Int, _ state: ModeState) {
    switch mode {
    case 69: leftRightMargins = state == .set || state == .reset
    case 2026: synchronizedOutput = state.isUsable
    case 2027:
      graphemeClusters = state.isUsable
      turnsGraphemeClustersOn = state == .reset
    case 2031: colorSchemeReports = state.isUsable
    case 2048: sizeReports = state.isUsable
    default: break
    }
  }

  private mutating func adopt(_ known: KnownTerminal) {
    let features = known.features
    if features.contains(.trueColor), !isColorRefused { colorDepth = .trueColor }
    if features.contains(.hyperlinks) { hyperlinks = true }
    if features.contains(.underlineStyles) { underlineStyles = true }
    if features.contains(.clipboard) { clipboardWrite = true }
    if features.contains(.cursorShapes) { cursorShapes = true }
    repeats = terminfoRepeats && features.contains(.repeats)
    if features.contains(.modifyOtherKeys), !kittyKeyboard { modifyOtherKeys = true }
    // All of these speak UTF-8; only a locale that says otherwise is believed over that.
    if isLocaleUnset { unicode = true }
  }

  private static func depth(
    _ terminfo: TerminfoDescription,
    _ environment: [String: String],
    isRefused: Bool
  ) -> ScreenColorDepth {
    if isRefused { return .monochrome }
    let direct = environment["COLORTERM"].map { ["truecolor", "24bit"].contains($0) } ?? false
    if direct || terminfo.directColor || terminfo.name.hasSuffix("-direct") { return .trueColor }
    switch terminfo.colors {
    case 256...: return .indexed256
    case 8...: return .indexed16
    default: return .monochrome
    }
  }
}
