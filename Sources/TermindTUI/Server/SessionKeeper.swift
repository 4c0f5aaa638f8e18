import TermindApplication
import TermindInfrastructure

/// Writes down what a restart brings back, a while after it changed.
///
/// Nothing is timed while nothing changes.
final class SessionKeeper {
  /// How long a change of the layout, and of a pane's text, may wait.
  private static let delays = (layout: Duration.seconds(1), text: Duration.seconds(30))
  private static let endLimit = Duration.seconds(2)

  private let file: SessionFile
  private let log: LogFile
  /// Takes the session as it is now; nil until what was kept has been brought back.
  var take: (() -> SessionSnapshot)?
  private var timer: Task<Void, Never>?
  private var isLayoutDue = false
  private var lastProblem: String?

  init(_ file: SessionFile, _ log: LogFile) {
    self.file = file
    self.log = log
  }

  /// A window, a workspace or what a pane is for has changed.
  func layoutChanged() {
    guard take != nil, !isLayoutDue else { return }
    isLayoutDue = true
    schedule(after: Self.delays.layout)
  }

  /// A pane has printed something.
  func textChanged() {
    guard take != nil, timer == nil else { return }
    schedule(after: Self.delays.text)
  }

  private func schedule(after delay: Duration) {
    timer?.cancel()
    timer = Task { [weak self] in
      // Cancelled when something that cannot wait as long has changed.
      guard (try? await Task.sleep(for: delay)) != nil, let self, let take else { return }
      timer = nil
      isLayoutDue = false
      await write(take())
    }
  }

  private func write(_ session: SessionSnapshot) async {
    do throws(WholeFileError) {
      try await file.write(session)
      lastProblem = nil
    } catch {
      // A full disk is told once, not every half minute.
      let text = "the session was not kept: \(error)"
      if text != lastProblem { log.write(.warning, text) }
      lastProblem = text
    }
  }

  /// Takes the session for the last time; what changes from now on is part of the end.
  func takeLast() -> SessionSnapshot? {
    defer { take = nil }
    timer?.cancel()
    return take?()
  }

  /// Writes the last one; a disk that hangs holds the end up for a moment only.
  func end(with session: SessionSnapshot?) async {
    guard let session else { return }
    await BoundedWait.run(within: Self.endLimit) { finish in
      Task {
        await write(session)
        finish()
      }
    }
  }
}
