import TermindApplication
import TermindDomain
import TermindPresentation

/// One connection that belongs to no pane, such as a test; its questions lie over the window.
final class WindowAttempt {
  private unowned let window: Window
  private let questions = PromptQueue()
  private let remembersTrust: Bool
  private var sheet: PromptSheet?
  private let report: (String) -> Void

  /// Makes an attempt.
  ///
  /// - Parameters:
  ///   - window: Where the person is asked.
  ///   - remembersTrust: Whether a host key that is trusted in it is trusted from then on.
  ///   - report: Takes each step, in words.
  init(in window: Window, remembersTrust: Bool, report: @escaping (String) -> Void) {
    self.window = window
    self.remembersTrust = remembersTrust
    self.report = report
    questions.onChange = { [weak self] in self?.questionsChanged() }
  }

  /// Connects along a route.
  func open(_ route: Route) async throws(ConnectionFailure) -> any SSHTransport {
    await window.server.services.storeSettled()
    let prompter = PanePrompter(
      isInteractive: true,
      queue: questions,
      report: { [weak self] step, context in
        let hop = context.count > 1 ? " (hop \(context.index + 1) of \(context.count))" : ""
        self?.report("\(ErrorText.words(for: step))\(hop) …")
      },
      banner: { _ in }
    )
    return try await window.server.services.openTransport(
      route,
      prompts: remembersTrust ? prompter : ForgetfulPrompter(prompter)
    )
  }

  private func questionsChanged() {
    if let old = sheet { window.finish(.close, of: old) }
    sheet = questions.current.map { current in
      let view = PanePromptView(current.question, number: current.number, queue: questions)
      return PromptSheet(view) { [weak self] in self?.questions.refuseAll() }
    }
    if let sheet { window.present(sheet) }
  }
}

/// Asks as a pane does, and lets no trust outlive the attempt.
nonisolated private final class ForgetfulPrompter: ConnectionPrompting {
  private let prompter: PanePrompter

  init(_ prompter: PanePrompter) { self.prompter = prompter }

  var isInteractive: Bool { prompter.isInteractive }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    await prompter.decide(question) == .reject ? .reject : .trustOnce
  }

  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    await prompter.answer(challenge)
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    prompter.progressed(to: step, at: context)
  }

  func showBanner(_ text: String, at context: HopContext) {
    prompter.showBanner(text, at: context)
  }
}
