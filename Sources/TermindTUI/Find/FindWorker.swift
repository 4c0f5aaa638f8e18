import Dispatch
import Synchronization
import TermindInfrastructure
import TermindTerminal

/// A search under way, which can be ended from any thread.
nonisolated final class FindTicket: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Whether nobody wants the search any more.
  var isEnded: Bool { flag.load(ordering: .relaxed) }

  /// Ends the search soon.
  func end() { flag.store(true, ordering: .relaxed) }
}

/// The one thread that searches the text of panes, one search after another.
///
/// It starts with the first search and then sleeps until the next one.
nonisolated final class FindWorker: Sendable {
  /// What a search tells, on the main actor.
  enum Report: Sendable {
    /// What is known so far, from the newest match back.
    case partial(FindResults)
    /// Everything.
    case done(FindResults)
    /// There can be no search.
    case failed(FindError)
  }

  private typealias Job = @Sendable () -> Void

  /// Time between two reports of what is known so far.
  private static let spacing = Duration.milliseconds(16)

  private let jobs = BlockingQueue<Job>()
  private let isStarted = Locked(false)

  /// Searches a surface.
  ///
  /// - Parameters:
  ///   - surface: Its text is taken when the search begins.
  ///   - query: What to find.
  ///   - results: What was found before, so that only what is new is searched.
  ///   - ticket: Ends the search; nothing is told any more then.
  ///   - report: Takes what is found.
  /// - Throws: `.system` when the system has no thread for it.
  func search(
    _ surface: Surface,
    for query: FindQuery,
    after results: FindResults?,
    _ ticket: FindTicket,
    report: @escaping @MainActor @Sendable (Report) -> Void
  ) throws(EventLoopError) {
    try run { Self.search(surface, for: query, after: results, ticket, report: report) }
  }

  /// Runs work on the thread, after what was asked for before.
  func run(_ job: @escaping @Sendable () -> Void) throws(EventLoopError) {
    let mustStart = isStarted.withLock { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
    if mustStart {
      do throws(EventLoopError) {
        try NamedThread.start(name: "find") { [jobs] in
          while true { jobs.take()() }
        }
      } catch {
        isStarted.withLock { $0 = false }
        throw error
      }
    }
    jobs.put(job)
  }

  private static func search(
    _ surface: Surface,
    for query: FindQuery,
    after results: FindResults?,
    _ ticket: FindTicket,
    report: @escaping @MainActor @Sendable (Report) -> Void
  ) {
    func tell(_ what: Report) {
      guard !ticket.isEnded else { return }
      DispatchQueue.main.async {
        MainActor.assumeIsolated { if !ticket.isEnded { report(what) } }
      }
    }
    guard !ticket.isEnded else { return }
    let finder: Finder
    do throws(FindError) { finder = try Finder(query) } catch { return tell(.failed(error)) }
    let text = surface.withTerminal { $0.findText(after: results) }
    var told: ContinuousClock.Instant?
    let found = finder.search(
      text,
      after: results,
      mayGoOn: { !ticket.isEnded },
      progress: { partial in
        let now = ContinuousClock.now
        guard partial.count > 0, told.map({ now - $0 >= spacing }) ?? true else { return }
        told = now
        tell(.partial(partial))
      }
    )
    if let found { tell(.done(found)) }
  }
}
