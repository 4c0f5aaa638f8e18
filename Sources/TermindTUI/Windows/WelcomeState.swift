import TermindDomain
import TermindPresentation
import TermindScreen

/// What is typed and chosen on a window's Welcome screen.
struct WelcomeState {
  private(set) var field = TextField()
  var problem = ""
  private(set) var selected: Int?
  private var hosts: [HostRecord] = []
  private(set) var matches: [HostRecord] = []

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
    /// The key is not for this screen.
    case ignored
  }

  /// Takes the saved hosts, those used last first.
  mutating func hostsChanged(_ services: Services) {
    hosts = services.hosts.sorted { ($0.lastUsed ?? 0, $1.name) > ($1.lastUsed ?? 0, $0.name) }
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
      if let selected, matches.indices.contains(selected) { return .open(matches[selected]) }
      return field.isEmpty ? .stay : .connect(line: field.text)
    case (.escape, []):
      problem = ""
      field.apply(.clear)
      filter()
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
    filter()
  }

  /// Empties the bar after a connection was opened from it.
  mutating func clear() {
    field.apply(.clear)
    problem = ""
    filter()
  }

  /// Chooses a host by the mouse.
  mutating func choose(_ index: Int) -> HostRecord? {
    guard matches.indices.contains(index) else { return nil }
    selected = index
    return matches[index]
  }

  private mutating func move(by step: Int) {
    guard !matches.isEmpty else { return }
    let next = (selected ?? -1) + step
    selected = next < 0 ? nil : min(next, matches.count - 1)
  }

  private mutating func filter() {
    selected = nil
    guard !field.isEmpty else {
      matches = hosts
      return
    }
    let index = FuzzyIndex(hosts.map { "\($0.name) \($0.username)@\($0.endpoint)" })
    matches = index.matches(field.text).places.map { hosts[$0] }
  }
}
