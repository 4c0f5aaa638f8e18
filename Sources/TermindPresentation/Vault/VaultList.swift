public import FoundationEssentials
public import TermindScreen

/// Names a record in a list of the Vault.
public enum VaultItemID: Hashable, Sendable {
  /// A record of the store.
  case record(UUID)
  /// Something that is known by its text: a line of a file, a target of the history, a key of the agent.
  case text(String)
}

/// What a list has to know of each record: the rest is asked for when its row is drawn.
public struct VaultItem: Hashable, Sendable, Identifiable {
  /// The record.
  public let id: VaultItemID
  /// Its title, for the width of the first column.
  public let title: String
  /// What it is found by, title included.
  public let text: String
  /// Its tags.
  public let tags: [String]

  /// Makes an entry.
  public init(_ id: VaultItemID, title: String, text: String, tags: [String] = []) {
    self.id = id
    self.title = title
    self.text = text
    self.tags = tags
  }
}

/// A list of records: filtered while typing, sorted, with a chosen row and marked ones.
///
/// What is matched is prepared once when the records change; a keystroke looks only at what the one
/// before has left. The chosen and the marked records stay so when the list is loaded anew.
public struct VaultList: Sendable {
  private struct Prepared: Sendable {
    var entry: FuzzyEntry
    var tags: [String]
  }

  /// The records, as they were given.
  public private(set) var items: [VaultItem] = []
  /// The matching records as places in `items`: best first while words are typed, else as sorted.
  public private(set) var matches: [Int] = []
  /// The chosen row, as a place in `matches`.
  public private(set) var selection = 0
  /// The first row that is shown.
  public private(set) var firstRow = 0
  private var shownRows = 0
  /// The marked records.
  public private(set) var marks: Set<VaultItemID> = []
  /// What is typed over the list.
  public private(set) var query = TextField()
  /// Whether letters go into the filter.
  public var isFiltering = false
  /// How the rows are sorted, in a word or two.
  public private(set) var sortName = ""
  /// The columns that the titles want.
  public private(set) var titleColumns = 0
  /// The columns that the tags want.
  public private(set) var tagColumns = 0
  /// Whether rows have something at their right end, such as a time.
  public var hasTrailing = true
  private var prepared: [Prepared] = []
  /// Records that match whatever words are typed, as places in `items`.
  private var included: Set<Int> = []
  private var order: [Int] = []
  private var filter = VaultFilter("")
  /// What may match: everything that holds the typed letters in order, as places, as sorted.
  private var candidates: [Int] = []

  /// Makes an empty list.
  public init() {}

  /// The chosen record, as a place in `items`.
  public var selected: Int? { matches.indices.contains(selection) ? matches[selection] : nil }

  /// The chosen record.
  public var selectedID: VaultItemID? { selected.map { items[$0].id } }

  /// The marked records as they stand in the list, else the chosen one.
  public var chosen: [VaultItemID] {
    guard marks.isEmpty else { return order.map { items[$0].id }.filter(marks.contains) }
    return selectedID.map { [$0] } ?? []
  }

  /// Whether something is typed over the list.
  public var isFiltered: Bool { !filter.isEmpty }

  // MARK: - Contents

  /// Takes the records.
  ///
  /// - Parameters:
  ///   - items: All records.
  ///   - order: Their places, as sorted; nil when they are sorted already.
  ///   - sortName: How they are sorted.
  public mutating func load(_ items: [VaultItem], order: [Int]? = nil, sortName: String = "") {
    let chosen = selectedID
    let row = selection
    prepare(items)
    titleColumns = Self.usual(items.map { TextLine.columns($0.title) })
    tagColumns = Self.usual(
      items.filter { !$0.tags.isEmpty }.map { item in
        item.tags.reduce(-1) { $0 + TextLine.columns($1) + 1 }
      }
    )
    if !marks.isEmpty { marks.formIntersection(items.map(\.id)) }
    included = []
    self.order = order ?? Array(items.indices)
    self.sortName = sortName
    refilter(from: self.order)
    if let chosen, select(id: chosen) { return }
    select(row: row)
  }

