/// Wakes those who wait for the next change.
final class ChangeSignal {
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var nextNumber = 0

  /// Wakes everybody who waits now.
  func send() {
    guard !waiters.isEmpty else { return }
    let woken = waiters
    waiters = [:]
    for waiter in woken.values { waiter.resume() }
  }

  /// Suspends until the next `send`, or until the task is cancelled.
  func next() async {
    let number = nextNumber
    nextNumber += 1
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiters[number] = continuation }
      }
    } onCancel: {
      Task { @MainActor in self.waiters.removeValue(forKey: number)?.resume() }
    }
  }
}
