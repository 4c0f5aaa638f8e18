import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// A pane of files: its model, its connection, and what runs in it.
///
/// It lives as long as its pane. While the connection is away it shows what it showed, and goes on where it was once
/// there is another one.
final class FilesController {
  /// What is typed in the lowest line.
  enum InputKind: Hashable {
    case filter, jump, path, mark, unmark, search, find
  }

  /// A change that can be taken back exactly.
  enum Undo {
    /// Renamed or moved, each from one path to another.
    case moved([(from: RemotePath, to: RemotePath)])
    /// Made, and empty since.
    case madeDirectory(RemotePath)
  }

  let target: PaneContent.FilesTarget
  unowned let services: Services
  /// Hears that something that is drawn has changed.
  var onChange: (() -> Void)?
  var model = FileBrowserModel()
  /// The files; nil while there is no connection.
  private(set) var files: (any RemoteFileSystem)?
  /// The account's home directory, once it is known.
  private(set) var home: RemotePath?
  var input: (kind: InputKind, line: FilesScreen.Input)?
  /// A file that is read in place of the list.
  var pager: FilePager?
  /// What runs, and how to stop it.
  var work: (text: String, number: Int, task: Task<Void, Never>)?
  var workCount = 0
  /// What is wrong, until the next key.
  var problem = ""
  /// What can be taken back, the latest last.
  var undos: [Undo] = [] {
    didSet { if undos.count > Self.mostUndos { undos.removeFirst(undos.count - Self.mostUndos) } }
  }
  /// Keys that wait until the rows of the filter are there, with their windows.
  var waitingKeys: [(key: KeyEvent, window: Window)] = []
  /// The text that was jumped to last.
  var lastJump = ""
  /// The pane that goes into directories and out of them together with this one.
  weak var partner: FilesController?
  /// The sizes of directories that were counted.
  var sizes: [FileName: UInt64] = [:]
  private var listing: Task<Void, Never>?
  private var arranging: Task<Void, Never>?
  private var lookups: Task<Void, Never>?
  private var links: [FileName: FileLink] = [:]
  private var askedLinks: Set<FileName> = []
  private(set) var owners = FileOwnerNames()
  private var askedUsers: Set<UInt32> = []
  private var askedGroups: Set<UInt32> = []
  private(set) var space: FileSystemSpace?
  /// The rows of the last drawing.
  private var shownRows = 0..<0
  private var shownArea: CellRectangle?
  private var lastClick: (row: Int, at: ContinuousClock.Instant)?

  /// Entries up to this number are arranged at once; more of them on another thread.
  private static let arrangedAtOnce = 2_000
  private static let doubleClick = Duration.milliseconds(400)
  /// The most changes that can be taken back.
  private static let mostUndos = 100

  init(_ target: PaneContent.FilesTarget, _ services: Services) {
    self.target = target
    self.services = services
  }

  /// Says that something has changed.
  func changed() { onChange?() }

  /// The rows that are shown at once.
  var page: Int { max(shownRows.count - 1, 1) }

  /// The directory, when it is one of this machine and can be told to programs.
  var localDirectory: String? {
    guard target.host == nil, let directory = model.directory else { return nil }
    return String(validating: directory.bytes, as: UTF8.self)
  }

  // MARK: The connection

  /// Takes files over and shows the directory that was in front, else the one to start in.
  func attach(_ files: any RemoteFileSystem) {
    self.files = files
    problem = ""
    if let directory = model.directory { return visit(directory, .refresh) }
    listing?.cancel()
    listing = Task { [weak self, target] in
      var start = target.start
      var reason = ""
      do throws(FileError) {
        let home = try await files.resolve(.start)
        self?.home = home
        if start == .start { start = home } else { start = try await files.resolve(start) }
      } catch {
        guard !Task.isCancelled else { return }
        reason = ErrorText.sentence(error)
        start = self?.home ?? .root
      }
      guard !Task.isCancelled, let self, self.files === files else { return }
      visit(start)
      problem = reason
    }
  }

