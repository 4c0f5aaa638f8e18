/// What the terminfo database says about a terminal, as far as we use it.
public struct TerminfoDescription: Sendable, Hashable {
  /// The name that was looked up.
  public var name: String
  /// The entry that was found, which may be a relative of the name; `nil` when nothing was.
  public var entry: String?
  /// Number of colours, 0 when it has none.
  public var colors: Int
  /// Whether an erased cell takes the current background.
  public var backColorErase: Bool
  /// Whether a character can be repeated by count.
  public var repeats: Bool
  /// Whether cells can be erased by count.
  public var erasesCharacters: Bool
  /// Whether rows can be scrolled inside a region.
  public var scrollRegions: Bool
  /// Whether the cursor's form can be set.
  public var cursorShapes: Bool
  /// Whether underlines have forms and colours.
  public var underlineStyles: Bool
  /// Whether colours are direct 24-bit ones.
  public var directColor: Bool
  /// Whether the cursor is addressed in the ANSI way; nothing can be drawn otherwise.
  public var isAddressable: Bool
  /// The bytes of the keys, as far as they are not the ones that every decoder knows.
  public var keys: [[UInt8]: KeyEvent]

  /// A description with nothing in it but the basics of an ANSI terminal.
  public init(name: String) {
    self.name = name
    entry = nil
    colors = 8
    backColorErase = false
    repeats = false
    erasesCharacters = false
    scrollRegions = true
    cursorShapes = false
    underlineStyles = false
    directColor = false
    isAddressable = true
    keys = [:]
  }

  /// Looks a terminal up in the terminfo database.
  ///
  /// A name without an entry (a new terminal, an old database) is looked up by what it is known to be like.
  /// - Parameter name: The value of `TERM`.
  /// - Returns: The description; its `entry` is `nil` when the database knows neither name.
  public static func load(name: String) -> TerminfoDescription {
    let isName =
      !name.isEmpty && name.utf8.count < 128
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
    var description = TerminfoDescription(name: isName ? name : "unknown")
    guard isName else {
      description.isAddressable = false
      return description
    }
    if description.read(name) { return description }
    for relative in relatives(of: name) where description.read(relative) { break }
    return description
  }

  /// Reads an entry; says whether there is one.
  private mutating func read(_ candidate: String) -> Bool {
    guard TerminfoHandle.withEntry(name: candidate, { readCurrentEntry() }) else { return false }
    entry = candidate
    return true
  }

  private static func relatives(of name: String) -> [String] {
    let families = ["xterm", "tmux", "screen", "rxvt", "linux"]
    let modern = ["kitty", "foot", "ghostty", "wezterm", "alacritty", "contour", "konsole", "vte"]
    if modern.contains(where: { name.contains($0) }) { return ["xterm-256color", "xterm"] }
    guard let family = families.first(where: { name.hasPrefix($0) }) else { return [] }
    return ["\(family)-256color", family, "xterm-256color"]
  }

  private mutating func readCurrentEntry() {
    colors = max(TerminfoHandle.number("colors") ?? 0, 0)
    backColorErase = TerminfoHandle.flag("bce")
    repeats = TerminfoHandle.string("rep") != nil
    erasesCharacters = TerminfoHandle.string("ech") != nil
    scrollRegions = TerminfoHandle.string("csr") != nil && TerminfoHandle.string("indn") != nil
    cursorShapes = TerminfoHandle.string("Ss") != nil
    underlineStyles = TerminfoHandle.string("Smulx") != nil || TerminfoHandle.flag("Su")
    directColor = TerminfoHandle.flag("RGB") || TerminfoHandle.flag("Tc")
    isAddressable = TerminfoHandle.string("cup")?.starts(with: [0x1B, 0x5B]) ?? false
    for (capability, key) in TerminfoKeys.all {
      guard let bytes = TerminfoHandle.string(capability), bytes.count <= 16 else { continue }
      if bytes.count > 1 || capability == "kbs" { keys[bytes] = keys[bytes] ?? key }
    }
  }
}
