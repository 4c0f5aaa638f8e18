public import TermindApplication
public import TermindDomain
public import TermindScreen

/// One round of questions from a server or about a locked key.
///
/// Prompts are shown literally, with what could act on a terminal made visible, and follow their echo
/// flags; where a flag is not known, what is typed is hidden until the person wants it shown. Nothing is filled in, and answers live only in the fields.
public struct CredentialSheet: Hashable, Sendable {
  /// What is asked.
  public let challenge: CredentialChallenge
  /// The fields.
  public private(set) var form: Form

  /// Makes the form of a round; a round without prompts only has its text to be acknowledged.
  public init(_ challenge: CredentialChallenge) {
    self.challenge = challenge
    let context = challenge.context
    let place = ErrorText.place(context.hop.endpoint, index: context.index, count: context.count)
    let user = ErrorText.plain(context.hop.credentials.username)
    var lines: [String] = []
    let title: String
    switch challenge.kind {
    case .password: title = "Password for \(user)@\(place)"
    case .newPassword:
      title = "New password for \(user)@\(place)"
      lines.append("The password has expired. The server wants a new one before it lets you in.")
    case .keyboardInteractive:
      title = "\(user)@\(place) asks"
    case .passphrase(let path):
      title = "Passphrase of a key"
      lines.append("The key \(ErrorText.quoted(path)) is locked. It is wanted for \(place).")
    case .secretStore(let store):
      title = "Unlock the secrets"
      lines.append("What signs \(user) in at \(place) is in the secret store, which is locked.")
      if store == .keyring {
        lines.append("The desktop’s keyring asks for its password in a window of its own.")
      }
    }
    if !challenge.title.isEmpty { lines.append(Self.safe(challenge.title)) }
    if !challenge.instruction.isEmpty { lines.append(Self.safe(challenge.instruction)) }
    lines += ErrorText.lines(about: challenge.unusedKeys)
    let mayShow = challenge.prompts.contains { !$0.isEchoKnown }
    if mayShow { lines.append("ssh does not tell whether the answer may be shown.") }
    form = Form(
      title: title,
      lines: lines,
      problem: Self.problem(with: challenge),
      rows: challenge.prompts.map {
        Form.Row(Self.safe($0.text), isSecret: !$0.echoes)
      },
      hints: [
        KeyHint("enter", Self.verb(for: challenge.kind))
      ] + (mayShow ? [KeyHint("ctrl+r", "show it")] : []) + [
        KeyHint("esc", challenge.kind.isAboutSecretStore ? "go on without" : "give up")
      ]
    )
  }

  /// What a key did.
  public enum Answer: Hashable, Sendable {
    /// The sheet goes on.
    case none
    /// The answers, one a prompt.
    case submitted([SecretBytes])
    /// The person gave up.
    case cancelled
  }

  /// Takes a key.
  public mutating func handle(_ event: KeyEvent) -> Answer {
    if event.kind != .release, event.code == .character(0x72), event.modifiers == .control {
      for (place, prompt) in challenge.prompts.enumerated() where !prompt.isEchoKnown {
        form.rows[place].field.isRevealed.toggle()
      }
      return .none
    }
    return switch form.handle(event) {
    case .none: .none
    case .submitted: .submitted(form.rows.map(\.field.answer))
    case .cancelled: .cancelled
    }
  }

  /// Types pasted text into the focused field.
  public mutating func paste(_ text: String) { form.paste(text) }

  /// The cells that the sheet takes of a window.
  public func area(in window: CellRectangle) -> CellRectangle { form.area(in: window) }

  /// Draws the sheet.
  public func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    form.draw(on: &canvas, in: area, look)
  }

  /// What was wrong with the answers before.
  private static func problem(with challenge: CredentialChallenge) -> String {
    switch challenge.kind {
    case .newPassword(nil): ""
    case .newPassword(.empty): "A password cannot be empty."
    case .newPassword(.different): "The two are not the same."
    case .newPassword(.refused): "The server does not take that one."
    case .passphrase: challenge.attempt > 0 ? "That did not open the key." : ""
    case .secretStore: challenge.attempt > 0 ? "That did not open the secrets." : ""
    case .password, .keyboardInteractive: challenge.attempt > 0 ? "That was not accepted." : ""
    }
  }

  private static func verb(for kind: CredentialChallengeKind) -> String {
    kind.isAboutSecretStore ? "unlock" : "send"
  }

  /// Keeps line ends, which a server may use, and cuts what no form can hold.
  private static func safe(_ text: String) -> String {
    let lines = text.prefix(2_000).split(omittingEmptySubsequences: false) { $0.isNewline }
    return lines.prefix(12).map { ErrorText.visible(String($0)) }.joined(separator: "\n")
  }
}

extension CredentialChallengeKind {
  fileprivate var isAboutSecretStore: Bool { if case .secretStore = self { true } else { false } }
}
