/// Shares a number of bytes a second between everybody who takes from it.
public actor BandwidthLimit {
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Duration
  private var rate: Int?
  /// When what was taken so far has been paid for, since the limit was made.
  private var paidUntil: Duration = .zero

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

  /// Changes the limit, from the next bytes on.
  public func setRate(_ rate: Int?) {
    self.rate = rate.map { max(1, $0) }
    paidUntil = now()
  }

  /// Takes bytes, and returns once they may be sent; at once when there is no limit or the task was cancelled.
  public func take(_ count: Int) async {
    guard let rate else { return }
    let present = now()
    // At most a quarter of a second of unused time is made up for.
    paidUntil = max(paidUntil, present - .milliseconds(250))
    paidUntil += .nanoseconds(Int64(Double(count) / Double(rate) * 1_000_000_000))
    let wait = paidUntil - present
    guard wait > .zero else { return }
    // Cancelled: whoever takes looks at that next.
    try? await clock.sleep(for: wait)
  }
}
