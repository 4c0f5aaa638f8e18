internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// Keeps small how many connections knock at one server at the same time.
///
/// Servers drop connections at random once a few have not signed in yet (`MaxStartups`). So only some attempts at a time go to
/// one server, the others wait for their turn, and an attempt that was dropped for that reason alone is made
/// again after a short, random pause. An attempt that asks a person lets others pass meanwhile.
actor HandshakeGate {
  /// A server as it is reached: the same address through another connection may be another machine.
  struct Door: Hashable {
    /// Its address.
    let endpoint: SSHEndpoint
    /// The number of the connection that it is reached through.
    let carrier: UInt64?
  }

  /// Fewer than the three at which the strictest of usual settings, `3:50:10`, begins to drop.
  private static let width = 3
  private static let mostTries = 6
  private static let firstPause = Duration.milliseconds(150)

  private struct Waiting {
    let number: UInt64
    let turn: CheckedContinuation<Bool, Never>
  }

  private let clock: any Clock<Duration>
  private var inside: [Door: Int] = [:]
  private var waiting: [Door: [Waiting]] = [:]
  private var numbers: UInt64 = 0

  /// Makes a gate.
  ///
  /// - Parameter clock: Measures the pauses.
  init(clock: any Clock<Duration>) { self.clock = clock }

  /// Makes an attempt when its turn has come, again when it was dropped in a crowd.
  ///
  /// - Parameters:
  ///   - door: The server.
  ///   - route: The route of the attempt, for its failure.
  ///   - prompts: Who answers.
  ///   - attempt: Makes it once, with the prompts to use.
  /// - Returns: What the attempt gave.
  /// - Throws: What the last attempt failed with, or that the wait was cancelled.
  func pass<Value: Sendable>(
    _ door: Door,
    _ route: Route,
    prompts: any ConnectionPrompting,
    attempt: @Sendable (any ConnectionPrompting) async throws(ConnectionFailure) -> Value
  ) async throws(ConnectionFailure) -> Value {
    var tries = 0
    while true {
      guard await enter(door) else { throw cancelled(route) }
      let wasCrowded = isCrowded(door) || tries > 0
      let permit = Permit { [weak self] in
        guard let self else { return }
        Task { await self.leave(door) }
      }
      do throws(ConnectionFailure) {
        let value = try await attempt(GatedPrompts(prompts, permit))
        permit.giveBack()
        return value
      } catch {
        let isDrop = error.isStartupDrop(inCrowd: wasCrowded || isCrowded(door))
        permit.giveBack()
        tries += 1
        guard isDrop, tries < Self.mostTries, await pause(tries) else { throw error }
      }
    }
  }

  private func isCrowded(_ door: Door) -> Bool {
    inside[door, default: 0] > 1 || waiting[door]?.isEmpty == false
  }

  /// Waits longer each time, and never as long as another one does.
  private func pause(_ tries: Int) async -> Bool {
    let longest = Self.firstPause * (1 << tries)
    // Cancelled means that nobody waits for the attempt any more.
    return (try? await clock.sleep(for: longest * Double.random(in: 0.5...1))) != nil
  }

  // MARK: Turns

  /// Suspends until there is room.
  ///
  /// - Returns: Whether there is; false when the task was cancelled.
  private func enter(_ door: Door) async -> Bool {
    guard inside[door, default: 0] >= Self.width else {
      inside[door, default: 0] += 1
      return true
    }
    numbers += 1
    let number = numbers
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        guard !Task.isCancelled else { return turn.resume(returning: false) }
        waiting[door, default: []].append(Waiting(number: number, turn: turn))
      }
    } onCancel: {
      Task { await self.giveUp(number, door) }
    }
  }

  private func giveUp(_ number: UInt64, _ door: Door) {
    guard let place = waiting[door]?.firstIndex(where: { $0.number == number }) else { return }
    waiting[door]?.remove(at: place).turn.resume(returning: false)
  }

  /// Lets the next one in, in the place of one who has left.
  private func leave(_ door: Door) {
    if waiting[door]?.isEmpty == false {
      waiting[door]?.removeFirst().turn.resume(returning: true)
      return
    }
    waiting[door] = nil
    let left = inside[door, default: 1] - 1
    inside[door] = left > 0 ? left : nil
  }

  private func cancelled(_ route: Route) -> ConnectionFailure {
    ConnectionFailure(
      hopIndex: route.hops.count - 1,
      hopCount: route.hops.count,
      endpoint: route.destination.endpoint,
      step: .connecting,
      cause: .cancelled
    )
  }
}

/// The right to knock at a server, given back once.
final class Permit: Sendable {
  private let back: @Sendable () -> Void
  private let isOut = Locked(true)

  /// Makes a permit; `back` runs when it is given back.
  init(_ back: @escaping @Sendable () -> Void) { self.back = back }

  /// Gives it back; further calls do nothing.
  func giveBack() {
    let wasOut = isOut.withLock { isOut in
      defer { isOut = false }
      return isOut
    }
    if wasOut { back() }
  }
}

/// The prompts of an attempt that gives its permit back before a person is asked, who may take long.
private final class GatedPrompts: ConnectionPrompting {
  private let prompts: any ConnectionPrompting
  private let permit: Permit

  init(_ prompts: any ConnectionPrompting, _ permit: Permit) {
    self.prompts = prompts
    self.permit = permit
  }

  var isInteractive: Bool { prompts.isInteractive }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    permit.giveBack()
    return await prompts.decide(question)
  }

  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    permit.giveBack()
    return await prompts.answer(challenge)
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    prompts.progressed(to: step, at: context)
  }

  func showBanner(_ text: String, at context: HopContext) {
    prompts.showBanner(text, at: context)
  }
}

extension ConnectionFailure {
  /// Whether the server dropped the connection because too many had not signed in yet.
  ///
  /// - Parameter isCrowded: Whether others knocked at the same time; only then does a drop without words count.
  /// - Returns: Whether it is worth another try.
  fileprivate func isStartupDrop(inCrowd isCrowded: Bool) -> Bool {
    guard step == .keyExchange else { return false }
    switch cause {
    case .notSSH(let banner):
      // OpenSSH's words, before and since version 9.8.
      return banner.contains("MaxStartups") || banner.contains("Not allowed at this time")
        || banner.isEmpty && isCrowded
    case .lost, .disconnected: return isCrowded
    default: return false
    }
  }
}
