import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// The Vault in one window: which part is in front, its list, and what is edited.
///
/// Records live in `VaultLibrary`, which all windows share; a list is loaded anew when it is shown and
/// the library has read something since.
final class VaultController {
  unowned let window: Window
  /// The part in front.
  private(set) var section = VaultSection.hosts
  /// What is edited; nil while the list has the keys.
  var editor: VaultEditor?
  /// An import that is shown before it is made; it takes the place of the list.
  var importing: HostImportSession?
  /// What runs for the edited host, such as a test of its connection.
  var test: Task<Void, Never>?
  private var lists: [VaultSection: VaultList] = [:]
  private var loaded: [VaultSection: Int] = [:]
  private var sorts: [VaultSection: VaultSort] = [:]
  /// The form beside the list, with the record and the reading that it shows.
  private var preview: (id: VaultItemID, revision: Int, editor: VaultEditor)?
  private var routes: (revision: Int, builder: RouteBuilder)?
  /// The names by which hashed host keys were found.
  private var foundNames: [VaultItemID: String] = [:]
  private var hashes: (revision: Int, names: HashedNames)?
  private var hashSearch: Task<Void, Never>?
  private var targets = VaultScreen.Targets()
  private var hints: [VaultBinding] = []
  private var lastClick: (row: Int, at: ContinuousClock.Instant)?
  /// Keys and clicks that wait until something is saved, so that they meet what is shown then.
  private var waiting: [Waiting] = []
  /// Whether something is being saved.
  private var isSaving = false

  private enum Waiting {
    case key(KeyEvent)
    case mouse(MouseEvent)
  }

  /// Two clicks on a row within this time open it.
  private static let doubleClick = Duration.milliseconds(400)

  init(_ window: Window) { self.window = window }

  var library: VaultLibrary { window.server.services.vault }
  var contents: VaultContents { library.contents }

  /// The list of the part in front.
  var list: VaultList {
    get { lists[section] ?? VaultList() }
    set { lists[section] = newValue }
  }

  /// Whether letters are typed into something, so that a paste goes there.
  var takesText: Bool { editor != nil || list.isFiltering }

  // MARK: - What is shown

  /// Shows a part, with a record chosen.
  func show(_ section: VaultSection, selecting id: VaultItemID? = nil) {
    self.section = section
    refresh()
    if let id { list.select(id: id) }
  }

  /// Loads the list of the part in front when the library has read something since.
  func refresh() {
    guard loaded[section] != library.revision else { return }
    loaded[section] = library.revision
    let sort = sorts[section] ?? section.sorts[0]
    var list = list
    if section == .hosts, sort == section.sorts[0], let prepared = library.hostList {
      list.adopt(prepared.list)
    } else {
      list.load(
        contents.items(of: section),
        order: contents.order(of: section, by: sort),
        sortName: sort.name
      )
    }
    self.list = list
    if section == .knownHosts { findHashedNames(keepsChoice: true) }
  }

  /// Sorts the list in front by the next thing.
  func sortNext() {
    let all = section.sorts
    let place = all.firstIndex(of: sorts[section] ?? all[0]) ?? 0
    let next = all[(place + 1) % all.count]
    sorts[section] = next
    let order = contents.order(of: section, by: next)
    list.sort(order ?? Array(list.items.indices), name: next.name)
  }

  /// Finds ways between the saved hosts as they are now.
  var routeBuilder: RouteBuilder {
    if let routes, routes.revision == library.revision { return routes.builder }
    let directory = window.terminal?.request.directory ?? ""
    let builder = window.server.services.routeBuilder(directory: directory)
    routes = (library.revision, builder)
    return builder
  }

  /// The form of the chosen record, to read.
  private func chosenForm() -> VaultEditor? {
    guard let place = list.selected, let id = list.selectedID else { return nil }
    if let preview, preview.id == id, preview.revision == library.revision { return preview.editor }
    guard let made = form(at: place) else { return nil }
    preview = (id, library.revision, made)
    return made
  }

