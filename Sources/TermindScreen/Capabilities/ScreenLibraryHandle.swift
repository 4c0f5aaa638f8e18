internal import CNcurses

/// The library under the outer screen, for `termind doctor`.
public enum ScreenLibrary {
  /// The version that is loaded, such as `6.4.20221231`.
  public static var ncurses: String {
    guard let text = unsafe curses_version() else { return "unknown" }
    let words = unsafe String(cString: text).split(separator: " ")
    return words.last.map(String.init) ?? "unknown"
  }
}
