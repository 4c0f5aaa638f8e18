/// Decides what follows when a connection attempt fails or a connection ends; a pure value.
///
/// Times are readings of one monotonic clock. After a connection was up, loss is retried after 1, 2,
/// 5, 10 and then every 30 seconds; 60 stable seconds start the row anew. What would need a person
/// stops it, and so does the failure of a first attempt.
public struct ReconnectPolicy: Hashable, Sendable {
  /// The waits before the first, second … attempt; the last one repeats.
  public static let delays: [Duration] = [1, 2, 5, 10, 30].map { .seconds($0) }
  /// How long a connection must have been up to forget earlier losses.
  public static let stableTime = Duration.seconds(60)

  /// What to do next.
  public enum Decision: Hashable, Sendable {
    /// Wait, then try silently; `attempt` counts from one since the connection was stable.
    case retry(after: Duration, attempt: Int)
    /// Offer Retry and wait for the person.
    case stop(StopReason)
  }

  /// Why nothing is retried.
  public enum StopReason: Hashable, Sendable {
    /// The connection was never up.
    case firstFailure
    /// The server or its key was not accepted, or asked for something that only a person can give.
    case personNeeded
    /// The server accepted none of what may be offered.
    case authenticationFailed
    /// It was ended on purpose.
    case cancelled
  }

  private enum State: Hashable {
    /// Never up since the person asked; a failure stops.
    case fresh
    /// Up since a time; `losses` counts the attempts of the row that is going on.
    case up(since: Duration, losses: Int)
    /// Lost, and being retried.
    case recovering(losses: Int)
    /// Stopped; only the person goes on.
    case stopped
  }

  private var state = State.fresh

  /// Makes a policy for a connection that was never up.
  public init() {}

  /// Whether the next attempt is a silent one, which may ask nothing of the person.
  public var isRecovering: Bool {
    guard case .recovering = state else { return false }
    return true
  }

  /// Notes that the connection is up.
  public mutating func connected(at now: Duration) {
    switch state {
    case .recovering(let losses): state = .up(since: now, losses: losses)
    case .up: break
    case .fresh, .stopped: state = .up(since: now, losses: 0)
    }
  }

  /// Decides after a failed attempt or the end of a connection.
  public mutating func failed(_ cause: ConnectionFailureCause, at now: Duration) -> Decision {
    if let reason = Self.stopReason(of: cause) { return stop(reason) }
    let losses: Int
    switch state {
    case .fresh, .stopped: return stop(.firstFailure)
    case .up(let since, let earlier): losses = now - since >= Self.stableTime ? 0 : earlier
    case .recovering(let earlier): losses = earlier
    }
    state = .recovering(losses: losses + 1)
    return .retry(
      after: Self.delays[min(losses, Self.delays.count - 1)],
      attempt: losses + 1
    )
  }

  /// Notes that the person asked to connect again.
  ///
  /// While losses are being retried this only shortens the wait, and the row goes on after another
  /// loss; after a stop it is a first attempt.
  public mutating func retriedByPerson() {
    if case .stopped = state { state = .fresh }
  }

  /// Ends recovery on purpose.
  public mutating func cancel() { state = .stopped }

  private mutating func stop(_ reason: StopReason) -> Decision {
    state = .stopped
    return .stop(reason)
  }

  /// Why a cause ends recovery, nil when trying again may help.
  private static func stopReason(of cause: ConnectionFailureCause) -> StopReason? {
    switch cause {
    case .authenticationFailed: .authenticationFailed
    case .hostKeyRejected, .hostKeyChanged, .hostKeyRevoked, .interactionRequired, .keyUnusable,
      .noCommonAlgorithm, .oldAlgorithmsOnly, .unsupported:
      .personNeeded
    case .cancelled: .cancelled
    case .unknownHost, .refused, .unreachable, .timedOut, .notSSH, .disconnected, .channelRefused,
      .lost, .keepaliveTimedOut, .internalError:
      nil
    }
  }
}
