/// Reads a theme file in Ghostty's format.
///
/// Every line stands for itself: one that is wrong leaves the colour as it was and is noted.
public enum ThemeParser {
  /// What a file gave.
  public struct Result: Hashable, Sendable {
    /// The theme, complete even when the file is not.
    public var theme: Theme
    /// What was not understood, in the file's order.
    public var notes: [ConfigurationNote]
  }

  /// Reads a theme.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - name: The theme's name.
  ///   - file: What notes call the file.
  /// - Returns: The theme and the notes.
  public static func parse(_ text: String, name: String, file: String) -> Result {
    let (lines, notes) = ConfigurationLines.read(text, file: file)
    var reader = Reader(theme: Theme(name: name), file: file, notes: notes)
    for line in lines { reader.apply(line) }
    for missing in reader.missing {
      let reason = "it sets no \(missing); a plain one is used"
      reader.notes.append(.init(.error, file: file, line: 0, reason: reason))
    }
    return Result(theme: reader.theme, notes: reader.notes)
  }

  private struct Reader {
    var theme: Theme
    let file: String
    var notes: [ConfigurationNote]
    /// The settings without which a file is no theme.
    var missing = ["background", "foreground"]

    mutating func apply(_ line: ConfigurationLine) {
      switch line.key {
      case "palette": applyPalette(line)
      case "background": setRequired(line, \.background)
      case "foreground": setRequired(line, \.foreground)
      case "cursor-color": setOptional(line, \.cursor)
      case "cursor-text": setOptional(line, \.cursorText)
      case "selection-background": setOptional(line, \.selectionBackground)
      case "selection-foreground": setOptional(line, \.selectionForeground)
      default:
        note(.remark, line, "'\(line.key)' is not a colour that Termind knows; the line is ignored")
      }
    }

    private mutating func setRequired(
      _ line: ConfigurationLine,
      _ path: WritableKeyPath<Theme, ThemeColor>
    ) {
      guard let color = color(line.value, line) else { return }
      theme[keyPath: path] = color
      missing.removeAll { $0 == line.key }
    }

    private mutating func setOptional(
      _ line: ConfigurationLine,
      _ path: WritableKeyPath<Theme, ThemeColor?>
    ) {
      // An empty value resets; `cell-…` says that the cell's own colours are kept or swapped.
      if line.value.isEmpty || line.value.hasPrefix("cell-") {
        theme[keyPath: path] = nil
      } else if let color = color(line.value, line) {
        theme[keyPath: path] = color
      }
    }

    private mutating func applyPalette(_ line: ConfigurationLine) {
      let parts = line.value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        note(.error, line, "expected 'palette = N=#rrggbb', found '\(line.value)'")
        return
      }
      guard let index = Self.index(ConfigurationLines.trim(parts[0])) else {
        note(.error, line, "a palette index is a number from 0 to 255, not '\(parts[0])'")
        return
      }
      guard let color = color(String(ConfigurationLines.trim(parts[1])), line) else { return }
      theme.palette[index] = color
    }

    private mutating func color(_ text: String, _ line: ConfigurationLine) -> ThemeColor? {
      let color = ThemeColor(hex: text)
      if color == nil { note(.error, line, "a colour is written #rrggbb, not '\(text)'") }
      return color
    }

    private mutating func note(
      _ severity: ConfigurationNote.Severity,
      _ line: ConfigurationLine,
      _ reason: String
    ) {
      notes.append(.init(severity, file: file, line: line.number, reason: reason))
    }

    /// Decimal, or with `0x`, `0o`, `0b` in front.
    private static func index(_ text: Substring) -> Int? {
      let radixes: [(String, Int)] = [("0x", 16), ("0o", 8), ("0b", 2)]
      let value: Int?
      if let (prefix, radix) = radixes.first(where: { text.hasPrefix($0.0) }) {
        value = Int(text.dropFirst(prefix.count), radix: radix)
      } else {
        value = Int(text)
      }
      guard let value, (0...255).contains(value) else { return nil }
      return value
    }
  }
}
