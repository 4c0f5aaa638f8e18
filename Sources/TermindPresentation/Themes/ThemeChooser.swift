public import TermindScreen

/// The list of themes with its live preview: moving through it shows each theme at once.
public struct ThemeChooser: Sendable {
  /// What a key did.
  public enum Answer: Hashable, Sendable {
    /// Nothing that shows.
    case none
    /// Show this theme while the list stays open.
    case preview(String)
    /// Take this theme.
    case chosen(String)
    /// Go back to the theme that was in force.
    case cancelled(String)
  }

  /// The sheet around it.
  public static let sheet = ChooserSheet(
    title: "Theme",
    placeholder: "type a name, dark or light",
    hints: [KeyHint("enter", "take"), KeyHint("↑↓", "preview"), KeyHint("esc", "back")]
  )

  /// The themes.
  public let listings: [ThemeListing]
  /// The list's state.
  public private(set) var list: FilteredList
  private let original: String
  private let kinds: [Bool]

  /// Reads every theme once, to tell dark from light.
  ///
  /// - Parameters:
  ///   - library: Where themes are found.
  ///   - current: The theme in force.
  public init(_ library: ThemeLibrary, current: String) {
    let listings = library.listings()
    let kinds = listings.map { library.theme(named: $0.name).theme.isDark }
    self.listings = listings
    self.kinds = kinds
    original = current
    list = FilteredList(
      listings.indices.map { "\(listings[$0].name) \(kinds[$0] ? "dark" : "light")" },
      selected: listings.firstIndex { $0.name == current }
    )
  }

  /// Takes a key.
  public mutating func handle(_ event: KeyEvent, page: Int = 10) -> Answer {
    guard event.kind != .release else { return .none }
    switch event.code {
    case .escape: return .cancelled(original)
    case .enter, .keypad(.enter):
      return list.selected.map { .chosen(listings[$0].name) } ?? .none
    default:
      let before = list.selected
      guard list.handle(event, page: page), let now = list.selected, now != before else {
        return .none
      }
      return .preview(listings[now].name)
    }
  }

  /// Chooses a row by the mouse.
  public mutating func select(row: Int) -> Answer {
    list.select(row: row)
    return list.selected.map { .preview(listings[$0].name) } ?? .none
  }

  /// The row of a theme.
  public func row(_ place: Int) -> ChooserRow {
    let source: String
    switch listings[place].source {
    case .person: source = "your own"
    case .ghostty: source = "Ghostty"
    case .shipped: source = ""
    }
    return ChooserRow(
      title: listings[place].name,
      detail: kinds[place] ? "dark" : "light",
      trailing: listings[place].name == original ? "in force" : source,
      sign: listings[place].name == original ? "●" : ""
    )
  }
}
