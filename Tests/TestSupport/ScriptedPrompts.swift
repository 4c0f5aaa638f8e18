public import TermindApplication
public import TermindDomain
import TermindInfrastructure

/// Answers a connection attempt from a script, and keeps what it was asked.
public final class ScriptedPrompts: ConnectionPrompting {
  private struct State {
    var questions: [HostKeyQuestion] = []
    var challenges: [CredentialChallenge] = []
    var banners: [String] = []
    var steps: [ConnectionStep] = []
  }

  private let state = Locked(State())
  private let decision: @Sendable (HostKeyQuestion) async -> HostKeyDecision
  private let answers: @Sendable (CredentialChallenge) async -> [String]?
  private let step: @Sendable (ConnectionStep, HopContext) -> Void
  /// Whether a person may be asked.
  public let isInteractive: Bool

  /// Makes prompts; without closures every key is trusted once and every question declined.
  ///
  /// - Parameters:
  ///   - isInteractive: Whether a person may be asked.
  ///   - decide: Decides about host keys.
  ///   - answer: Answers questions.
  ///   - step: Told of each step, on the connection's loop.
  public init(
    isInteractive: Bool = true,
    decide: @escaping @Sendable (HostKeyQuestion) async -> HostKeyDecision = { _ in .trustOnce },
    answer: @escaping @Sendable (CredentialChallenge) async -> [String]? = { _ in nil },
    step: @escaping @Sendable (ConnectionStep, HopContext) -> Void = { _, _ in }
  ) {
    self.isInteractive = isInteractive
    decision = decide
    answers = answer
    self.step = step
  }

  /// The host key questions so far.
  public var questions: [HostKeyQuestion] { state.withLock { $0.questions } }
  /// The challenges so far.
  public var challenges: [CredentialChallenge] { state.withLock { $0.challenges } }
  /// The banners so far.
  public var banners: [String] { state.withLock { $0.banners } }
  /// The steps so far.
  public var steps: [ConnectionStep] { state.withLock { $0.steps } }

  /// Decides as scripted.
  public func decide(_ question: HostKeyQuestion) async -> HostKeyDecision {
    state.withLock { $0.questions.append(question) }
    return await decision(question)
  }

  /// Answers as scripted.
  public func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? {
    state.withLock { $0.challenges.append(challenge) }
    return await answers(challenge)?.map { SecretBytes($0.utf8) }
  }

  /// Keeps the step.
  public func progressed(to step: ConnectionStep, at context: HopContext) {
    state.withLock { $0.steps.append(step) }
    self.step(step, context)
  }

  /// Keeps the banner.
  public func showBanner(_ text: String, at context: HopContext) {
    state.withLock { $0.banners.append(text) }
  }
}
