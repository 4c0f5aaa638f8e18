internal import TermindApplication
internal import TermindDomain

// Keyboard-interactive (RFC 4256).
extension AuthenticationPlanner {
  var canBeginInteractive: Bool {
    offered.contains("keyboard-interactive") && !isInteractiveDead
      && personTries < policy.maximumPasswordTries
  }

  mutating func beginInteractive() -> AuthenticationStep {
    phase = .interactive
    personTries += 1
    interactiveRounds = 0
    hasSeenPrompts = false
    note(tried: "keyboard-interactive")
    return .beginInteractive
  }

  /// Follows an event of a running exchange; `nil` when it does not fit.
  mutating func interactiveStep(after event: AuthenticationEvent) -> AuthenticationStep? {
    switch (phase, event) {
    case (.interactive, .round(let round)):
      return answer(round)
    case (.roundQuestion(let promptCount, let prefilled), .answered(let answers))
    where answers.count + prefilled == promptCount:
      phase = .interactive
      guard prefilled == 1, let password = explicitPassword else { return .respond(answers) }
      explicitPassword = nil
      return .respond([password] + answers)
    default:
      return nil
    }
  }

  private mutating func answer(_ round: InteractiveRound) -> AuthenticationStep {
    interactiveRounds += 1
    guard interactiveRounds <= policy.maximumRounds else {
      return .failed(.disconnected(reason: "keyboard-interactive asked without end"))
    }
    let isRoundOne = isFirstExchange && !hasSeenPrompts
    // The password passed, or it was asked for beside something else.
    isSavedPasswordOut = false
    if !round.prompts.isEmpty {
      hasSeenPrompts = true
      isFirstExchange = false
    }
    var remaining = round
    if isRoundOne, !isPasswordSpent, let explicitPassword, let first = round.prompts.first,
      PasswordPrompt.accepts(first)
    {
      isPasswordSpent = true
      guard round.prompts.count > 1 else {
        isSavedPasswordOut = isPasswordSaved
        self.explicitPassword = nil
        return .respond([explicitPassword])
      }
      remaining.prompts.removeFirst()
    }
    guard policy.isInteractive else {
      if round.prompts.isEmpty { return .respond([]) }
      return .failed(.interactionRequired("keyboard-interactive"))
    }
    if round.prompts.isEmpty && round.title.isEmpty && round.instruction.isEmpty {
      return .respond([])
    }
    phase = .roundQuestion(
      promptCount: round.prompts.count,
      prefilled: round.prompts.count - remaining.prompts.count
    )
    return .ask(
      AuthenticationQuestion(
        kind: .keyboardInteractive,
        title: remaining.title,
        instruction: remaining.instruction,
        prompts: remaining.prompts,
        attempt: personTries - 1
      )
    )
  }
}
