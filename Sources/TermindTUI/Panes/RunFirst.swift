/// Waits until a shell has shown its prompt, and then does something once.
///
/// A line editor that asks for bracketed pastes is ready; other shells count as ready when they have
/// printed and then been quiet for a moment. A shell that never prints is not waited for without end.
final class RunFirst {
  private let work: () -> Void
  private let quiet: Duration
  private let clock = ContinuousClock()
  private let deadline: ContinuousClock.Instant
  private var timer: Task<Void, Never>?
  private var isOver = false
  private var question: Task<Void, Never>?

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - patience: The longest wait.
  ///   - quiet: How long a shell prints nothing once it is ready.
  ///   - work: What is to be done.
  init(
    patience: Duration = .seconds(5),
    quiet: Duration = .milliseconds(300),
    _ work: @escaping () -> Void
  ) {
    self.work = work
    self.quiet = quiet
    deadline = clock.now.advanced(by: patience)
    arm(deadline)
  }

  /// The shell has printed; it is ready when its line editor says so.
  func printed(isReady: Bool) {
    guard !isOver else { return }
    if isReady { finish() } else { arm(min(clock.now.advanced(by: quiet), deadline)) }
  }

  /// Waits for the person as a part of the work.
  func ask(_ question: @escaping () async -> Void) { self.question = Task { await question() } }

  /// Forgets the work, and takes back what it asks.
  func stop() {
    isOver = true
    timer?.cancel()
    question?.cancel()
  }

  private func arm(_ time: ContinuousClock.Instant) {
    timer?.cancel()
    timer = Task { [weak self] in
      // Cancelled by the next output.
      guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
      self?.finish()
    }
  }

  private func finish() {
    guard !isOver else { return }
    stop()
    work()
  }
}
