import Dispatch

/// Draws a window when `FrameSchedule` allows it.
///
/// It owns no timer while nothing wants to be drawn, so an idle window never wakes the process.
final class FrameClock {
  /// Where the time comes from, and who calls back later.
  struct Source {
    /// The time now.
    var now: () -> ContinuousClock.Instant
    /// Runs work on the main actor after a time, in a later turn even when that is zero.
    var run: (_ wait: Duration, _ work: @escaping @MainActor @Sendable () -> Void) -> Void

    /// The system's clock and the main queue.
    static let system = Source(
      now: { ContinuousClock.now },
      run: { wait, work in
        let body: @Sendable () -> Void = { MainActor.assumeIsolated(work) }
        if wait <= .zero { return DispatchQueue.main.async(execute: body) }
        let nanoseconds = Int(wait / .nanoseconds(1))
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: body)
      }
    )
  }

  private let source: Source
  private let draw: () -> Bool
  private var schedule = FrameSchedule()
  private var isWanted = false
  private var isScheduled = false

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - source: Where the time comes from.
  ///   - draw: Draws a frame and says whether it showed anything new; one that did not leaves the next one
  ///     free to come at once.
  init(_ source: Source = .system, draw: @escaping () -> Bool) {
    self.source = source
    self.draw = draw
  }

  /// Asks for a frame.
  ///
  /// A change is drawn in a later turn of the main queue, with whatever else has changed until then; an answer
  /// before this returns, when it may be.
  func requestFrame(_ cause: FrameSchedule.Cause = .change) {
    isWanted = true
    let now = source.now()
    if cause == .answer, schedule.wait(at: now, for: .answer) == .zero {
      return drawNow(at: now, .answer)
    }
    guard !isScheduled else { return }
    callBack(after: schedule.wait(at: now, for: .change))
  }

  private func callBack(after wait: Duration) {
    isScheduled = true
    source.run(wait) { [weak self] in self?.fire() }
  }

  private func fire() {
    isScheduled = false
    // An answer took what was wanted with it.
    guard isWanted else { return }
    let now = source.now()
    let wait = schedule.wait(at: now, for: .change)
    guard wait == .zero else { return callBack(after: wait) }
    drawNow(at: now)
  }

  private func drawNow(at now: ContinuousClock.Instant, _ cause: FrameSchedule.Cause = .change) {
    isWanted = false
    if draw() { schedule.drew(at: now, cost: now.duration(to: source.now()), for: cause) }
  }
}
