/// Waits for work that may hang, for so long and no longer.
public enum BoundedWait {
  /// Starts work and suspends until it has called back, or until the time is over; late work goes on unheard.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - clock: Measures the time.
  ///   - work: Starts the work, and has what it is given called at its end.
  public static func run(
    within limit: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    _ work: (_ finish: @escaping @Sendable () -> Void) -> Void
  ) async {
    await withCheckedContinuation { continuation in
      let waiting = Locked<CheckedContinuation<Void, Never>?>(continuation)
      @Sendable func finish() {
        let continuation = waiting.withLock { waiting in
          defer { waiting = nil }
          return waiting
        }
        continuation?.resume()
      }
      let timer = Task {
        // A cancelled sleep means that the work has ended.
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        finish()
      }
      work {
        timer.cancel()
        finish()
      }
    }
  }
}
