internal import TermindDomain

/// The life of what runs in a pane, local or over SSH; a pure state machine.
///
/// Its owner runs the effects in order and reports what happens, with the generation that the effect
/// carried. Times are readings of one monotonic clock. A restart keeps the pane and its scrollback.
public struct PaneSession: Hashable, Sendable {
  /// What the pane holds.
  public let kind: PaneKind
  /// How many hops its route has; zero for a local program.
  public let hopCount: Int
  /// Where it stands.
  public private(set) var state = PaneSessionState.idle
  /// The number of the present attempt or wait.
  public private(set) var generation = SessionGeneration(rawValue: 0)
  private var policy = ReconnectPolicy()

  /// Makes the session of a local program, or of an SSH route with a number of hops.
  public init(kind: PaneKind, hopCount: Int = 0) {
    self.kind = kind
    self.hopCount = kind.isRemote ? max(hopCount, 1) : 0
  }

  /// The time until the next silent attempt; nil when none is planned.
  public func timeToRetry(at now: Duration) -> Duration? {
    guard case .lost(_, let retryAt, _) = state else { return nil }
    return max(retryAt - now, .zero)
  }

  // MARK: Commands

  /// Does what the person asks for.
  public mutating func handle(_ command: PaneCommand) -> [PaneEffect] {
    switch command {
    case .start: start()
    case .cancel: cancel()
    case .close: close()
    }
  }

  private mutating func start() -> [PaneEffect] {
    guard kind != .empty, state.canStart else { return [] }
    var effects: [PaneEffect] = []
    if case .lost = state { effects.append(.cancelTimer(generation)) }
    policy.retriedByPerson()
    return effects + open(silent: false)
  }

  private mutating func cancel() -> [PaneEffect] {
    switch state {
    case .connecting, .waiting:
      policy.cancel()
      let effects = [PaneEffect.cancelOpening(generation)]
      retire(to: .failed(.cancelled, stop: .cancelled))
      return effects
    case .lost(let failure, _, _):
      policy.cancel()
      let effects = [PaneEffect.cancelTimer(generation)]
      retire(to: .failed(.connection(failure), stop: .cancelled))
      return effects
    case .idle, .live, .failed, .ended, .closed:
      return []
    }
  }

  private mutating func close() -> [PaneEffect] {
    var effects: [PaneEffect] = []
    switch state {
    case .connecting, .waiting: effects = [.cancelOpening(generation)]
    case .live: effects = [.closeChannel(generation)]
    case .lost: effects = [.cancelTimer(generation)]
    case .idle, .failed, .ended, .closed: break
    }
    policy.cancel()
    retire(to: .closed)
    return effects
  }

  // MARK: Events

  /// Takes what an attempt, a channel or a timer reports.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - source: The generation that the effect carried.
  ///   - now: The reading of the clock.
  /// - Returns: What to do. A retired generation changes nothing, but a channel that it still opened
  ///   is closed.
  public mutating func handle(
    _ event: PaneEvent,
    from source: SessionGeneration,
    at now: Duration
  ) -> [PaneEffect] {
    guard source == generation else {
      return event == .opened ? [.closeChannel(source)] : []
    }
    switch event {
    case .progressed(let step, let hop): return progressed(to: step, hop: hop)
    case .asked(let question): return asked(question)
    case .answered:
      if case .waiting(_, let progress) = state { state = .connecting(progress) }
      return []
    case .opened: return opened(at: now)
    case .openFailed(let failure): return openFailed(failure, at: now)
    case .ended(let end): return ended(end, at: now)
    case .timerFired:
      guard case .lost = state else { return [] }
      return open(silent: true)
    }
  }

  private mutating func progressed(to step: ConnectionStep, hop: Int) -> [PaneEffect] {
    guard var progress = progress else { return [] }
    progress.step = step
    progress.hop = min(max(hop, 0), max(hopCount - 1, 0))
    state = .connecting(progress)
    return []
  }

  private mutating func asked(_ question: PaneQuestion) -> [PaneEffect] {
    guard let progress else { return [] }
    state = .waiting(question, progress)
    return []
  }

  private mutating func opened(at now: Duration) -> [PaneEffect] {
    guard progress != nil else { return [] }
    policy.connected(at: now)
    state = .live(since: now)
    return []
  }

  private mutating func openFailed(
    _ failure: PaneFailure,
    at now: Duration
  ) -> [PaneEffect] {
    guard progress != nil else { return [] }
    guard case .connection(let connection) = failure, kind.isRemote else {
      policy.cancel()
      retire(to: .failed(failure, stop: nil))
      return []
    }
    return decide(connection, at: now)
  }

  private mutating func ended(_ end: TerminalChannelEnd, at now: Duration) -> [PaneEffect] {
    guard case .live = state else { return [] }
    guard case .failed(let failure) = end, kind.isRemote else {
      policy.cancel()
      retire(to: .ended(end))
      return [.resetModes, .mark(.ended(end))]
    }
    return [.resetModes, .mark(.lost(failure))] + decide(failure, at: now)
  }

  private mutating func decide(
    _ failure: ConnectionFailure,
    at now: Duration
  ) -> [PaneEffect] {
    switch policy.failed(failure.cause, at: now) {
    case .stop(let reason):
      retire(to: .failed(.connection(failure), stop: reason))
      return []
    case .retry(let delay, let attempt):
      retire(to: .lost(failure, retryAt: now + delay, attempt: attempt))
      return [.schedule(generation, after: delay)]
    }
  }

  // MARK: Steps

  /// How far the attempt is; nil when there is none.
  private var progress: PaneProgress? {
    switch state {
    case .connecting(let progress), .waiting(_, let progress): progress
    default: nil
    }
  }

  private mutating func open(silent: Bool) -> [PaneEffect] {
    let step = kind.isRemote ? ConnectionStep.resolving : .openingChannel
    retire(
      to: .connecting(PaneProgress(hop: 0, hopCount: hopCount, step: step, isSilent: silent))
    )
    return [.open(generation, silent: silent)]
  }

  /// Goes to another state under a new number, so that nothing older counts any more.
  private mutating func retire(to state: PaneSessionState) {
    generation = generation.next
    self.state = state
  }
}