  /// The connection is gone; what is shown stays.
  func detach() {
    files = nil
    work?.task.cancel()
    work = nil
    listing?.cancel()
    lookups?.cancel()
    model.stop()
  }

  /// Ends everything.
  func close() {
    let files = files
    detach()
    if let files { Task { await files.close() } }
  }

  // MARK: Listing

  /// Lists a directory; it is shown as soon as its first rows are there.
  func visit(_ directory: RemotePath, _ visit: FileVisit = .open, selecting name: FileName? = nil) {
    guard let files else { return }
    listing?.cancel()
    problem = ""
    let generation = model.begin(directory, visit, selecting: name)
    let builder = FileListingBuilder(order: model.order) { [weak self] rows in
      await self?.took(rows, generation)
    }
    listing = Task { [weak self] in
      do throws(FileError) {
        let rows = try await builder.list(directory, of: files)
        self?.finished(rows, generation, of: files)
      } catch {
        self?.failed(error, generation)
      }
    }
    changed()
  }

  /// Reads the directory in front again.
  func refresh(selecting name: FileName? = nil) {
    guard let directory = model.directory else { return }
    visit(directory, .refresh, selecting: name)
  }

  /// Gives up what is being listed.
  func stopListing() {
    listing?.cancel()
    model.stop()
  }

  private func took(_ rows: FileRows, _ generation: FileListingGeneration) {
    let before = model.directory
    guard model.took(rows, from: generation) else { return }
    if model.directory != before { forgetDetails(ofOther: true) }
    arrange()
  }

  private func finished(
    _ rows: FileRows,
    _ generation: FileListingGeneration,
    of files: any RemoteFileSystem
  ) {
    let before = model.directory
    guard model.finished(rows, from: generation) else { return }
    forgetDetails(ofOther: model.directory != before)
    arrange()
    guard files.abilities.contains(.space), let directory = model.directory else { return }
    Task { [weak self] in
      // Without an answer the line says nothing of it.
      guard let space = try? await files.space(at: directory), let self,
        model.directory == directory
      else { return }
      self.space = space
      changed()
    }
  }

  private func failed(_ error: FileError, _ generation: FileListingGeneration) {
    guard model.failed(error, from: generation), !error.isCancellation else { return }
    problem = ErrorText.sentence(error)
    arrange()
    // A pane that shows nothing yet begins where the account may look.
    guard model.directory == nil, !error.endsConnection, let failed = error.path else { return }
    if let home, failed != home {
      let text = problem
      visit(home)
      problem = text
    }
  }

  /// Details are asked for anew; links keep what is known of them while the directory stays.
  private func forgetDetails(ofOther isOther: Bool) {
    if isOther {
      links = [:]
      sizes = [:]
      space = nil
    }
    askedLinks = []
    lookups?.cancel()
    lookups = nil
  }

  /// Works out the rows in sight, a large directory away from the main actor.
  func arrange() {
    arranging?.cancel()
    guard let request = model.viewRequest else { return changed() }
    guard request.count > Self.arrangedAtOnce else {
      model.adopt(request.make())
      changed()
      return takeWaitingKeys()
    }
    arranging = Task { [weak self] in
      let view = await request.prepared()
      guard let self, model.adopt(view) else { return }
      changed()
      takeWaitingKeys()
    }
  }

  // MARK: Details of what is in sight

