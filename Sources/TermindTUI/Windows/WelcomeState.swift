import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// What is typed and chosen on a window's Welcome screen.
struct WelcomeState {
  /// A row under the connect bar.
  struct Row {
    /// The saved name, or what was typed.
    var name: String
    /// `user@address` of a saved host.
    var address: String
    /// When it was connected to last, seconds since 1970.
    var lastUsed: Int64?
    /// The saved host; nil for one that was only typed.
    var host: HostRecord?
  }

  private(set) var field = TextField()
  var problem = ""
  private(set) var selected: Int?
  private(set) var matches: [Row] = []
  private var rows: [Row] = []
  private var index = FuzzyIndex([])

  /// What a key means.
  enum Outcome {
    /// The screen goes on.
    case stay
    /// Connect to what is typed.
    case connect(line: String)
    /// Connect to a saved host.
    case open(HostRecord)
    /// Open a local shell.
    case local
    /// Enter was pressed with nothing typed or chosen.
    case empty
    /// The key is not for this screen.
    case ignored
  }

  /// Takes the saved hosts and what was typed before, those used last first.
  mutating func hostsChanged(_ services: Services) {
    let contents = services.vault.contents
    var rows = contents.hosts.map { host in
      Row(
        name: host.name,
        address: contents.address(of: host),
        lastUsed: host.lastUsed,
        host: host
      )
    }
    rows += services.history.filter { $0.host == nil }.map { entry in
      Row(name: entry.target, address: "", lastUsed: entry.lastUsed, host: nil)
    }
    // Rows are large: their places are put in order, and each row is moved once.
    let order = rows.indices.sorted { left, right in
      (rows[left].lastUsed ?? 0, rows[right].name) > (rows[right].lastUsed ?? 0, rows[left].name)
    }
    self.rows = order.map { rows[$0] }
    index = FuzzyIndex(self.rows.map { "\($0.name) \($0.address)" })
    filter()
  }

  /// Takes a key.
  mutating func handle(_ key: KeyEvent) -> Outcome {
    guard key.kind != .release else { return .stay }
    switch (key.code, key.modifiers.intersection([.control, .alt, .super])) {
    case (.up, []): move(by: -1)
    case (.down, []): move(by: 1)
    case (.character(0x74), .control): return .local
    case (.enter, []), (.keypad(.enter), []):
      if let selected { return choose(selected) }
      return field.isEmpty ? .empty : .connect(line: field.text)
    case (.escape, []): clear()
    default:
      guard let edit = TextField.Edit(key) else { return .ignored }
      problem = ""
      if field.apply(edit) { filter() }
    }
    return .stay
  }

  /// Types pasted text into the connect bar.
  mutating func paste(_ text: String) {
    field.apply(.insert(text))
    problem = field.cutNote
    filter()
  }

  /// Empties the bar, as after a connection was opened from it.
  mutating func clear() {
    field.apply(.clear)
    problem = ""
    filter()
  }

  /// Chooses a row, by Enter or by the mouse.
  mutating func choose(_ index: Int) -> Outcome {
    guard matches.indices.contains(index) else { return .ignored }
    selected = index
    return matches[index].host.map { .open($0) } ?? .connect(line: matches[index].name)
  }

  private mutating func move(by step: Int) {
    guard !matches.isEmpty else { return }
    let next = (selected ?? -1) + step
    selected = next < 0 ? nil : min(next, matches.count - 1)
  }

  private mutating func filter() {
    selected = nil
    matches = field.isEmpty ? rows : index.matches(field.text).places.map { rows[$0] }
  }
}
