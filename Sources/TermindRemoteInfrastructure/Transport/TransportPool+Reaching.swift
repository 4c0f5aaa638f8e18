internal import TermindApplication
internal import TermindDomain

// libssh2 opens one channel of a connection at a time, so a host behind a bastion that swallows packets would hold up every
// other one for as long as its attempt may take. Whoever waits behind a slow one takes another connection to the bastion.
extension TransportPool {
  /// How the hosts behind one connection are reached.
  struct Reach {
    /// The attempt whose channel is being opened.
    var holder: UInt64?
    /// It takes long; whoever can goes another way.
    var isSlow = false
    var patience: Task<Void, Never>?
    var waiting: [(attempt: UInt64, turn: CheckedContinuation<ReachTurn, Never>)] = []
  }

  /// What became of the wait for a turn.
  enum ReachTurn {
    /// It has come, and is given back by this number.
    case mine(UInt64)
    /// The engine opens as many channels at the same time as are wanted.
    case free
    /// Another connection is better, or this one has gone.
    case look
    case cancelled
  }

  /// How long one host may take before others go another way.
  private static let patience = Duration.seconds(1)
  /// How many connections to one host wait for others behind it at most.
  static let mostWays = 4

  /// Reaches the last hop of a route when its turn at a connection has come.
  ///
  /// - Returns: What `open` gives; nil when another connection is better.
  func reach(
    _ route: Route,
    on number: UInt64,
    _ prompts: any ConnectionPrompting,
    _ open: (any ConnectionPrompting) async throws(ConnectionFailure) -> any SSHTransport
  ) async throws(ConnectionFailure) -> (any SSHTransport)? {
    let attempt: UInt64
    switch await enterReach(of: number) {
    case .mine(let turn): attempt = turn
    case .free: return try await open(prompts)
    case .look: return nil
    case .cancelled: throw cancelled(route)
    }
    let reaching = ReachingPrompts(prompts) { [weak self] in
      guard let self else { return }
      Task { await self.leaveReach(attempt, on: number) }
    }
    do throws(ConnectionFailure) {
      let transport = try await open(reaching)
      leaveReach(attempt, on: number)
      return transport
    } catch {
      settleReach(attempt, on: number)
      throw error
    }
  }

  /// Waits for the turn to open a channel to the next hop.
  private func enterReach(of number: UInt64) async -> ReachTurn {
    guard let entry = entries[number] else { return .look }
    guard entry.transport.opensInTurn else { return .free }
    numbers += 1
    let attempt = numbers
    guard entry.reach.holder != nil else {
      beginReach(attempt, on: number)
      return .mine(attempt)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        // A closure runs on the pool only when it uses the pool.
        queue(turn, for: attempt, on: entry)
      }
    } onCancel: {
      Task { await self.cancelReach(attempt, on: number) }
    }
  }

  private func queue(
    _ turn: CheckedContinuation<ReachTurn, Never>,
    for attempt: UInt64,
    on entry: Entry
  ) {
    guard !Task.isCancelled else { return turn.resume(returning: .cancelled) }
    entry.reach.waiting.append((attempt, turn))
  }

  /// Gives the turn back: the next hop is reached, or refused.
  private func leaveReach(_ attempt: UInt64, on number: UInt64) {
    guard let entry = entries[number], entry.reach.holder == attempt else { return }
    entry.reach.patience?.cancel()
    entry.reach.holder = nil
    entry.reach.isSlow = false
    guard !entry.reach.waiting.isEmpty else { return }
    let next = entry.reach.waiting.removeFirst()
    beginReach(next.attempt, on: number)
    next.turn.resume(returning: .mine(next.attempt))
  }

  /// Gives the turn of a failed attempt back once the server has answered it; until then it is in the way.
  private func settleReach(_ attempt: UInt64, on number: UInt64) {
    guard let entry = entries[number], entry.reach.holder == attempt else { return }
    let transport = entry.transport
    Task {
      await transport.waitForOpening()
      leaveReach(attempt, on: number)
    }
  }

  /// Sends everyone who waits at a connection elsewhere.
  func dissolveReach(_ entry: Entry) {
    for waiting in entry.reach.waiting { waiting.turn.resume(returning: .look) }
    entry.reach.waiting = []
  }

  private func beginReach(_ attempt: UInt64, on number: UInt64) {
    guard let entry = entries[number] else { return }
    entry.reach.holder = attempt
    let clock = clock
    entry.reach.patience = Task { [weak self] in
      // A cancelled sleep means that the host was reached, or refused, in time.
      guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
      await self?.reachIsSlow(attempt, on: number)
    }
  }

  private func reachIsSlow(_ attempt: UInt64, on number: UInt64) {
    guard let entry = entries[number], entry.reach.holder == attempt else { return }
    entry.reach.isSlow = true
    dissolveReach(entry)
  }

  private func cancelReach(_ attempt: UInt64, on number: UInt64) {
    guard let entry = entries[number],
      let place = entry.reach.waiting.firstIndex(where: { $0.attempt == attempt })
    else { return }
    entry.reach.waiting.remove(at: place).turn.resume(returning: .cancelled)
  }
}

/// The prompts of an attempt, which also tell when its last hop is reached.
final class ReachingPrompts: ConnectionPrompting {
  private let prompts: any ConnectionPrompting
  private let reached: @Sendable () -> Void

  /// Wraps prompts; `reached` is called when keys are exchanged with the last hop.
  init(_ prompts: any ConnectionPrompting, reached: @escaping @Sendable () -> Void) {
    self.prompts = prompts
    self.reached = reached
  }

  var isInteractive: Bool { prompts.isInteractive }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    await prompts.decide(question)
  }

  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    await prompts.answer(challenge)
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    if step == .keyExchange, context.index == context.count - 1 { reached() }
    prompts.progressed(to: step, at: context)
  }

  func showBanner(_ text: String, at context: HopContext) {
    prompts.showBanner(text, at: context)
  }
}
