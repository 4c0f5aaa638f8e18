import Dispatch

/// Decides when a window draws: at once after idle, then at most 120 times a second.
///
/// It owns no timer while nothing wants to be drawn, so an idle window never wakes the process.
final class FrameClock {
  private static let interval = Duration.nanoseconds(8_333_333)

  private let draw: () -> Void
  private let clock = ContinuousClock()
  private var lastFrame: ContinuousClock.Instant?
  private var isScheduled = false

  init(draw: @escaping () -> Void) {
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
    lastFrame = clock.now
    draw()
  }
}