  /// The form of a record of the part in front.
  func form(at place: Int) -> VaultEditor? {
    guard place < contents.count(of: section) else { return nil }
    switch section {
    case .hosts:
      return .host(HostEditor(contents.hosts[place], contents: contents, routes: routeBuilder))
    case .identities:
      return .identity(IdentityEditor(contents.identities[place], contents: contents))
    case .keys:
      let key = contents.keys[place]
      return .key(
        KeyEditor(key, contents: contents, certificate: certificateLines(of: key))
      )
    case .snippets:
      return .snippet(SnippetEditor(contents.snippets[place], contents: contents))
    case .templates:
      return .template(TemplateEditor(contents.templates[place], contents: contents))
    case .knownHosts:
      let known = contents.knownHosts[place]
      let found = foundNames[.record(known.id.rawValue)].map { [$0] } ?? []
      return .details(
        VaultDetails.form(
          known,
          since: WallClock.date(known.since),
          age: AgeText.duration(WallClock.seconds - known.since),
          names: found
        )
      )
    case .history:
      let event = contents.events[place]
      return .details(
        VaultDetails.form(
          event,
          contents,
          started: WallClock.date(event.started),
          age: AgeText.duration(WallClock.seconds - event.started)
        )
      )
    }
  }

  /// Draws the destination.
  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    if var session = importing {
      hints = VaultBinding.importing
      targets = drawImport(&session, on: &canvas, in: area, look)
      importing = session
      return
    }
    refresh()
    hints =
      editor?.bindings
      ?? section.hints(columns: area.columns, hasRecords: !list.items.isEmpty)
    let isWide = area.columns >= VaultScreen.wideColumns
    var shown = editor ?? (isWide ? chosenForm() : nil)
    var form = shown?.form
    let counts = VaultSection.allCases.map { ($0, contents.count(of: $0)) }
    let screen = VaultScreen(
      section: section,
      counts: library.isLoaded ? Dictionary(counts) { first, _ in first } : [:],
      empty: library.isLoaded
        ? section.empty : VaultEmptyText(title: "Reading the vault …", detail: "", hints: []),
      hints: hints.map(\.hint),
      problem: problemText
    )
    let now = WallClock.seconds
    let up = upHosts
    let records = contents
    targets = screen.draw(on: &canvas, in: area, list: &list, form: &form, look) {
      records.row(section, $0, now: now, up: up)
    }
    guard let form, shown != nil else { return }
    shown?.form = form
    if editor != nil { editor = shown } else if let shown { preview?.editor = shown }
  }

  private var problemText: String {
    guard let problem = library.problem ?? window.server.services.storeProblem else { return "" }
    return ErrorText.explain(problem, keys: ExplanationKeys(retry: "enter", close: "esc")).paragraph
  }

  /// The saved hosts that a terminal is open on.
  private var upHosts: Set<HostID> {
    var up: Set<HostID> = []
    for pane in window.server.panes.values {
      if case .ssh(let target) = pane.content, let host = target.host, pane.session.state.isTyping {
        up.insert(host)
      }
    }
    return up
  }

  // MARK: - Keys

  /// Holds keys and clicks back until something is saved.
  func holdInput(_ work: () async -> Void) async {
    isSaving = true
    await work()
    isSaving = false
    while !isSaving, !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .key(let key): handle(key)
      case .mouse(let mouse): handle(mouse)
      }
    }
    window.requestFrame()
  }

  /// Takes a key.
  func handle(_ key: KeyEvent) {
    guard key.kind != .release else { return }
    guard !isSaving else { return waiting.append(.key(key)) }
    // What an earlier key has opened over the window takes the keys that waited.
    if let sheet = window.sheets.last { return window.finish(sheet.handle(key), of: sheet) }
    if !problemText.isEmpty {
      if key.code == .enter { window.server.services.openStore() }
      return
    }
    if importing != nil { return handleImport(key, page: targets.page) }
    refresh()
    guard editor == nil else { return handleEditing(key) }
    if list.isFiltering {
      if list.handle(key, page: targets.page) { findHashedNames() }
      return
    }
    if let target = sectionTarget(key) { return show(target) }
    let wasFiltered = list.isFiltered
    if list.handle(key, page: targets.page) {
      if wasFiltered { findHashedNames() }
      return
    }
    if let command = section.command(of: key) { perform(command) }
  }

  /// The part that a key leads to.
  private func sectionTarget(_ key: KeyEvent) -> VaultSection? {
    guard key.modifiers.isDisjoint(with: [.control, .alt, .super]) else { return nil }
    switch key.code {
    case .tab: return section.next(key.modifiers.contains(.shift) ? -1 : 1)
    case .right,
      .character(0x6C) where !key.modifiers.contains(.shift):
      return section.next()
    case .left,
      .character(0x68) where !key.modifiers.contains(.shift):
      return section.next(-1)
    case .character(let digit) where (0x31...0x37).contains(digit):
      return VaultSection.allCases[Int(digit) - 0x31]
    default: return nil
    }
  }

  /// Takes pasted text.
  func paste(_ text: String) {
    if importing?.list.isFiltering == true {
      importing?.list.apply(.insert(text))
    } else if var editor {
      if editor.form.paste(text) { editor.changed() }
      self.editor = editor
    } else if list.isFiltering {
      list.apply(.insert(text))
      if !list.query.cutNote.isEmpty { say(.problem, list.query.cutNote) }
      findHashedNames()
    }
  }

  /// Names that are hashed in host keys are found by typing them whole.
  private func findHashedNames(keepsChoice: Bool = false) {
    guard section == .knownHosts else { return }
    hashSearch?.cancel()
    let query = list.query.text
    guard !query.isEmpty else { return takeHashedNames([], query, keepsChoice: keepsChoice) }
    if hashes?.revision != library.revision {
      hashes = (library.revision, HashedNames(contents.knownHosts))
    }
    guard let names = hashes?.names, !names.isEmpty else { return }
    hashSearch = Task { [weak self] in
      let found = await names.places(of: query)
      guard let self, !Task.isCancelled, list.query.text == query else { return }
      takeHashedNames(found, query, keepsChoice: keepsChoice)
    }
  }

  private func takeHashedNames(_ found: Set<Int>, _ query: String, keepsChoice: Bool) {
    guard section == .knownHosts else { return }
    foundNames = [:]
    for place in found where contents.knownHosts.indices.contains(place) {
      foundNames[.record(contents.knownHosts[place].id.rawValue)] = query
    }
    preview = nil
    list.include(found, keepsChoice: keepsChoice)
    window.requestFrame()
  }

  // MARK: - Mouse

  /// Takes a click, or a step of the wheel.
  func handle(_ mouse: MouseEvent) {
    guard !isSaving else { return waiting.append(.mouse(mouse)) }
    switch mouse.kind {
    case .wheel(.up): turnWheel(-3, mouse)
    case .wheel(.down): turnWheel(3, mouse)
    case .press where mouse.button == .left: press(mouse)
    default: break
    }
  }

  private func turnWheel(_ lines: Int, _ mouse: MouseEvent) {
    if targets.form?.contains(row: mouse.row, column: mouse.column) == true {
      if importing != nil {
        importing?.details?.scroll(by: lines)
      } else if editor != nil {
        editor?.form.scroll(by: lines)
      } else {
        preview?.editor.form.scroll(by: lines)
      }
    } else if importing != nil {
      importing?.list.scroll(by: lines)
    } else {
      list.scroll(by: lines)
    }
  }

  private func press(_ mouse: MouseEvent) {
    guard let target = targets.target(row: mouse.row, column: mouse.column) else { return }
    if importing != nil { return pressImport(target) }
    switch target {
    case .hint(let place):
      guard hints.indices.contains(place) else { return }
      perform(hints[place].command)
    case .field(let place): pressField(place)
    case .section(let section): leaveEditor { $0.show(section) }
    case .filter: leaveEditor { $0.list.isFiltering = true }
    case .sort: leaveEditor { $0.sortNext() }
    case .mark(let row): leaveEditor { $0.list.toggleMark(row: row) }
    case .row(let row): leaveEditor { $0.pressRow(row, mouse) }
    }
  }

  private func pressRow(_ row: Int, _ mouse: MouseEvent) {
    let now = ContinuousClock.now
    let isDouble = lastClick.map { $0.row == row && now - $0.at < Self.doubleClick } ?? false
    lastClick = isDouble ? nil : (row, now)
    list.isFiltering = false
    if mouse.modifiers.contains(.shift) { return list.mark(through: row) }
    if mouse.modifiers.contains(.control) { list.toggleMark(row: row) }
    list.select(row: row)
    if isDouble, let enter = section.bindings.first(where: { $0.key == "enter" }) {
      perform(enter.command)
    }
  }

  private func pressImport(_ target: VaultScreen.Target) {
    switch target {
    case .hint(let place) where hints.indices.contains(place): performImport(hints[place].command)
    case .mark(let row):
      importing?.list.select(row: row)
      performImport(.mark)
    case .row(let row): importing?.list.select(row: row)
    case .filter: importing?.list.isFiltering = true
    default: break
    }
  }

  private func pressField(_ place: Int) {
    if editor == nil { perform(.edit) }
    guard var editor else { return }
    let answer = editor.form.click(place)
    self.editor = editor
    follow(answer)
  }
}
