import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen
import TermindTerminal

/// Finding text in one pane: what is typed, what was found, and the match that is shown.
///
/// Matches are counted from the newest, since a search begins at the live screen and goes back from there.
final class PaneFind {
  /// How long output may come before it is searched.
  private static let pause = Duration.milliseconds(30)

  /// Whether the bar is shown and takes keys.
  private(set) var isOpen = false
  /// Whether matches stay marked without the bar, as in copy mode.
  private(set) var isMarking = false
  private(set) var field = TextField(limit: 1_000)
  private(set) var options = FindOptions()
  private(set) var results: FindResults?
  /// The match that is shown.
  private(set) var current: FindMatch?
  private(set) var problem: String?
  private var isSearching = false
  /// Whether text came since the search that is under way began.
  private var isStale = false
  /// Whether a match has to be chosen anew, because something else is looked for.
  private var mustChoose = false
  /// Where the choice begins: the newest match before it is shown.
  private var anchor = TextPlace(line: .max, column: 0)
  /// Whether what is typed next replaces the text of the last time.
  private var replacesText = false
  private var ticket: FindTicket?
  private var timer: Task<Void, Never>?
  private let worker: FindWorker
  private unowned let pane: Pane

  init(_ pane: Pane, _ worker: FindWorker) {
    self.pane = pane
    self.worker = worker
  }

  /// What is looked for.
  var query: FindQuery { options.query(field.text) }

  // MARK: Opening and closing

  /// Shows the bar with what was looked for the last time.
  func open() {
    guard pane.surface != nil, !isOpen else { return }
    isOpen = true
    replacesText = !field.isEmpty
    dropAnchor()
    mustChoose = true
    search()
  }

  /// Shows the bar and a certain match.
  ///
  /// - Parameters:
  ///   - text: What to look for.
  ///   - options: How to look for it.
  ///   - place: Where the match begins.
  func open(_ text: String, _ options: FindOptions, at place: TextPlace) {
    guard pane.surface != nil else { return }
    isOpen = true
    field = TextField(text, limit: field.limit)
    self.options = options
    replacesText = true
    anchor = TextPlace(line: place.line, column: place.column + 1)
    mustChoose = true
    search()
  }

  /// Takes the bar and all marks away; what was typed is kept for the next time.
  func close() {
    guard isOpen || isMarking else { return }
    isOpen = false
    isMarking = false
    ticket?.end()
    ticket = nil
    timer?.cancel()
    timer = nil
    results = nil
    current = nil
    problem = nil
    isSearching = false
    pane.changed()
  }

  /// The choice begins at the end of what is shown.
  private func dropAnchor() {
    let (rows, back) = (pane.size.rows, pane.scrolledBack)
    let line = pane.surface?.withTerminal { terminal in
      (0..<rows).reversed().lazy
        .compactMap { terminal.shownParts(row: $0, scrolledBack: back).last?.line }.first
    }
    anchor = TextPlace(line: line.flatMap(\.self) ?? .max, column: .max)
  }

  // MARK: Keys

  /// Takes a key.
  func handle(_ key: KeyEvent) {
    guard key.kind != .release else { return }
    let held = key.modifiers.intersection([.control, .alt, .super])
    let isShifted = key.modifiers.contains(.shift)
    switch (key.code, held) {
    case (.escape, []): return close()
    case (.enter, []) where pane.copying?.origin == .keys: return fold()
    case (.enter, []), (.keypad(.enter), []), (.function(3), []): return step(older: !isShifted)
    case (.up, []), (.character(0x70), .control): return step(older: true)
    case (.down, []), (.character(0x6E), .control): return step(older: false)
    case (.pageUp, []): return pane.scroll(to: pane.scrolledBack + pane.size.rows - 1)
    case (.pageDown, []): return pane.scroll(to: pane.scrolledBack - pane.size.rows + 1)
    default: break
    }
    if options.handle(key) {
      replacesText = false
      mustChoose = true
      search()
    } else if let edit = TextField.Edit(key) {
      apply(edit)
    }
  }

  /// Types pasted bytes.
  func paste(_ bytes: [UInt8]) { apply(.insert(String(decoding: bytes, as: UTF8.self))) }

  private func apply(_ edit: TextField.Edit) {
    var isChange = false
    switch edit {
    case .insert, .deleteBackward, .deleteWordBackward:
      if replacesText { isChange = field.apply(.clear) }
    default: break
    }
    replacesText = false
    if field.apply(edit) { isChange = true }
    guard isChange else { return pane.changed() }
    mustChoose = true
    search()
  }

  /// Takes the bar away and keeps the marks.
  private func fold() {
    isOpen = false
    isMarking = true
    pane.changed()
  }

  /// Shows the next older or newer match from a place on.
  func step(older: Bool, from place: TextPlace) {
    if current?.start != place {
      current = nil
      anchor = place
    }
    step(older: older)
  }

