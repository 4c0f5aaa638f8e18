public import TermindScreen
import TermindUnicode

/// A piece of text in one style.
public struct TextSpan: Hashable, Sendable {
  /// The text; what could act on a terminal is made visible when it is drawn.
  public var text: String
  /// How it looks.
  public var style: ScreenStyle

  /// Makes a piece.
  public init(_ text: String, _ style: ScreenStyle) {
    self.text = text
    self.style = style
  }

  /// The columns that it takes.
  public var columns: Int { TextLine.columns(text) }
}

/// Lines, clipped and placed.
enum TextLine {
  static func columns(_ spans: [TextSpan]) -> Int { spans.reduce(0) { $0 + $1.columns } }

  static func columns(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : DisplayText(text).columns
  }

  /// Whether every byte is a printable ASCII character, as in most of what is drawn.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 &- 0x20 < 0x5F }
  }

  /// The text in at most `limit` columns, with an ellipsis when something was cut.
  static func clipped(_ text: String, _ limit: Int) -> String {
    if isPlain(text), text.utf8.count <= limit { return text }
    return DisplayText(text).clipped(to: max(limit, 0)).text
  }

  /// The end of the text in at most `limit` columns, with an ellipsis before it; for paths.
  static func clippedAtStart(_ text: String, _ limit: Int) -> String {
    let items = Array(DisplayText(text))
    guard items.reduce(0, { $0 + $1.columns }) > limit else { return text }
    guard limit > 1 else { return limit == 1 ? "…" : "" }
    var used = 1
    var kept: [String] = []
    for item in items.reversed() {
      guard used + item.columns <= limit else { break }
      used += item.columns
      kept.append(item.text)
    }
    return "…" + kept.reversed().joined()
  }

  /// Breaks text into lines at blanks; a word that is too long is broken where it must be.
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var line = ""
      var used = 0
      for word in paragraph.split(separator: " ", omittingEmptySubsequences: true) {
        let columns = columns(String(word))
        if used > 0, used + 1 + columns <= width {
          line += " " + word
          used += 1 + columns
          continue
        }
        if used > 0 { lines.append(line) }
        (line, used) = ("", 0)
        for item in DisplayText(String(word)) {
          if used + item.columns > width, used > 0 {
            lines.append(line)
            (line, used) = ("", 0)
          }
          line += item.text
          used += item.columns
        }
      }
      lines.append(line)
    }
    return lines
  }
}
