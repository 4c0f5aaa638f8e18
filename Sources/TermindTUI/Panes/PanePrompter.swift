import TermindApplication
import TermindDomain
import TermindPresentation

/// Carries the questions and the progress of one attempt to its pane.
nonisolated final class PanePrompter: ConnectionPrompting {
  let isInteractive: Bool
  private let queue: PromptQueue
  private let report: @MainActor @Sendable (ConnectionStep, HopContext) -> Void
  private let banner: @MainActor @Sendable (String) -> Void

  init(
    isInteractive: Bool,
    queue: PromptQueue,
    report: @escaping @MainActor @Sendable (ConnectionStep, HopContext) -> Void,
    banner: @escaping @MainActor @Sendable (String) -> Void
  ) {
    self.isInteractive = isInteractive
    self.queue = queue
    self.report = report
    self.banner = banner
  }

  /// Asks nobody, and tells nobody.
  @MainActor convenience init() {
    self.init(isInteractive: false, queue: PromptQueue(), report: { _, _ in }, banner: { _ in })
  }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    guard isInteractive else { return .reject }
    guard case .hostKey(let decision) = await queue.ask(.hostKey(question)) else { return .reject }
    return decision
  }

  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    guard isInteractive else { return nil }
    guard !challenge.prompts.isEmpty else {
      // Nothing is asked, such as for a push to a phone, or by a keyring that asks elsewhere: the person
      // reads it meanwhile.
      let words = CredentialSheet(challenge).form.lines
      showBanner(words.joined(separator: "\n") + "\n", at: challenge.context)
      return []
    }
    guard case .credentials(let answers) = await queue.ask(.credentials(challenge)) else {
      return nil
    }
    return answers
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    Task { @MainActor in report(step, context) }
  }

  func showBanner(_ text: String, at context: HopContext) {
    Task { @MainActor in banner(text) }
  }
}
