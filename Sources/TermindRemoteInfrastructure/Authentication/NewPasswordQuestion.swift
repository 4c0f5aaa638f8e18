internal import TermindApplication
internal import TermindDomain

/// The question for a new password in place of one that has expired, the same whichever engine has to ask.
enum NewPasswordQuestion {
  /// What is typed: the password, twice.
  static let prompts = ["New password: ", "Once more: "].map {
    CredentialPrompt(text: $0, echoes: false)
  }

  /// What is wrong with two answers; nil when the first is a new password.
  static func problem(with answers: [SecretBytes]) -> NewPasswordProblem? {
    if answers[0].isEmpty { return .empty }
    return answers[0] == answers[1] ? nil : .different
  }
}