  /// Prepares what is matched; it is the dear part, so what stands unchanged before and behind a change
  /// keeps it.
  private mutating func prepare(_ new: [VaultItem]) {
    let limit = min(items.count, new.count)
    var first = 0
    while first < limit, items[first] == new[first] { first += 1 }
    var last = 0
    while last < limit - first, items[items.count - 1 - last] == new[new.count - 1 - last] {
      last += 1
    }
    let made = new[first..<(new.count - last)].map { item in
      Prepared(entry: FuzzyEntry(item.text), tags: item.tags.map { $0.lowercased() })
    }
    prepared.replaceSubrange(first..<(items.count - last), with: made)
    items = new
  }

  /// A width that nine of ten have room in: one long name does not take the room of all others.
  private static func usual(_ widths: [Int]) -> Int {
    let sorted = widths.sorted()
    guard let last = sorted.last else { return 0 }
    return min(last, max(sorted[(sorted.count - 1) * 9 / 10], 24))
  }

  /// Takes the records of another list that was prepared elsewhere; what is typed, chosen and marked here
  /// stays so.
  public mutating func adopt(_ other: VaultList) {
    var fresh = other
    fresh.query = query
    fresh.filter = filter
    fresh.isFiltering = isFiltering
    fresh.selection = selection
    fresh.firstRow = firstRow
    fresh.shownRows = shownRows
    fresh.hasTrailing = hasTrailing
    fresh.marks = marks.isEmpty ? [] : marks.intersection(other.items.map(\.id))
    let chosen = selectedID
    if !filter.isEmpty { fresh.refilter(from: fresh.order) }
    if chosen.map({ fresh.select(id: $0) }) != true { fresh.select(row: selection) }
    self = fresh
  }

  /// Sorts the records anew; the chosen one stays so.
  public mutating func sort(_ order: [Int], name: String) {
    let chosen = selectedID
    self.order = order
    sortName = name
    refilter(from: order)
    if let chosen { select(id: chosen) }
  }

  // MARK: - Filter

  /// Edits what is typed; the best match becomes the chosen one.
  public mutating func apply(_ edit: TextField.Edit) {
    guard query.apply(edit) else { return }
    let before = filter
    filter = VaultFilter(query.text)
    guard filter != before else { return }
    refilter(from: filter.narrows(before) ? candidates : order)
    selection = 0
    firstRow = 0
  }

  /// Forgets what is typed; the chosen record stays so.
  public mutating func clearFilter() {
    let chosen = selectedID
    query = TextField()
    filter = VaultFilter("")
    isFiltering = false
    refilter(from: order)
    if let chosen { select(id: chosen) }
  }

  private mutating func refilter(from pool: [Int]) {
    guard !filter.isEmpty else {
      candidates = order
      matches = order
      return
    }
    let words = filter.words
    let prepared = prepared
    candidates = pool.filter { place in
      filter.accepts(tags: prepared[place].tags)
        && words.allSatisfy { prepared[place].entry.holds($0) }
    }
    guard !words.isEmpty else {
      matches = candidates
      return
    }
    let scorer = FuzzyScorer(filter.text)
    var found: [(score: Int, rank: Int)] = []
    found.reserveCapacity(candidates.count)
    for (rank, place) in candidates.enumerated() {
      if let score = scorer.score(prepared[place].entry) { found.append((score, rank)) }
    }
    found.sort { ($1.score, $0.rank) < ($0.score, $1.rank) }
    matches = found.map { candidates[$0.rank] }
    if !included.isEmpty {
      matches = order.filter(included.contains) + matches.filter { !included.contains($0) }
    }
  }

  /// Lets records match whatever words are typed, such as hashed names that were found otherwise.
  ///
  /// - Parameters:
  ///   - places: Their places in `items`; they come first.
  ///   - keepsChoice: Whether the chosen record stays so; else the first one becomes it.
  public mutating func include(_ places: Set<Int>, keepsChoice: Bool = false) {
    guard places != included else { return }
    let chosen = keepsChoice ? selectedID : nil
    included = places
    refilter(from: order)
    if let chosen, select(id: chosen) { return }
    selection = 0
    firstRow = 0
  }

  // MARK: - Choosing and marking

  /// Moves the choice; it stops at the ends.
  public mutating func move(by rows: Int) { select(row: selection + rows) }

  /// Chooses a row of the matches.
  public mutating func select(row: Int) {
    selection = min(max(row, 0), max(matches.count - 1, 0))
  }

