public import TermindDomain

/// Numbers the listings of a file pane; what arrives with an older number is dropped.
public struct FileListingGeneration: Hashable, Sendable {
  let rawValue: UInt64
}

/// How a file pane came to a directory.
public enum FileVisit: Hashable, Sendable {
  /// By opening it or typing its path.
  case open
  /// Back in the history.
  case back
  /// Forward in the history.
  case forward
  /// It is in front already and is read again.
  case refresh
}

/// What a file pane shows and what is chosen in it; a pure value.
///
/// Its owner lists directories and reports what comes, with the generation that `begin` gave. Whatever takes time (sorting,
/// filtering) is a `FileViewRequest`, worked out anywhere and adopted when it still fits.
public struct FileBrowserModel: Sendable {
  /// A listing that is on its way.
  public struct Loading: Hashable, Sendable {
    /// What is listed.
    public let directory: RemotePath
    /// How it came to that.
    public let visit: FileVisit
    /// Its number.
    public let generation: FileListingGeneration
    /// How many entries came so far.
    public var count = 0
    /// Whether its rows are shown already.
    var isShown = false
  }

  /// The directory whose rows are shown; nil before the first.
  public private(set) var directory: RemotePath?
  /// The listing that is on its way.
  public private(set) var loading: Loading?
  /// Why the last listing failed; the rows may be a part then.
  public private(set) var problem: FileError?
  /// Whether the rows are all that there are.
  public private(set) var isComplete = false
  /// How the rows are sorted.
  public private(set) var order = FileOrder()
  /// Which rows are in sight.
  public private(set) var filter = FileFilter()
  /// How many names with a leading full stop are left out.
  public private(set) var hiddenCount = 0
  /// What was listed but can be no name.
  public var rejectedNames: [String] { rows.rejectedNames }
  /// The marked entries.
  public internal(set) var marks: Set<FileName> = []
  /// The row of the cursor, from 0; the row of the directory above counts.
  public internal(set) var cursor = 0
  /// The first row that is drawn.
  public private(set) var top = 0
  /// Where a range of marks begins.
  var markAnchor: FileName?

  /// The entries that `places` are of.
  var rows = FileRows()
  /// The entries that the next view is to be of; the same when there is none to come.
  private var latest = FileRows()
  /// The places in `rows` that are in sight, in order.
  var places: [Int] = []
  /// The name that the cursor goes to as soon as it is listed.
  private var wanted: FileName?
  private var history = FileHistory()
  private var generation: UInt64 = 0
  private var revision: UInt64 = 0

  /// Makes a model without a directory.
  public init() {}

  // MARK: Listing

  /// Begins a listing; whatever was on its way is retired.
  ///
  /// - Parameters:
  ///   - directory: What is listed.
  ///   - visit: How it came to that.
  ///   - name: Where the cursor goes; nil is the first row, or where it is for a refresh.
  /// - Returns: The number to report with.
  public mutating func begin(
    _ directory: RemotePath,
    _ visit: FileVisit = .open,
    selecting name: FileName? = nil
  ) -> FileListingGeneration {
    generation += 1
    let number = FileListingGeneration(rawValue: generation)
    loading = Loading(directory: directory, visit: visit, generation: number)
    wanted = name ?? (visit == .refresh ? selected?.name : nil)
    return number
  }

  /// Gives the listing up that is on its way; what is shown of it stays.
  public mutating func stop() {
    guard let loading else { return }
    if loading.isShown {
      problem = FileError(.cancelled, path: loading.directory)
    } else {
      wanted = nil
    }
    self.loading = nil
  }

  /// Takes rows of a listing that goes on.
  ///
  /// - Returns: Whether something that is drawn has changed.
  public mutating func took(_ rows: FileRows, from source: FileListingGeneration) -> Bool {
    guard loading?.generation == source else { return false }
    loading?.count = rows.rows.count
    // What is in front already stays until all is there: nothing jumps, and marks are kept.
    if loading?.visit != .refresh || directory == nil { show(rows, isComplete: false) }
    return true
  }

  /// Takes all rows of a listing.
  public mutating func finished(_ rows: FileRows, from source: FileListingGeneration) -> Bool {
    guard let loading, loading.generation == source else { return false }
    show(rows, isComplete: true)
    self.loading = nil
    problem = nil
    history.arrived(at: loading.directory, loading.visit)
    let names = Set(rows.rows.lazy.map(\.name))
    if !marks.isEmpty { marks.formIntersection(names) }
    return true
  }

  /// Takes the failure of a listing; history and directory stay unless rows of it are shown already.
  public mutating func failed(_ error: FileError, from source: FileListingGeneration) -> Bool {
    guard let loading, loading.generation == source else { return false }
    problem = error
    if !loading.isShown {
      wanted = nil
      if loading.visit != .refresh || directory == nil { problem = nil }
    }
    self.loading = nil
    return true
  }

  private mutating func show(_ rows: FileRows, isComplete: Bool) {
    guard let loading else { return }
    if directory != loading.directory { enter(loading.directory) }
    self.loading?.isShown = true
    self.isComplete = isComplete
    latest = rows
    revision += 1
  }

  private mutating func enter(_ directory: RemotePath) {
    self.directory = directory
    marks = []
    markAnchor = nil
    filter.text = ""
    cursor = 0
    top = 0
    places = []
    rows = FileRows()
    problem = nil
  }

