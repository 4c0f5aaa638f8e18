/// Shares a number of bytes a second between everybody who takes from it.
public actor BandwidthLimit {
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Duration
  private var rate: Int?
  /// When what was taken so far has been paid for, since the limit was made.
  private var paidUntil: Duration = .zero
  /// How often the rate was changed.
  private var changes = 0

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - rate: Bytes a second; nil means as fast as it goes.
  ///   - clock: What waits.
  public init<C: Clock<Duration>>(bytesPerSecond rate: Int?, clock: C = ContinuousClock()) {
    let start = clock.now
    self.clock = clock
    now = { start.duration(to: clock.now) }
    self.rate = rate.map { max(1, $0) }
  }

  /// Changes the limit, also for what waits.
  public func setRate(_ rate: Int?) {
    self.rate = rate.map { max(1, $0) }
    paidUntil = now()
    changes += 1
  }

  /// The bytes a second; nil means as fast as it goes.
  public var bytesPerSecond: Int? { rate }

  /// Takes bytes, and returns once they may be sent; at once when there is no limit or the task was cancelled.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - control: Whoever asks it for a pause is heard within a quarter of a second.
  public func take(_ count: Int, _ control: CopyControl? = nil) async {
    var paid = -1
    var end = Duration.zero
    while control?.isPausing != true, let rate {
      if paid != changes {
        // Another rate holds for everybody who waits: each pays its bytes anew.
        paid = changes
        // At most a quarter of a second of unused time is made up for.
        paidUntil = max(paidUntil, now() - Self.slice)
        paidUntil += .nanoseconds(Int64(Double(count) / Double(rate) * 1_000_000_000))
        end = paidUntil
      }
      let wait = end - now()
      // Cancelled: whoever takes looks at that next.
      guard wait > .zero, (try? await clock.sleep(for: min(wait, Self.slice))) != nil else {
        return
      }
    }
  }

  private static let slice = Duration.milliseconds(250)
}
