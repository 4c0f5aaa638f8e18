internal import TermindInfrastructure

/// When input last went into a terminal of one connection: keys, the mouse, or what the terminal itself answers.
///
/// What is read and written on and on beside it then leaves room: a key waits behind everything that is under way.
final class TypingSign: Sendable {
  /// How long somebody counts as typing after a key.
  static let lasting = Duration.seconds(3)

  private let last = Locked<ContinuousClock.Instant?>(nil)

  /// Notes a key.
  func note() { last.withLock { $0 = .now } }

  /// Whether somebody types.
  var isOn: Bool {
    guard let last = last.withLock({ $0 }) else { return false }
    return last.duration(to: .now) < Self.lasting
  }
}
