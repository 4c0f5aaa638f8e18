internal import TermindApplication
internal import TermindDomain

// A password that has to be changed before it opens the account (RFC 4252 section 8).
extension AuthenticationPlanner {
  /// Follows an event while a password is out or being changed; `nil` when it does not fit.
  mutating func passwordStep(after event: AuthenticationEvent) -> AuthenticationStep? {
    switch (phase, event) {
    case (.password, .passwordExpired):
      guard policy.isInteractive else { return .failed(.interactionRequired("new password")) }
      guard let sentPassword else { return nil }
      phase = .passwordChange(tries: 0)
      return .changePassword(sentPassword)
    case (.passwordChange(let tries), .newPasswordWanted(let instruction)):
      guard tries < policy.maximumRounds else {
        return .failed(.disconnected(reason: "it asked for a new password without end"))
      }
      return askNewPassword(instruction, tries, tries == 0 ? nil : .refused)
    case (.newPasswordQuestion(let instruction, let tries), .answered(let answers))
    where answers.count == 2:
      if let problem = NewPasswordQuestion.problem(with: answers) {
        return askNewPassword(instruction, tries, problem)
      }
      phase = .passwordChange(tries: tries + 1)
      return .respond([answers[0]])
    default:
      return nil
    }
  }

  private mutating func askNewPassword(
    _ instruction: String,
    _ tries: Int,
    _ problem: NewPasswordProblem?
  ) -> AuthenticationStep {
    phase = .newPasswordQuestion(instruction: instruction, tries: tries)
    return .ask(
      AuthenticationQuestion(
        kind: .newPassword(problem),
        instruction: instruction,
        prompts: NewPasswordQuestion.prompts,
        attempt: tries
      )
    )
  }
}
