/// The byte strings that take the outer terminal over and give it back.
///
/// All of them are plain bytes without state, so that they can be made ahead and written by anyone who still
/// has the terminal: a client whose server died, or a crash handler.
public enum ScreenSession {
  /// Which mouse reports the terminal sends.
  public enum MouseReports: Hashable, Sendable {
    /// None: the terminal selects text by itself.
    case off
    /// Buttons, the wheel, and motion while a button is held.
    case drag
    /// Also motion without a button.
    case allMotion
  }

  /// Which keys are told apart where the kitty keyboard protocol is there.
  public struct KeyboardFlags: OptionSet, Hashable, Sendable {
    /// The numbers of the protocol.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Keys that legacy bytes confuse come as escape codes.
    public static let disambiguate = KeyboardFlags(rawValue: 1)
    /// Repeats and releases are told.
    public static let eventTypes = KeyboardFlags(rawValue: 2)
    /// The shifted key and the key's place are told.
    public static let alternateKeys = KeyboardFlags(rawValue: 4)
    /// Also keys that type text come as escape codes.
    public static let allKeys = KeyboardFlags(rawValue: 8)
    /// The text of a key is told.
    public static let text = KeyboardFlags(rawValue: 16)
    /// What a window asks for by itself: text stays text, so a shell survives should it ever be left on.
    public static let usual: KeyboardFlags = [.disambiguate, .eventTypes, .alternateKeys]
  }

  /// Takes the terminal over: alternate screen, our modes, hidden cursor.
  ///
  /// - Parameters:
  ///   - capabilities: What is known so far; send `change` when answers add to it.
  ///   - mouse: Which mouse reports to start with.
  /// - Returns: The bytes for the terminal.
  public static func enter(
    _ capabilities: ScreenCapabilities,
    mouse: MouseReports = .drag
  ) -> [UInt8] {
    var text = ""
    if hasTitleStack(capabilities) { text += "\u{1B}[22;0t" }
    text += "\u{1B}[?1049h"
    // A known state: no autowrap (a glyph wider than we think must not spill into the next row), no insert
    // mode, no origin mode, no margins, ASCII in the character set, plain cursor and number keys.
    text += "\u{1B}[?7l\u{1B}[4l\u{1B}[?6l\u{1B}[r\u{1B}(B\u{0F}\u{1B}[?1l\u{1B}>\u{1B}[m"
    text += "\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h"
    text += mouseText(mouse)
    var none = capabilities
    none.kittyKeyboard = false
    none.modifyOtherKeys = false
    none.colorSchemeReports = false
    none.sizeReports = false
    none.turnsGraphemeClustersOn = false
    return Array(text.utf8) + change(from: none, to: capabilities)
  }

  /// Turns on what the terminal's answers added since `enter`.
  public static func change(
    from old: ScreenCapabilities,
    to new: ScreenCapabilities
  ) -> [UInt8] {
    var text = ""
    if new.modifyOtherKeys != old.modifyOtherKeys {
      text += new.modifyOtherKeys ? "\u{1B}[>4;2m" : "\u{1B}[>4m"
    }
    if new.kittyKeyboard, !old.kittyKeyboard {
      text += "\u{1B}[>\(KeyboardFlags.usual.rawValue)u"
    }
    if new.turnsGraphemeClustersOn, !old.turnsGraphemeClustersOn { text += "\u{1B}[?2027h" }
    if new.colorSchemeReports, !old.colorSchemeReports { text += "\u{1B}[?2031h" }
    if new.sizeReports, !old.sizeReports { text += "\u{1B}[?2048h" }
    return Array(text.utf8)
  }

  /// Asks the terminal what it can do; the answer to the last question (DA1) ends the round.
  ///
  /// - Parameter capabilities: What is known so far; a console that would print some questions gets fewer.
  /// - Returns: The bytes for the terminal; send them after `enter` and before the first frame.
  public static func queries(_ capabilities: ScreenCapabilities? = nil) -> [UInt8] {
    var text = ""
    if capabilities.map({ !isPlainConsole($0) }) ?? true {
      text += "\u{1B}[?u\u{1B}[>0q\u{1B}[>c"
      for mode in [69, 2026, 2027, 2031, 2048] { text += "\u{1B}[?\(mode)$p" }
      text += "\u{1B}]10;?\u{1B}\\\u{1B}]11;?\u{1B}\\"
    }
    return Array((text + "\u{1B}[c").utf8)
  }

  /// Gives the terminal back as it was, from whatever state it is in.
  ///
  /// It may be sent twice. The keyboard protocol is popped on the alternate screen, which has a stack of
  /// its own, so that a second time does not pop what the shell pushed.
  public static func leave(_ capabilities: ScreenCapabilities) -> [UInt8] {
    var text = "\u{18}\u{1B}\\"
    let isConsole = isPlainConsole(capabilities)
    if !isConsole { text += "\u{1B}[?2026l\u{1B}]8;;\u{1B}\\" }
    text += "\u{1B}[?1049h"
    if !isConsole {
      text += "\u{1B}[<u\u{1B}[>4m\u{1B}[?69l\u{1B}[?2031l\u{1B}[?2048l"
    }
    if capabilities.turnsGraphemeClustersOn { text += "\u{1B}[?2027l" }
    text += mouseText(.off) + "\u{1B}[?1004l\u{1B}[?2004l"
    text += "\u{1B}[m\u{1B}[r\u{1B}(B\u{1B}[?1l\u{1B}>\u{1B}[?7h"
    if capabilities.cursorShapes { text += "\u{1B}[0 q" }
    text += "\u{1B}[?25h\u{1B}[?1049l\u{1B}[m"
    if hasTitleStack(capabilities) { text += "\u{1B}[23;0t" }
    return Array(text.utf8)
  }

  /// Changes which mouse reports come.
  public static func mouse(_ reports: MouseReports) -> [UInt8] { Array(mouseText(reports).utf8) }

  /// Changes which keys are told apart; nothing where the protocol is absent.
  public static func keyboard(
    _ flags: KeyboardFlags,
    _ capabilities: ScreenCapabilities
  ) -> [UInt8] {
    capabilities.kittyKeyboard ? Array("\u{1B}[=\(flags.rawValue);1u".utf8) : []
  }

  /// Sets the terminal's title, with controls left out and a bounded length.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - capabilities: What is known of the terminal.
  /// - Returns: The bytes; none for a console, which would print them.
  public static func title(_ title: String, _ capabilities: ScreenCapabilities) -> [UInt8] {
    guard hasTitleStack(capabilities) else { return [] }
    let clean = title.unicodeScalars.lazy.filter { ContentFilter.isShowable($0.value) }.prefix(256)
    return Array("\u{1B}]2;\(String(String.UnicodeScalarView(clean)))\u{1B}\\".utf8)
  }

  /// Rings the terminal's bell.
  public static func bell() -> [UInt8] { [0x07] }

  private static func mouseText(_ reports: MouseReports) -> String {
    switch reports {
    case .off: "\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?1006l"
    case .drag: "\u{1B}[?1003l\u{1B}[?1002h\u{1B}[?1006h"
    case .allMotion: "\u{1B}[?1002l\u{1B}[?1003h\u{1B}[?1006h"
    }
  }

  private static func hasTitleStack(_ capabilities: ScreenCapabilities) -> Bool {
    !isPlainConsole(capabilities)
  }

  private static func isPlainConsole(_ capabilities: ScreenCapabilities) -> Bool {
    let name = capabilities.terminalName
    return name == "linux" || name.hasPrefix("cons25") || name.hasPrefix("vt") || name == "ansi"
  }
}
