public import TermindScreen

/// A list that is filtered by typing, with a chosen row.
///
/// Entries may belong to a scope and may carry a bonus: a prefix narrows the list to its scope, and of
/// two entries that match alike the one with the larger bonus comes first.
public struct FilteredList: Sendable {
  /// One entry, as far as finding it goes.
  public struct Item: Sendable {
    /// What it is found by, prepared.
    public var entry: FuzzyEntry
    /// How many points it starts with; whole words found are worth hundreds.
    public var bonus: Int
    /// The prefix of the scope that it belongs to; nil when no prefix shows it.
    public var scope: Character?

    /// Makes an item.
    public init(_ text: String, bonus: Int = 0, scope: Character? = nil) {
      entry = FuzzyEntry(text)
      self.bonus = bonus
      self.scope = scope
    }
  }

  /// An entry that stands under the matches while the typed text allows it, such as "connect to …".
  public struct Fallback: Sendable {
    /// Its place among the entries.
    public var place: Int
    /// The prefix under which it is offered too; without a prefix it always is.
    public var scope: Character?
    /// Whether it is offered for a pattern.
    public var isOffered: @Sendable (String) -> Bool

    /// Makes a fallback.
    public init(
      place: Int,
      scope: Character? = nil,
      isOffered: @escaping @Sendable (String) -> Bool
    ) {
      self.place = place
      self.scope = scope
      self.isOffered = isOffered
    }
  }

  /// What is typed, the prefix of a scope included.
  public private(set) var query: TextField
  /// The places of the matching entries, best first.
  public private(set) var matches: [Int]
  /// The chosen row, as a place in `matches`.
  public private(set) var selection = 0
  /// How many entries there are in all, without the fallback.
  public let count: Int
  /// What a prefix can narrow the list to.
  public let scopes: [FilterScope]
  private let index: FuzzyIndex
  private let members: [Character?]
  private let fallback: Fallback?
  /// Whether all entries match, as they were found by other means.
  private let showsAll: Bool

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - items: The entries.
  ///   - scopes: What a prefix narrows the list to.
  ///   - fallback: An entry that matches only by its own rule.
  ///   - query: What is typed already.
  ///   - selected: The entry to start at, when it matches.
  public init(
    _ items: [Item],
    scopes: [FilterScope] = [],
    fallback: Fallback? = nil,
    query: String = "",
    selected: Int? = nil
  ) {
    index = FuzzyIndex(items.map(\.entry), bonuses: items.map(\.bonus))
    members = items.map(\.scope)
    count = fallback == nil ? items.count : items.count - 1
    self.scopes = scopes
    self.fallback = fallback
    showsAll = false
    self.query = TextField(query)
    matches = []
    filter()
    if let selected, let row = matches.firstIndex(of: selected) { selection = row }
  }

  /// Makes a list of entries that were found elsewhere with what is typed: all of them are shown, in their order.
  ///
  /// - Parameters:
  ///   - count: How many entries there are.
  ///   - query: What is typed.
  ///   - selected: The entry to start at.
  public init(found count: Int, query: TextField, selected: Int = 0) {
    index = FuzzyIndex([], bonuses: [])
    members = []
    self.count = count
    scopes = []
    fallback = nil
    showsAll = true
    self.query = query
    matches = Array(0..<count)
    select(row: selected)
  }

  /// Makes a list of plain texts.
  ///
  /// - Parameters:
  ///   - texts: What each entry is found by.
  ///   - query: What is typed already.
  ///   - selected: The entry to start at, when it matches.
  public init(_ texts: [String], query: String = "", selected: Int? = nil) {
    self.init(texts.map { Item($0) }, query: query, selected: selected)
  }

  /// The scope that the typed prefix chose.
  public var scope: FilterScope? {
    query.text.first.flatMap { first in scopes.first { $0.prefix == first } }
  }

  /// What is looked for: the typed text without the prefix of a scope.
  public var pattern: String {
    scope == nil ? query.text : String(query.text.dropFirst())
  }

  /// How many entries match, without the fallback.
  public var matchCount: Int {
    matches.last == fallback?.place ? max(matches.count - 1, 0) : matches.count
  }

  /// The chosen entry; nil when nothing matches.
  public var selected: Int? { matches.indices.contains(selection) ? matches[selection] : nil }

  /// Takes a key: typing filters, arrows and pages move.
  ///
  /// - Parameters:
  ///   - event: The key.
  ///   - page: The rows that a page has.
  /// - Returns: Whether the key was meant for the list; enter, escape and tab are not.
  public mutating func handle(_ event: KeyEvent, page: Int = 10) -> Bool {
    guard event.kind != .release else { return false }
    let held = event.modifiers.intersection([.control, .alt, .super])
    switch (event.code, held) {
    case (.up, []), (.character(0x70), .control): move(by: -1)
    case (.down, []), (.character(0x6E), .control): move(by: 1)
    case (.pageUp, []): move(by: -max(page, 1))
    case (.pageDown, []): move(by: max(page, 1))
    case (.home, .control): select(row: 0)
    case (.end, .control): select(row: matches.count - 1)
    default:
      guard let edit = TextField.Edit(event) else { return false }
      apply(edit)
    }
    return true
  }

  /// Edits what is typed; the best match becomes the chosen one.
  public mutating func apply(_ edit: TextField.Edit) {
    guard query.apply(edit) else { return }
    filter()
  }

  private mutating func filter() {
    guard !showsAll else { return }
    let prefix = scope?.prefix
    let own = fallback?.place
    matches =
      index.matches(pattern) { (prefix == nil || members[$0] == prefix) && $0 != own }.places
    if let fallback, prefix == nil || prefix == fallback.scope, fallback.isOffered(pattern) {
      matches.append(fallback.place)
    }
    selection = 0
  }

  /// Moves the choice; it stops at the ends.
  public mutating func move(by rows: Int) { select(row: selection + rows) }

  /// Chooses a row of the matches, for instance by the mouse.
  public mutating func select(row: Int) {
    selection = min(max(row, 0), max(matches.count - 1, 0))
  }

  /// The rows to show so that the chosen one is among them.
  public func window(rows: Int) -> Range<Int> {
    guard rows > 0 else { return 0..<0 }
    let first = min(max(selection - rows / 2, 0), max(matches.count - rows, 0))
    return first..<min(first + rows, matches.count)
  }
}
