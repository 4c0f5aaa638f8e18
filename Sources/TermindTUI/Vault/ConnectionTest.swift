import TermindApplication
import TermindDomain
import TermindPresentation
import TermindRemoteInfrastructure
import TermindTerminal

/// One real attempt to reach a host, for the person who edits it; nothing is saved by it.
final class ConnectionTest {
  private let services: Services
  private let questions = PromptQueue()
  /// Runs when the question in front changed; nil when there is none.
  var onQuestion: ((PanePromptView?) -> Void)?
  /// Runs when the attempt came to another step.
  var onStep: ((String) -> Void)?

  init(_ services: Services) {
    self.services = services
    questions.onChange = { [weak self] in self?.questionsChanged() }
  }

  private func questionsChanged() {
    onQuestion?(
      questions.current.map {
        PanePromptView($0.question, number: $0.number, queue: questions)
      }
    )
  }

  /// Refuses every question, as when the person leaves.
  func refuse() { questions.refuseAll() }

  /// Connects, and tells what came of it in plain words.
  func run(_ route: Route) async -> String {
    await services.storeSettled()
    let prompter = TestPrompter(
      PanePrompter(
        isInteractive: true,
        queue: questions,
        report: { [weak self] step, context in
          let hop =
            context.count > 1 ? " (hop \(context.index + 1) of \(context.count))" : ""
          self?.onStep?("\(ErrorText.words(for: step))\(hop) …")
        },
        banner: { _ in }
      )
    )
    let start = ContinuousClock.now
    do throws(ConnectionFailure) {
      let transport = try await services.openTransport(route, prompts: prompter)
      await transport.close()
      let spent = start.duration(to: .now)
      let hops = route.hops.count
      let way = hops == 1 ? "" : " over \(hops) hops"
      return "It works: signed in as \(route.destination.credentials.username)\(way) "
        + "in \(Self.text(spent))."
    } catch {
      return ErrorText.explain(error).detail
    }
  }

  private static func text(_ duration: Duration) -> String {
    let milliseconds = duration / .milliseconds(1)
    return milliseconds < 1_000 ? "\(Int(milliseconds)) ms" : "\(Int(milliseconds / 100) * 100) ms"
  }
}

/// Asks as a pane does, and lets no trust outlive the test.
nonisolated private final class TestPrompter: ConnectionPrompting {
  private let prompter: PanePrompter

  init(_ prompter: PanePrompter) { self.prompter = prompter }

  var isInteractive: Bool { prompter.isInteractive }

  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    await prompter.decide(question) == .reject ? .reject : .trustOnce
  }

  func answer(_ challenge: CredentialChallenge) async -> [[UInt8]]? {
    await prompter.answer(challenge)
  }

  func progressed(to step: ConnectionStep, at context: HopContext) {
    prompter.progressed(to: step, at: context)
  }

  func showBanner(_ text: String, at context: HopContext) {
    prompter.showBanner(text, at: context)
  }
}
