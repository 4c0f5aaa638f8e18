import TermindApplication
import TermindDomain

/// The end of a server that nobody needs.
extension WindowServer {
  /// How long a server without a window is kept: the next window or command finds its connections.
  private static let linger = Duration.seconds(60)

  /// Whether it has no window, or only such of the last session as no terminal has shown, in which nothing was started.
  private var isUnseen: Bool {
    model.windows.allSatisfy { restored[$0.id] != nil } && !panes.values.contains(where: \.isLive)
  }

  /// Ends the server after a while when it has no window and no work by then.
  ///
  /// To be called whenever a window or a piece of work that belongs to no window has ended.
  func endWhenIdle() {
    idleEnd?.cancel()
    guard isUnseen else { return }
    idleEnd = Task { [weak self] in
      // Cancelled when something else ends, or the server does.
      guard (try? await Task.sleep(for: Self.linger)) != nil, let self else { return }
      var work = work
      // Edits come back as they are, and so do the windows: nobody is asked about them.
      work.edits = 0
      if isUnseen, work.isEmpty { stop() }
    }
  }
}
