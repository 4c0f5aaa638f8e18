import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen
import TermindTerminal

/// The text of all panes of a window, as the part of Quick Open that its prefix `/` leads to.
final class TextSearchSheet: Sheet {
  /// What is typed in Quick Open to come here.
  static let prefix: Character = "/"

  /// A match that was chosen, with what was looked for.
  struct Choice {
    let pane: PaneID
    let place: TextPlace
    let text: String
    let options: FindOptions
  }

  let overlay = WindowOverlay.quickOpen
  private let panes: [(id: PaneID, surface: Surface)]
  private let names: [PaneID: String]
  private let worker: FindWorker
  private let changed: () -> Void
  private let chosen: (Choice) -> Void
  private let leave: (String) -> Void
  private var shown: ShownList
  private var options = FindOptions()
  private var found: [TextHits] = []
  private var hits: [TextHit] = []
  private var problem: String?
  private var isSearching = false
  private var ticket: FindTicket?

  /// Makes the list.
  ///
  /// - Parameters:
  ///   - panes: The panes that are searched, in the order of the list.
  ///   - names: What the panes are called.
  ///   - query: What is typed already, without the prefix.
  ///   - worker: Searches.
  ///   - changed: Called when the list looks different.
  ///   - leave: Goes back to all of Quick Open with what is typed, once the prefix is gone; the sheet is gone by then.
  ///   - chosen: Takes the decision; the sheet is gone by then.
  init(
    panes: [(id: PaneID, surface: Surface)],
    names: [PaneID: String],
    query: String,
    worker: FindWorker,
    changed: @escaping () -> Void,
    leave: @escaping (String) -> Void,
    chosen: @escaping (Choice) -> Void
  ) {
    self.panes = panes
    self.names = names
    self.worker = worker
    self.changed = changed
    self.leave = leave
    self.chosen = chosen
    shown = ShownList(
      FilteredList(found: 0, query: TextField("\(Self.prefix)\(query)", limit: 1_000))
    )
    search()
  }

  private var text: String { String(shown.list.query.text.dropFirst()) }

  // MARK: Keys

  func handle(_ key: KeyEvent) -> SheetOutcome {
    guard key.kind != .release else { return .stay }
    switch (key.code, key.modifiers.intersection([.control, .alt, .super])) {
    case (.escape, []):
      ticket?.end()
      return .close
    case (.enter, []), (.keypad(.enter), []): return choose()
    default: break
    }
    if options.handle(key) {
      search()
      return .stay
    }
    return typed { shown.handle(key) }
  }

  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome { typed { shown.paste(bytes) } }

  func handle(_ mouse: MouseEvent) -> SheetOutcome { shown.take(mouse) ? choose() : .stay }

  func dismissed() { ticket?.end() }

  private func typed(_ body: () -> Void) -> SheetOutcome {
    let before = shown.list.query.text
    body()
    let now = shown.list.query.text
    guard now != before else { return .stay }
    guard now.first == Self.prefix else {
      ticket?.end()
      return .closeThen { [leave] in leave(now) }
    }
    search()
    return .stay
  }

  private func choose() -> SheetOutcome {
    guard let selected = shown.list.selected, hits.indices.contains(selected) else { return .stay }
    ticket?.end()
    let hit = hits[selected]
    let choice = Choice(pane: hit.pane, place: hit.place, text: text, options: options)
    return .closeThen { [chosen] in chosen(choice) }
  }

  // MARK: Searching

  private func search() {
    ticket?.end()
    found = []
    problem = nil
    isSearching = false
    defer { refresh(selected: 0) }
    guard !text.isEmpty else { return }
    let ticket = FindTicket()
    self.ticket = ticket
    isSearching = true
    do throws(EventLoopError) {
      try worker.search(panes, for: options.query(text), ticket) { [weak self] report in
        guard let self, ticket === self.ticket else { return }
        switch report {
        case .success(let hits)?: found.append(hits)
        case .failure(let error)?: (problem, isSearching) = (ErrorText.phrase(error), false)
        case nil: isSearching = false
        }
        refresh(selected: shown.list.selection)
        changed()
      }
    } catch {
      (problem, isSearching) = ("no thread is left to search with", false)
    }
  }

  private func refresh(selected: Int) {
    hits = found.flatMap(\.hits)
    shown.replace(
      FilteredList(found: hits.count, query: shown.list.query, selected: selected)
    )
  }

  // MARK: Drawing

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    shown.draw(chrome, on: &canvas, in: area, entries: max(hits.count, 12), look) {
      [hits, found, names] place in
      let hit = hits[place]
      let isFirst = place == 0 || hits[place - 1].pane != hit.pane
      let group = isFirst ? found.first { $0.pane == hit.pane } : nil
      return ChooserRow(
        title: names[hit.pane] ?? "",
        detail: hit.text.trimmingBlanks,
        trailing: group.map { "\($0.count)\($0.isCapped ? "+" : "")" } ?? "",
        sign: isFirst ? "▣" : "",
        signInk: .accent
      )
    }
  }

  private var chrome: ChooserSheet {
    let choices = options.toggles.filter(\.isOn).map(\.sign).joined(separator: " ")
    return ChooserSheet(
      title: "Quick Open: text in panes" + (choices.isEmpty ? "" : " (\(choices))"),
      placeholder: "text in the panes of this window",
      hints: [KeyHint("enter", "go there")] + FindOptions.hints + [KeyHint("esc", "close")],
      emptyText: problem ?? (text.isEmpty ? "Type what to find." : isSearching ? "…" : "No match.")
    )
  }
}

extension String {
  /// Without the blanks before it, which would push what matters out of a row.
  fileprivate var trimmingBlanks: String { String(drop { $0 == " " }) }
}