  /// Shows the next older or newer match, beginning again at the other end after the last one.
  func step(older: Bool) {
    replacesText = false
    guard let results, results.count > 0 else { return }
    let from = current?.start ?? anchor
    let place =
      older
      ? results.previous(before: from, wraps: results.isComplete)
      : results.next(
        from: TextPlace(line: from.line, column: from.column == .max ? .max : from.column + 1)
      )
    guard let place, let match = results.match(place) else { return }
    anchor = TextPlace(line: match.start.line, column: match.start.column + 1)
    show(match)
  }

  // MARK: Searching

  /// The program printed something, so that what was found may have changed.
  func outputCame() {
    guard isOpen || isMarking, !field.isEmpty else { return }
    if isSearching { isStale = true } else { searchSoon() }
  }

  private func searchSoon() {
    guard timer == nil else { return }
    timer = Task { [weak self] in
      // Cancelled when the bar is closed or something else is looked for.
      guard (try? await Task.sleep(for: Self.pause)) != nil, let self else { return }
      timer = nil
      search()
    }
  }

  private func search() {
    ticket?.end()
    timer?.cancel()
    timer = nil
    isStale = false
    let query = query
    guard !field.isEmpty, let surface = pane.surface else {
      ticket = nil
      isSearching = false
      results = nil
      current = nil
      problem = nil
      return pane.changed()
    }
    let ticket = FindTicket()
    self.ticket = ticket
    isSearching = true
    let earlier = results.flatMap { $0.query == query && $0.isComplete ? $0 : nil }
    do throws(EventLoopError) {
      try worker.search(surface, for: query, after: earlier, ticket) { [weak self] report in
        guard let self, ticket === self.ticket else { return }
        take(report)
      }
    } catch {
      isSearching = false
      problem = "no thread is left to search with"
    }
    pane.changed()
  }

  private func take(_ report: FindWorker.Report) {
    switch report {
    case .partial(let partial):
      // The old matches of the same words are nearer to the truth than a part of the new ones.
      guard results?.query != partial.query else { return }
      problem = nil
      results = partial
      choose()
    case .done(let found):
      isSearching = false
      problem = nil
      results = found
      choose()
      if isStale { searchSoon() }
    case .failed(let error):
      isSearching = false
      problem = ErrorText.phrase(error)
      results = nil
      current = nil
    }
    pane.changed()
  }

  /// Chooses the match to show after a search: the one that was shown, or the newest before the anchor.
  private func choose() {
    guard let results else { return }
    if !mustChoose {
      guard let shown = current else { return }
      let place = results.next(from: shown.start, wraps: false)
      if let match = place.flatMap({ results.match($0) }), match.start == shown.start {
        current = match
        return
      }
      // Its text is gone; the view stays where it is.
      current = results.previous(before: shown.start, wraps: results.isComplete)
        .flatMap { results.match($0) }
      return
    }
    let place = results.previous(before: anchor, wraps: results.isComplete)
    guard let match = place.flatMap({ results.match($0) }) else {
      current = nil
      return
    }
    // Until all is searched there may be one nearer to the anchor only when the anchor lies before what is known.
    mustChoose = false
    show(match)
  }

  private func show(_ match: FindMatch) {
    current = match
    if let mode = pane.copying, mode.origin == .keys { mode.put(match.start) }
    defer { pane.changed() }
    guard let row = pane.surface?.withTerminal({ $0.shownRow(of: match.start) }) else { return }
    let rows = pane.size.rows
    if (0..<rows).contains(row + pane.scrolledBack) { return }
    pane.scroll(to: rows / 2 - row)
  }

  // MARK: Drawing

  /// The bar as it is to be drawn.
  func bar(isFocused: Bool) -> FindBar {
    FindBar(
      field: field,
      isMarked: replacesText && isFocused,
      outcome: outcome,
      toggles: options.toggles,
      isFocused: isFocused
    )
  }

  private var outcome: FindBar.Outcome {
    if let problem { return .problem(problem) }
    guard !field.isEmpty else { return .idle }
    guard let results, results.count > 0 else { return .nothing(isSearching: isSearching) }
    let place = current.flatMap { results.next(from: $0.start, wraps: false) }
    let more =
      results.isCostly ? " (costly)" : results.isCapped ? "+" : results.isComplete ? "" : "…"
    return .found(place: place.map { results.count - $0 }, count: results.count, more: more)
  }

  /// What is marked in the pane.
  func marks(_ look: Appearance) -> FindMarks? {
    guard isOpen || isMarking, let results, results.count > 0 else { return nil }
    return FindMarks(results: results, current: current, look: look)
  }

  /// The keys of the bar, for the status line.
  static let hints =
    [
      KeyHint("enter", "older"), KeyHint("shift+enter", "newer"),
    ] + FindOptions.hints + [KeyHint("esc", "close")]
}
