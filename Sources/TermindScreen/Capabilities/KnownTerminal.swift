/// What is known of a terminal program that cannot be asked for.
struct KnownTerminal {
  struct Features: OptionSet {
    let rawValue: Int
    static let trueColor = Features(rawValue: 1)
    static let hyperlinks = Features(rawValue: 2)
    static let underlineStyles = Features(rawValue: 4)
    static let clipboard = Features(rawValue: 8)
    static let cursorShapes = Features(rawValue: 16)
    static let repeats = Features(rawValue: 32)
    static let modifyOtherKeys = Features(rawValue: 64)
    static let modern: Features = [.trueColor, .hyperlinks, .underlineStyles, .cursorShapes]
  }

  let features: Features

  /// Finds a program by its answer to XTVERSION.
  init?(version: String) { self.init(name: version) }

  /// Finds a program by the variables that it sets, or by its own `TERM`.
  init?(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    // Inside a multiplexer the variables speak of a terminal further out.
    if term.hasPrefix("tmux") || term.hasPrefix("screen") { return nil }
    if let program = environment["TERM_PROGRAM"], let known = KnownTerminal(name: program) {
      self = known
    } else if environment["WT_SESSION"] != nil {
      self.init(name: "windows terminal")
    } else if environment["KONSOLE_VERSION"] != nil {
      self.init(name: "konsole")
    } else if let version = environment["VTE_VERSION"], let number = Int(version), number >= 5000 {
      self.init(name: "vte")
    } else {
      self.init(name: term.hasPrefix("xterm-") ? String(term.dropFirst(6)) : term)
    }
  }

  private init?(name: String) {
    let folded = name.lowercased()
    guard let entry = Self.table.first(where: { folded.hasPrefix($0.0) }) else { return nil }
    features = entry.1
  }

  private static let table: [(String, Features)] = [
    ("kitty", [.modern, .clipboard, .repeats]),
    ("foot", [.modern, .clipboard, .repeats]),
    ("ghostty", [.modern, .clipboard, .repeats]),
    ("wezterm", [.modern, .clipboard, .repeats]),
    ("contour", [.modern, .clipboard, .repeats]),
    ("alacritty", [.modern, .clipboard, .repeats]),
    ("iterm", [.modern, .clipboard]),
    ("konsole", [.modern, .repeats]),
    ("vte", [.modern, .repeats]),
    ("mintty", [.modern, .clipboard, .repeats]),
    ("windows terminal", [.modern, .clipboard, .repeats]),
    ("vscode", [.trueColor, .hyperlinks, .underlineStyles, .cursorShapes]),
    ("termind", [.modern, .clipboard, .repeats]),
    // tmux repeats ASCII only (seen with 3.3a), and its own entries do not promise it.
    ("tmux ", [.underlineStyles, .hyperlinks, .cursorShapes, .modifyOtherKeys, .clipboard]),
    ("xterm(", [.trueColor, .clipboard, .cursorShapes, .repeats, .modifyOtherKeys]),
  ]
}