  // MARK: The rows in sight

  /// What has to be worked out for the rows in sight; nil when they fit.
  public var viewRequest: FileViewRequest? {
    guard adopted != revision else { return nil }
    return FileViewRequest(rows: latest, order: order, filter: filter, revision: revision)
  }
  private var adopted: UInt64 = 0
  private var shownFilter = FileFilter()
  /// Whether the rows in sight are not yet those of the filter that was typed.
  public var isFiltering: Bool { filter != shownFilter }

  /// Takes the rows in sight, unless something has changed since.
  ///
  /// - Returns: Whether they were taken.
  @discardableResult
  public mutating func adopt(_ view: FileView) -> Bool {
    guard view.revision == revision else { return false }
    // The cursor stays on its name; a name that is gone leaves it on the row.
    let name = wanted ?? selected?.name
    adopted = revision
    shownFilter = filter
    rows = view.rows
    latest = view.rows
    places = view.places
    hiddenCount = view.hiddenCount
    if let name, let found = places.firstIndex(where: { rows.rows[$0].name == name }) {
      cursor = found + parentRows
      wanted = nil
    } else if isComplete {
      wanted = nil
    }
    cursor = min(cursor, max(count - 1, 0))
    return true
  }

  /// Sorts by something; the same again turns the order round.
  public mutating func sort(by sort: FileSort) {
    order =
      sort == order.sort
      ? FileOrder(sort, isDescending: !order.isDescending)
      : FileOrder(sort, isDescending: sort.startsDescending)
    revision += 1
  }

  /// Turns the order round.
  public mutating func reverse() { sort(by: order.sort) }

  /// Shows names with a leading full stop, or leaves them out.
  public mutating func toggleHidden() {
    filter.showsHidden.toggle()
    revision += 1
  }

  /// Shows only names that have a text in them.
  public mutating func filter(by text: String) {
    guard filter.text != text else { return }
    filter.text = text
    revision += 1
  }

  // MARK: Rows

  /// Whether the first row leads to the directory above.
  public var hasParentRow: Bool {
    guard let directory else { return false }
    return directory.parent != nil && !filter.isActive
  }
  var parentRows: Int { hasParentRow ? 1 : 0 }

  /// How many rows there are to move over.
  public var count: Int { places.count + parentRows }
  /// How many entries are in sight.
  public var shownCount: Int { places.count }
  /// How many entries there are.
  public var totalCount: Int { rows.rows.count }

  /// The entry of a row; nil for the row of the directory above.
  public func row(_ place: Int) -> FileRow? {
    let place = place - parentRows
    return places.indices.contains(place) ? rows.rows[places[place]] : nil
  }

  /// The entry under the cursor.
  public var selected: FileRow? { row(cursor) }

  /// The path of an entry.
  public func path(of name: FileName) -> RemotePath? { directory?.appending(name) }

  /// The rows that are drawn, once the cursor is among them.
  public mutating func window(rows: Int) -> Range<Int> {
    let rows = max(rows, 1)
    top = min(max(top, cursor - rows + 1), cursor)
    top = max(min(top, count - rows), 0)
    return top..<min(top + rows, count)
  }

  // MARK: The cursor

  /// Moves the cursor by rows.
  public mutating func move(by step: Int) { select(cursor + step) }

  /// Puts the cursor on a row; clamped to what there is.
  public mutating func select(_ row: Int) {
    // While another directory is on its way, this moves over the old rows only.
    if loading.map({ $0.directory == directory }) ?? true { wanted = nil }
    cursor = min(max(row, 0), max(count - 1, 0))
  }

  /// Puts the cursor on a name, or on it as soon as it is listed.
  public mutating func select(_ name: FileName) {
    if let found = places.firstIndex(where: { rows.rows[$0].name == name }) {
      select(found + parentRows)
    } else {
      wanted = name
    }
  }

  /// Scrolls the rows; the cursor stays in sight.
  public mutating func scroll(by step: Int, rows: Int) {
    top = max(min(top + step, count - rows), 0)
    select(min(max(cursor, top), top + max(rows, 1) - 1))
  }

  /// Goes to the next name that begins with a text, else to one that has it in it.
  ///
  /// - Parameters:
  ///   - text: The text, in either case.
  ///   - isNext: Whether the row under the cursor does not count.
  /// - Returns: Whether there is one.
  public mutating func jump(to text: String, next isNext: Bool = false) -> Bool {
    guard !text.isEmpty, !places.isEmpty else { return true }
    let wanted = Array(text.utf8).map(Self.lower)
    let start = max(cursor - parentRows, 0) + (isNext ? 1 : 0)
    for beginning in [true, false] {
      for step in places.indices {
        let place = (start + step) % places.count
        let name = rows.rows[places[place]].name.bytes
        let found =
          beginning
          ? name.count >= wanted.count && zip(name, wanted).allSatisfy { Self.lower($0) == $1 }
          : String(decoding: name.map(Self.lower), as: UTF8.self)
            .contains(String(decoding: wanted, as: UTF8.self))
        if found {
          select(place + parentRows)
          return true
        }
      }
    }
    return false
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  // MARK: The history

  /// The directory that the back key leads to.
  public var backTarget: RemotePath? { history.backTarget }
  /// The directory that the forward key leads to.
  public var forwardTarget: RemotePath? { history.forwardTarget }
}
