internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The prompts of an attempt that several terminals wait for: one of them is asked, all see how far it is.
final class SharedPrompts: ConnectionPrompting {
  private struct State {
    var followers: [UInt64: any ConnectionPrompting] = [:]
    var progress: (step: ConnectionStep, context: HopContext)?
  }

  private let asked: any ConnectionPrompting
  private let state = Locked(State())

  /// Makes the prompts of an attempt that asks one person.
  init(asking asked: any ConnectionPrompting) { self.asked = asked }

  var isInteractive: Bool { asked.isInteractive }

  /// Shows the attempt to one more, beginning with the step that it is at.
  func join(_ number: UInt64, _ follower: any ConnectionPrompting) {
    // Told under the lock, so that steps arrive in order; it is short for everyone.
    state.withLock { state in
      state.followers[number] = follower
      if let (step, context) = state.progress { follower.progressed(to: step, at: context) }
    }
  }

  /// Shows no more to one who joined.
  func leave(_ number: UInt64) {
    state.withLock { $0.followers[number] = nil }
  }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    await asked.decide(question)
  }

  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    await asked.answer(challenge)
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    state.withLock { state in
      state.progress = (step, context)
      asked.progressed(to: step, at: context)
      for follower in state.followers.values { follower.progressed(to: step, at: context) }
    }
  }

  func showBanner(_ text: String, at context: HopContext) {
    state.withLock { state in
      asked.showBanner(text, at: context)
      for follower in state.followers.values { follower.showBanner(text, at: context) }
    }
  }
}
