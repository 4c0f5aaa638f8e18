internal import TermindApplication
internal import TermindDomain

/// Prompts that tell when the person is being asked, so that no deadline runs meanwhile.
final class CountedPrompts: ConnectionPrompting {
  private let prompts: any ConnectionPrompting
  private let began: @Sendable () -> Void
  private let ended: @Sendable () -> Void

  init(
    _ prompts: any ConnectionPrompting,
    began: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    self.prompts = prompts
    self.began = began
    self.ended = ended
  }

  var isInteractive: Bool { prompts.isInteractive }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    began()
    defer { ended() }
    return await prompts.decide(question)
  }

  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    began()
    defer { ended() }
    return await prompts.answer(challenge)
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    prompts.progressed(to: step, at: context)
  }

  func showBanner(_ text: String, at context: HopContext) {
    prompts.showBanner(text, at: context)
  }
}
