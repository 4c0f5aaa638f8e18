internal import TermindApplication

/// What `ssh` asks through askpass, told by its words: it says no more than the text and a hint.
struct AskpassPrompt: Equatable {
  /// What is asked for.
  enum Kind: Equatable {
    /// The password of the account.
    case password
    /// The password that has expired.
    case oldPassword
    /// A new password.
    case newPassword
    /// The new password once more.
    case repeatedPassword
    /// A line of keyboard-interactive, as the server wrote it.
    case interactive(String)
    /// The passphrase of a key file.
    case passphrase(path: String)
    /// Something to agree to.
    case agreement
    /// Nothing: the person has to do something elsewhere, such as touch a key, while this is shown.
    case notice
    /// Anything else, such as the PIN of a token.
    case other
  }

  /// What is asked for.
  let kind: Kind
  /// The whole text.
  let text: String

  /// Reads a prompt.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - hint: The value of `SSH_ASKPASS_PROMPT`.
  init(_ text: String, hint: String) {
    self.text = text
    switch hint {
    case "none": kind = .notice
    case "confirm": kind = .agreement
    default: kind = Self.kind(of: text)
    }
  }

  private static func kind(of text: String) -> Kind {
    // "(USER@HOST) " stands before what a server asks, so that it cannot pass for a prompt of `ssh` itself.
    if text.hasPrefix("("), let end = text.firstRange(of: ") "),
      text[..<end.lowerBound].contains("@")
    {
      return .interactive(String(text[end.upperBound...]))
    }
    if text.hasSuffix("'s password: ") { return .password }
    if text.hasSuffix("'s old password: ") { return .oldPassword }
    if text.hasSuffix("'s new password: ") {
      return text.hasPrefix("Retype ") ? .repeatedPassword : .newPassword
    }
    let passphrase = "Enter passphrase for key '"
    if text.hasPrefix(passphrase), text.hasSuffix("': ") {
      return .passphrase(path: String(text.dropFirst(passphrase.count).dropLast(3)))
    }
    return .other
  }
}
