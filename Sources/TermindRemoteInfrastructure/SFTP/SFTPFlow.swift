/// How much may be under way of what is read, or written, on and on over one conversation.
///
/// Normally that is a lot, so that neither the line nor the server ever waits for us. But a terminal of the same
/// connection waits behind it: while somebody types there, it is little more than what the line itself holds, told by
/// the shortest time that an answer took and by how much comes in a while.
struct SFTPFlow: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// Bytes beyond what the line holds while somebody types.
  static let reserve = 65_536
  /// The least of both, two requests that every server takes.
  static let least = 65_536
  /// How long bytes are counted until that tells a rate.
  static let round = Duration.milliseconds(50)

  /// Most bytes under way otherwise.
  let most: Int
  /// The shortest time that an answer took.
  private(set) var roundTrip: Duration?
  /// The bytes a second of this round's predecessor and of the one before that.
  private var rates = (0.0, 0.0)
  private var start: Instant?
  private var count = 0

  init(most: Int) { self.most = most }

  /// Notes an answer.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes were read or written.
  ///   - sent: When the request was sent.
  ///   - now: The time now.
  mutating func answered(_ bytes: Int, sent: Instant, at now: Instant) {
    let time = sent.duration(to: now)
    roundTrip = min(roundTrip ?? time, time)
    guard let start else { return self.start = now }
    count += bytes
    let elapsed = start.duration(to: now)
    guard elapsed >= max(Self.round, roundTrip ?? .zero) else { return }
    rates = (Double(count) / (elapsed / .seconds(1)), rates.0)
    self.start = now
    count = 0
  }

  /// Most bytes that may be under way now.
  func limit(isBesideTyping: Bool) -> Int {
    guard isBesideTyping, let roundTrip else { return most }
    // A quarter more, so that a line that can carry more shows it.
    let held = max(rates.0, rates.1) * (roundTrip / .seconds(1)) * 1.25
    return min(most, max(Self.least, Int(held) + Self.reserve))
  }
}
