import Dispatch

/// Decides when a window draws: at once after idle, then at most 120 times a second.
///
/// It owns no timer while nothing wants to be drawn, so an idle window never wakes the process.
final class FrameClock {
  private static let interval = Duration.nanoseconds(8_333_333)

  private let draw: () -> Bool
  private let clock = ContinuousClock()
  private var lastFrame: ContinuousClock.Instant?
  private var isScheduled = false

  /// Makes a clock.
  ///
  /// - Parameter draw: Draws a frame and says whether it showed anything new; one that did not leaves
  ///   the next one free to come at once.
  init(draw: @escaping () -> Bool) {
    self.draw = draw
  }

  /// Asks for a frame.
  func requestFrame() {
    guard !isScheduled else { return }
    isScheduled = true
    let wait = lastFrame.map { Self.interval - (clock.now - $0) } ?? .zero
    let work: @Sendable () -> Void = { [weak self] in MainActor.assumeIsolated { self?.fire() } }
    if wait <= .zero {
      DispatchQueue.main.async(execute: work)
    } else {
      let nanoseconds = Int(wait.components.attoseconds / 1_000_000_000)
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
    }
  }

  private func fire() {
    isScheduled = false
    let now = clock.now
    if draw() { lastFrame = now }
  }
}
