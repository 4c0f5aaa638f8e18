import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// Hosts, workspaces, panes and actions in one list; marked hosts are started together.
final class QuickOpenSheet: Sheet {
  let overlay = WindowOverlay.quickOpen
  private var entries: [QuickOpenEntry]
  /// The reading of the vault that the entries are of.
  private(set) var revision: Int
  private let row: (QuickOpenEntry) -> ChooserRow
  private let chosen: (QuickOpenChoice) -> Void
  /// Goes on with the text of panes, when the prefix for that is typed.
  private let searchText: (String) -> Void
  /// Whether files are held that could be dropped on what is found.
  private let isHolding: Bool
  private var shown: ShownList
  /// The marked entries in the order in which they were marked.
  private var marks: [Int] = []
  private var list: FilteredList { shown.list }

  /// Makes the list.
  ///
  /// - Parameters:
  ///   - entries: What can be found.
  ///   - items: What each entry is found by, in the same order.
  ///   - revision: The reading of the vault that they are of.
  ///   - row: How an entry looks; asked only for what is on the screen.
  ///   - query: What is typed already.
  ///   - isHolding: Whether files are held that could be dropped.
  ///   - searchText: Goes on with the text of panes, when the prefix for that is typed; the sheet is gone by then.
  ///   - chosen: Takes the decision; the sheet is gone by then.
  init(
    _ entries: [QuickOpenEntry],
    items: [FilteredList.Item],
    revision: Int,
    row: @escaping (QuickOpenEntry) -> ChooserRow,
    query: String = "",
    isHolding: Bool = false,
    searchText: @escaping (String) -> Void,
    chosen: @escaping (QuickOpenChoice) -> Void
  ) {
    self.entries = entries + [.typed]
    self.revision = revision
    self.row = row
    self.searchText = searchText
    self.isHolding = isHolding
    self.chosen = chosen
    shown = ShownList(Self.list(items, query: query))
  }

  private static func list(
    _ items: [FilteredList.Item],
    query: String = "",
    selected: Int? = nil
  ) -> FilteredList {
    FilteredList(
      items + [FilteredList.Item("")],
      scopes: QuickOpenEntry.scopes,
      fallback: FilteredList.Fallback(place: items.count, scope: "@") { isAddress($0) },
      query: query,
      selected: selected
    )
  }

  /// Takes other entries over; what is typed, chosen and marked stays, as far as it is still there.
  func replace(_ entries: [QuickOpenEntry], items: [FilteredList.Item], revision: Int) {
    let old = self.entries
    self.entries = entries + [.typed]
    self.revision = revision
    func place(of entry: Int) -> Int? {
      self.entries.firstIndex { $0.isSame(as: old[entry]) }
    }
    marks = marks.compactMap { place(of: $0) }
    shown = ShownList(
      Self.list(items, query: list.query.text, selected: list.selected.flatMap { place(of: $0) })
    )
  }

  /// Whether a text can be taken for a host to connect to.
  private nonisolated static func isAddress(_ text: String) -> Bool {
    // Whether a word is a saved name does not matter: then it is found as one.
    (try? ConnectCommand(line: text, isSavedHost: { _ in false })) != nil
  }

  // MARK: Keys

  func handle(_ key: KeyEvent) -> SheetOutcome {
    guard key.kind != .release else { return .stay }
    switch (key.code, key.modifiers.intersection([.control, .alt, .super])) {
    case (.escape, []): return .close
    case (.enter, []), (.keypad(.enter), []): return choose(.here)
    case (.character(0x73), .control): return choose(.split)
    case (.character(0x74), .control): return choose(.newWorkspace)
    case (.character(0x66), .control): return choose(.files)
    case (.character(0x64), .control) where isHolding: return choose(.drop)
    case (.tab, []) where key.modifiers.isEmpty: mark()
    default: shown.handle(key)
    }
    return outcomeOfTyping
  }

  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome {
    shown.paste(bytes)
    return outcomeOfTyping
  }

  private var outcomeOfTyping: SheetOutcome {
    let text = list.query.text
    guard text.first == TextSearchSheet.prefix else { return .stay }
    return .closeThen { [searchText] in searchText(String(text.dropFirst())) }
  }

  func handle(_ mouse: MouseEvent) -> SheetOutcome {
    guard shown.take(mouse) else { return .stay }
    if !mouse.modifiers.contains(.control) { return choose(.here) }
    mark()
    return .stay
  }

  /// Marks the chosen host, or takes its mark away, and goes on to the next row.
  private func mark() {
    guard let selected = list.selected, entries[selected].canBeMarked else { return }
    if let place = marks.firstIndex(of: selected) {
      marks.remove(at: place)
    } else {
      marks.append(selected)
    }
    shown.move(by: 1)
  }

  private func choose(_ placement: HostPlacement) -> SheetOutcome {
    guard let choice = choice(placement) else { return .stay }
    return .closeThen { [chosen] in chosen(choice) }
  }

  private func choice(_ placement: HostPlacement) -> QuickOpenChoice? {
    let marked = marks.compactMap { place -> HostRecord? in
      if case .host(let host) = entries[place] { return host }
      return nil
    }
    if !marked.isEmpty { return .hosts(marked, placement) }
    guard let selected = list.selected else { return nil }
    guard placement != .drop || entries[selected].takesFiles else { return nil }
    switch entries[selected] {
    case .host(let host): return .hosts([host], placement)
    case .workspace(let id): return .workspace(id)
    case .pane(let id): return placement == .drop ? .dropOnPane(id) : .pane(id)
    case .action(let action, _): return .action(action)
    case .snippet(let snippet): return .snippet(snippet)
    case .template(let template): return .template(template)
    case .theme(let name): return .theme(name)
    case .setting(let setting): return .setting(setting)
    case .typed: return .connect(line: list.pattern, placement)
    }
  }

  // MARK: Drawing

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    shown.draw(chrome, on: &canvas, in: area, entries: entries.count, look) {
      [list, entries, marks, row] place in
      if case .typed = entries[place] {
        return ChooserRow(title: "Connect to \(list.pattern)", sign: "→", signInk: .accent)
      }
      var row = row(entries[place])
      if marks.contains(place) { (row.sign, row.signInk) = ("✓", .accent) }
      return row
    }
  }

  private var chrome: ChooserSheet {
    let title =
      marks.isEmpty
      ? list.scope.map { "Quick Open: \($0.label)" } ?? "Quick Open"
      : "Quick Open: \(marks.count) marked"
    return ChooserSheet(
      title: title,
      placeholder: "a host, a pane, an action",
      hints: [
        KeyHint("enter", marks.count > 1 ? "start all" : "open"), KeyHint("^s", "split"),
        KeyHint("^t", "new workspace"), KeyHint("^f", "files"),
      ] + (isHolding ? [KeyHint("^d", "drop")] : []) + [
        KeyHint("tab", "mark"),
        KeyHint(">", "actions"),
        KeyHint("@", "hosts"), KeyHint("#", "workspaces"), KeyHint("%", "snippets"),
        KeyHint("/", "text"),
      ],
      emptyText: "Nothing matches, and it is no address to connect to."
    )
  }
}
