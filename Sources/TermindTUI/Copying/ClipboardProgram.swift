import TermindInfrastructure

/// The program that keeps the desktop's clipboard, where there is a desktop and such a program.
enum ClipboardProgram {
  /// The words that start it.
  ///
  /// - Parameter environment: Tells which desktop there is, and where programs are.
  /// - Returns: The program with its arguments; nil when there is none.
  static func words(_ environment: [String: String]) -> [String]? {
    let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    func found(_ words: [String]) -> [String]? {
      ExecutableSearch.find(words[0], in: path).map { [$0] + words.dropFirst() }
    }
    if environment["WAYLAND_DISPLAY"]?.isEmpty == false, let words = found(["wl-copy"]) {
      return words
    }
    guard environment["DISPLAY"]?.isEmpty == false else { return nil }
    return found(["xclip", "-selection", "clipboard", "-in"])
      ?? found(["xsel", "--clipboard", "--input"])
  }
}
