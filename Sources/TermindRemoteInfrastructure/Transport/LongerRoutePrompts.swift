internal import TermindApplication
internal import TermindDomain

/// The prompts of an attempt that opens the first hops of a longer route: questions and progress name that one.
final class LongerRoutePrompts: ConnectionPrompting {
  private let prompts: any ConnectionPrompting
  private let count: Int

  /// Wraps the prompts of a route with so many hops.
  init(_ prompts: any ConnectionPrompting, count: Int) {
    self.prompts = prompts
    self.count = count
  }

  var isInteractive: Bool { prompts.isInteractive }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    await prompts.decide(
      HostKeyQuestion(
        context: longer(question.context),
        key: question.key,
        doubt: question.doubt,
        hasUnusedAuthority: question.hasUnusedAuthority
      )
    )
  }

  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    await prompts.answer(
      CredentialChallenge(
        context: longer(challenge.context),
        kind: challenge.kind,
        title: challenge.title,
        instruction: challenge.instruction,
        prompts: challenge.prompts,
        attempt: challenge.attempt,
        unusedKeys: challenge.unusedKeys
      )
    )
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    prompts.progressed(to: step, at: longer(context))
  }

  func showBanner(_ text: String, at context: HopContext) {
    prompts.showBanner(text, at: longer(context))
  }

  private func longer(_ context: HopContext) -> HopContext {
    HopContext(index: context.index, count: count, hop: context.hop)
  }
}

extension Route {
  /// The route to the hop before the last; nil when there is none.
  var way: Route? {
    // A part of a route keeps every rule of one.
    hops.count > 1 ? try? Route(hops: Array(hops.dropLast())) : nil
  }
}

extension ConnectionFailure {
  /// The same failure, on a route with so many hops.
  func onRoute(of count: Int) -> ConnectionFailure {
    ConnectionFailure(
      hopIndex: hopIndex,
      hopCount: count,
      endpoint: endpoint,
      step: step,
      cause: cause
    )
  }
}
