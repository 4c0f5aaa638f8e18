/// What the owner of a terminal decides.
public struct TerminalConfiguration: Sendable {
  /// Most lines kept above the screen, from 0 to 1,000,000.
  public var scrollbackLines: Int
  /// Whether title reports (XTWINOPS 20 and 21) tell the title; otherwise they tell an empty one.
  ///
  /// A remote that chooses a title and then asks for it types text of its choice, so this is off.
  public var reportsTitle: Bool
  /// Whether OSC 52 with `?` becomes a `clipboardRead` event; otherwise it is answered empty at once.
  public var allowsClipboardRead: Bool
  /// Columns of single scalars that differ from the built-in table, 1 or 2 each.
  public var widthOverrides: [UInt32: Int]
  /// What XTVERSION answers.
  public var versionName: String
  /// Whether the colour scheme is dark, for colour-scheme reports (CSI ? 996 n).
  public var isDarkScheme: Bool

  /// Makes a configuration; without arguments it is the recommended one.
  ///
  /// - Parameters:
  ///   - scrollbackLines: Most lines kept above the screen.
  ///   - reportsTitle: Whether title reports tell the title.
  ///   - allowsClipboardRead: Whether programs may ask for the clipboard.
  ///   - widthOverrides: Columns of single scalars that differ from the table.
  ///   - versionName: What XTVERSION answers.
  ///   - isDarkScheme: Whether the colour scheme is dark.
  public init(
    scrollbackLines: Int = 10_000,
    reportsTitle: Bool = false,
    allowsClipboardRead: Bool = false,
    widthOverrides: [UInt32: Int] = [:],
    versionName: String = "Termind",
    isDarkScheme: Bool = true
  ) {
    self.scrollbackLines = min(max(scrollbackLines, 0), 1_000_000)
    self.reportsTitle = reportsTitle
    self.allowsClipboardRead = allowsClipboardRead
    self.widthOverrides = widthOverrides
    self.versionName = versionName
    self.isDarkScheme = isDarkScheme
  }
}