  /// Asks where the links in sight lead, and who the owners are; each once.
  private func lookUp(_ rows: Range<Int>) {
    guard let files, lookups == nil, let directory = model.directory else { return }
    var wanted: [FileName] = []
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []
    for row in rows {
      guard let entry = model.row(row)?.entry else { continue }
      if entry.attributes.kind == .symbolicLink, !askedLinks.contains(entry.name) {
        wanted.append(entry.name)
      }
      if let user = entry.attributes.userID { users.insert(user) }
      if let group = entry.attributes.groupID { groups.insert(group) }
    }
    users.subtract(askedUsers)
    groups.subtract(askedGroups)
    let asksNames = files.abilities.contains(.ownerNames) && !(users.isEmpty && groups.isEmpty)
    guard asksNames || !wanted.isEmpty else { return }
    askedLinks.formUnion(wanted)
    if asksNames {
      askedUsers.formUnion(users)
      askedGroups.formUnion(groups)
    }
    lookups = Task { [weak self, users, groups, wanted] in
      // Without an answer numbers stay numbers.
      if asksNames, let names = try? await files.ownerNames(users: users, groups: groups) {
        self?.owners.users.merge(names.users) { $1 }
        self?.owners.groups.merge(names.groups) { $1 }
        self?.changed()
      }
      await withTaskGroup(of: (FileName, FileLink?).self) { group in
        for name in wanted {
          group.addTask {
            // A link that cannot be read is shown without its target.
            (name, try? await files.link(at: directory.appending(name)))
          }
        }
        for await (name, link) in group where !Task.isCancelled { self?.links[name] = link }
      }
      guard !Task.isCancelled, let self else { return }
      lookups = nil
      changed()
    }
  }

  /// Where a link leads, as far as that was asked.
  func link(of name: FileName) -> FileLink? { links[name] }

  // MARK: Drawing

  /// Draws the pane.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - area: The cells of the pane.
  ///   - isFocused: Whether it has the focus.
  ///   - transfer: What is copied into the directory in front.
  ///   - look: The looks.
  func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    isFocused: Bool,
    transfer: String = "",
    _ look: Appearance
  ) {
    shownArea = area
    if var pager {
      let typed = input?.kind == .search && isFocused ? input?.line : nil
      pager.draw(on: &canvas, in: area, input: typed, look)
      self.pager = pager
      return
    }
    var screen = FilesScreen { WallClock.fileTime($0) }
    screen.owners = owners
    screen.links = links
    screen.sizes = sizes
    screen.space = space
    screen.work = work?.text ?? transfer
    screen.problem = problem
    screen.input = input?.line
    screen.isFocused = isFocused
    screen.isInStep = partner != nil
    shownRows = screen.draw(&model, on: &canvas, in: area, look)
    lookUp(shownRows)
  }

  /// What the pane shows, as text, for `termind ctl capture`.
  func text(rows: Int, columns: Int, _ look: Appearance) -> String {
    let shown = (shownRows, shownArea)
    defer { (shownRows, shownArea) = shown }
    var canvas = Canvas(rows: rows, columns: columns)
    draw(on: &canvas, in: CellRectangle(rows: rows, columns: columns), isFocused: true, look)
    var lines = canvas.rowsText.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Mouse

  /// Takes a click into the pane's cells.
  ///
  /// - Returns: Whether an entry was clicked that could be dragged from here.
  func press(_ mouse: MouseEvent, in window: Window) -> Bool {
    guard pager == nil, let area = shownArea, mouse.button == .left else { return false }
    let row = shownRows.lowerBound + mouse.row - area.row
    guard shownRows.contains(row) else { return false }
    problem = ""
    let now = ContinuousClock.now
    let isDouble = lastClick.map { $0.row == row && now - $0.at < Self.doubleClick } ?? false
    lastClick = isDouble ? nil : (row, now)
    if mouse.modifiers.contains(.control) || mouse.column - area.column < 2 {
      model.toggleMark(at: row)
    }
    model.select(row)
    if isDouble { perform(.open, in: window) }
    changed()
    return !isDouble && model.row(row) != nil
  }

  /// Takes a step of the wheel.
  func turnWheel(by step: Int) {
    if pager != nil {
      pager?.scroll(by: step)
    } else {
      model.scroll(by: step, rows: shownRows.count)
    }
    changed()
  }
}
