import Dispatch
import TermindDomain
import TermindInfrastructure
import TermindTerminal

/// A match in one of several panes.
nonisolated struct TextHit: Sendable {
  let pane: PaneID
  /// Where it begins.
  let place: TextPlace
  /// The row in which it begins.
  let text: String
}

/// What was found in one of several panes: the newest hits, and how many matches there are.
nonisolated struct TextHits: Sendable {
  /// Most hits that are listed of one pane.
  static let most = 200

  let pane: PaneID
  let hits: [TextHit]
  let count: Int
  /// Whether there are more matches than were counted.
  let isCapped: Bool

  /// The newest matches of a pane, newest first.
  init(_ results: FindResults, in text: FindText, of pane: PaneID) {
    self.pane = pane
    count = results.count
    isCapped = results.isCapped
    hits = (0..<min(results.count, Self.most)).compactMap { place in
      results.match(results.count - 1 - place).map {
        TextHit(pane: pane, place: $0.start, text: text.text(line: $0.start.line))
      }
    }
  }
}

nonisolated extension FindWorker {
  /// Searches several surfaces, one after another.
  ///
  /// - Parameters:
  ///   - panes: The panes with their surfaces.
  ///   - query: What to find.
  ///   - ticket: Ends the search; nothing is told any more then.
  ///   - report: Takes what was found in each pane that has a match, or why nothing can be found; nil at the end.
  /// - Throws: `.system` when the system has no thread for it.
  func search(
    _ panes: [(id: PaneID, surface: Surface)],
    for query: FindQuery,
    _ ticket: FindTicket,
    report: @escaping @MainActor @Sendable (Result<TextHits, FindError>?) -> Void
  ) throws(EventLoopError) {
    try run {
      let tell = { @Sendable (what: Result<TextHits, FindError>?) in
        DispatchQueue.main.async {
          MainActor.assumeIsolated { if !ticket.isEnded { report(what) } }
        }
      }
      guard !ticket.isEnded else { return }
      let finder: Finder
      do throws(FindError) { finder = try Finder(query) } catch { return tell(.failure(error)) }
      for (id, surface) in panes {
        guard !ticket.isEnded else { return }
        let text = surface.withTerminal { $0.findText() }
        guard let found = finder.search(text, mayGoOn: { !ticket.isEnded }) else { return }
        if found.count > 0 { tell(.success(TextHits(found, in: text, of: id))) }
      }
      tell(nil)
    }
  }
}
