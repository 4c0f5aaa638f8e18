/// How much may be under way of what is read, or written, on and on over one conversation.
///
/// It is what the line holds, told by the shortest time that an answer took and by how much comes in a while, and some
/// more, so that neither the line nor the server ever waits for us. Much more would only fill queues, through which
/// OpenSSH's server moves its bytes again and again. And a terminal of the same connection waits behind all of it: while
/// somebody types there, it is as little as can be.
struct SFTPFlow: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// Bytes beyond what the line holds.
  static let reserve = 2_097_152
  /// The same while somebody types: two requests that every server takes.
  static let typingReserve = 65_536
  /// Most bytes before anything is known.
  static let first = 4_194_304
  /// How long bytes are counted until that tells a rate.
  static let round = Duration.milliseconds(50)

  /// Most bytes under way, whatever the line holds.
  let most: Int
  /// The shortest time that an answer took.
  private(set) var roundTrip: Duration?
  /// The bytes a second of the last round, and of the one before.
  private var rates: (last: Double, before: Double)?
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
    rates = (Double(count) / (elapsed / .seconds(1)), rates?.last ?? 0)
    self.start = now
    count = 0
  }

  /// Most bytes that may be under way now.
  func limit(isBesideTyping: Bool) -> Int {
    guard let roundTrip, let rates else {
      return min(most, isBesideTyping ? Self.typingReserve : Self.first)
    }
    // A quarter more, so that a line that can carry more shows it.
    let held = max(rates.last, rates.before) * (roundTrip / .seconds(1)) * 1.25
    return min(most, Int(held) + (isBesideTyping ? Self.typingReserve : Self.reserve))
  }
}