  /// Chooses a record.
  ///
  /// - Returns: Whether it is among the matches.
  @discardableResult public mutating func select(id: VaultItemID) -> Bool {
    guard let row = matches.firstIndex(where: { items[$0].id == id }) else { return false }
    selection = row
    return true
  }

  /// Marks a row, or takes its mark away.
  public mutating func toggleMark(row: Int) {
    guard matches.indices.contains(row) else { return }
    let id = items[matches[row]].id
    if marks.remove(id) == nil { marks.insert(id) }
  }

  /// Marks the rows between the chosen one and another, and chooses that.
  public mutating func mark(through row: Int) {
    guard matches.indices.contains(row), matches.indices.contains(selection) else { return }
    for place in min(row, selection)...max(row, selection) {
      marks.insert(items[matches[place]].id)
    }
    select(row: row)
  }

  /// Marks everything that matches; when it is all marked already, the marks go.
  public mutating func toggleAllMarks() {
    let all = Set(matches.map { items[$0].id })
    if all.isSubset(of: marks) { marks.subtract(all) } else { marks.formUnion(all) }
  }

  /// Marks exactly these records.
  public mutating func setMarks(_ ids: Set<VaultItemID>) { marks = ids }

  /// Takes all marks away.
  public mutating func clearMarks() { marks = [] }

  // MARK: - Scrolling

  /// Scrolls; the chosen row goes along only as far as it has to.
  public mutating func scroll(by rows: Int) {
    let before = firstRow
    firstRow = min(max(firstRow + rows, 0), max(matches.count - shownRows, 0))
    guard firstRow != before else { return select(row: selection + rows) }
    select(row: min(max(selection, firstRow), firstRow + max(shownRows, 1) - 1))
  }

  /// The rows to show; they move only as far as the chosen row needs.
  public mutating func window(rows: Int) -> Range<Int> {
    shownRows = rows
    guard rows > 0 else { return 0..<0 }
    if selection < firstRow { firstRow = selection }
    if selection >= firstRow + rows { firstRow = selection - rows + 1 }
    firstRow = min(firstRow, max(matches.count - rows, 0))
    return firstRow..<min(firstRow + rows, matches.count)
  }

  /// Takes a key of the list or its filter.
  ///
  /// - Parameters:
  ///   - event: The key.
  ///   - page: The rows that a page has.
  /// - Returns: Whether the key was meant for the list.
  public mutating func handle(_ event: KeyEvent, page: Int) -> Bool {
    guard event.kind != .release else { return false }
    let held = event.modifiers.intersection([.control, .alt, .super])
    switch (event.code, held) {
    case (.up, []), (.character(0x70), .control): move(by: -1)
    case (.down, []), (.character(0x6E), .control): move(by: 1)
    case (.pageUp, []): move(by: -max(page, 1))
    case (.pageDown, []): move(by: max(page, 1))
    case (.home, .control): select(row: 0)
    case (.end, .control): select(row: matches.count - 1)
    default: return isFiltering ? handleFilter(event) : handleLetters(event)
    }
    return true
  }

  private mutating func handleFilter(_ event: KeyEvent) -> Bool {
    switch event.code {
    case .escape: clearFilter()
    case .enter, .keypad(.enter), .tab: isFiltering = false
    default:
      guard let edit = TextField.Edit(event) else { return false }
      apply(edit)
    }
    return true
  }

  private mutating func handleLetters(_ event: KeyEvent) -> Bool {
    guard event.modifiers.isDisjoint(with: [.control, .alt, .super]) else { return false }
    let shift = event.modifiers.contains(.shift)
    switch event.code {
    case .home: select(row: 0)
    case .end: select(row: matches.count - 1)
    case .character(0x6B) where !shift: move(by: -1)
    case .character(0x6A) where !shift: move(by: 1)
    case .character(0x2F): isFiltering = true
    case .character(0x20):
      toggleMark(row: selection)
      move(by: 1)
    case .escape where isFiltered: clearFilter()
    case .escape where !marks.isEmpty: clearMarks()
    default: return false
    }
    return true
  }
}

extension FuzzyEntry {
  /// Whether the letters of a word stand in the text in order, with anything between.
  func holds(_ word: [UInt8]) -> Bool {
    var next = 0
    guard !word.isEmpty else { return true }
    for byte in bytes where byte == word[next] {
      next += 1
      if next == word.count { return true }
    }
    return false
  }
}
