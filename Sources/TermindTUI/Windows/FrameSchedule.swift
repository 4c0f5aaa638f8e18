/// When a window may draw: 120 frames a second, a few of them early after a rest, and answers at once.
///
/// Frames are paid for at 120 a second. After a rest a few may come before they are paid, so that what a program
/// prints in pieces is soon there as a whole. The answer to a key may borrow further ahead: it never waits for the
/// flood of another pane, whose next frames come later for it. So whatever causes frames, no second has more than
/// `framesPerSecond` of them and what may be borrowed.
///
/// A frame that takes long to draw, such as a pane full of new text, is paid for longer, unless it is an answer: drawing
/// a flood, which nobody can read, takes little from the program that prints it.
nonisolated struct FrameSchedule {
  typealias Instant = ContinuousClock.Instant

  /// Why a frame is wanted.
  enum Cause {
    /// Anything that changes what the window shows.
    case change
    /// A program printed something after a key was typed into it.
    case answer
  }

  /// Frames that are paid for in a second.
  static let framesPerSecond = 120
  /// Frames that may come early after a rest.
  static let earlyFrames = 3
  /// Frames that answers may come early beyond those.
  static let earlyAnswers = 12
  /// The least time between two frames of which the second is no answer.
  static let spacing = Duration.milliseconds(2)

  /// How many times as long as it took to draw a frame is paid for.
  static let costFactor = 8
  /// The longest time that a frame is paid for, also where the machine held its drawing up.
  static let mostPrice = Duration.milliseconds(40)

  private static let interval = Duration.nanoseconds(1_000_000_000 / framesPerSecond)

  private var last: Instant?
  /// The moment at which every frame up to now is paid for.
  private var paid: Instant?

  /// How long a frame still has to wait; zero when it may be drawn now.
  func wait(at now: Instant, for cause: Cause) -> Duration {
    guard let last, let paid else { return .zero }
    switch cause {
    case .change:
      let ahead = Self.interval * Self.earlyFrames
      return max(now.duration(to: paid) - ahead, now.duration(to: last) + Self.spacing, .zero)
    case .answer:
      let ahead = Self.interval * (Self.earlyFrames + Self.earlyAnswers)
      return max(now.duration(to: paid) - ahead, .zero)
    }
  }

  /// Notes a frame that showed something, and how long it took to draw; an answer costs no more for that.
  mutating func drew(at now: Instant, cost: Duration = .zero, for cause: Cause = .change) {
    let cost = cause == .answer ? .zero : cost
    let price = min(max(Self.interval, cost * Self.costFactor), Self.mostPrice)
    paid = max(paid ?? now, now) + price
    last = now
  }
}
