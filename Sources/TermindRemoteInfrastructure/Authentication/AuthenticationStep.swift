public import TermindApplication
public import TermindDomain

/// One round of keyboard-interactive as the server sent it (RFC 4256 section 3.2).
public struct InteractiveRound: Hashable, Sendable {
  /// The name of the request, possibly empty.
  public var title: String
  /// The instruction, possibly empty.
  public var instruction: String
  /// The prompts, possibly none.
  public var prompts: [CredentialPrompt]

  /// Makes a round.
  public init(title: String = "", instruction: String = "", prompts: [CredentialPrompt]) {
    self.title = title
    self.instruction = instruction
    self.prompts = prompts
  }
}

/// A question to the person; together with the hop it becomes a `CredentialChallenge`.
public struct AuthenticationQuestion: Hashable, Sendable {
  /// What it is about.
  public var kind: CredentialChallengeKind
  /// The server's title, possibly empty.
  public var title: String
  /// The server's instruction, possibly empty.
  public var instruction: String
  /// The lines to answer, possibly none.
  public var prompts: [CredentialPrompt]
  /// Zero for the first try, counting up after each refusal.
  public var attempt: Int

  /// Makes a question.
  public init(
    kind: CredentialChallengeKind,
    title: String = "",
    instruction: String = "",
    prompts: [CredentialPrompt],
    attempt: Int = 0
  ) {
    self.kind = kind
    self.title = title
    self.instruction = instruction
    self.prompts = prompts
    self.attempt = attempt
  }

  /// The challenge for the prompting port.
  ///
  /// - Parameters:
  ///   - context: Where it comes from.
  ///   - unusedKeys: What the identity selects and could not be used.
  /// - Returns: The challenge; one about a key on this machine carries none of them.
  public func challenge(
    at context: HopContext,
    unusedKeys: [UnusedKey] = []
  ) -> CredentialChallenge {
    CredentialChallenge(
      context: context,
      kind: kind,
      title: title,
      instruction: instruction,
      prompts: prompts,
      attempt: attempt,
      unusedKeys: kind.isAboutAccount ? unusedKeys : []
    )
  }
}

extension CredentialChallengeKind {
  /// Whether the server asks, and not a key on this machine.
  fileprivate var isAboutAccount: Bool {
    switch self {
    case .password, .newPassword, .keyboardInteractive: true
    case .passphrase, .secretStore: false
    }
  }
}

/// What the transport has to do next.
public enum AuthenticationStep: Sendable {
  /// Send a `none` request. Next: `succeeded` or `refused` with the methods.
  case requestMethods
  /// Offer a key with one algorithm. Next: `keyAccepted` when the server wants the signature (or
  /// directly `succeeded` or `refused` when a ready key was offered with its signature).
  case offerKey(AuthenticationKey, algorithm: String)
  /// Sign with a key that the server accepted, and send it. Next: `succeeded`, `refused`, or
  /// `signingFailed`.
  case sign(AuthenticationKey, algorithm: String)
  /// Open a locked key, off the event loop, asking the person where one may be asked. Next: `keyOpened` or
  /// `keyNotOpened`.
  case open(AuthenticationKey)
  /// List the keys that are not known yet. Next: `keysListed`.
  case listKeys
  /// Read the saved password. Next: `passwordFetched` or `passwordUnavailable`.
  case fetchPassword
  /// Send a password. Next: `succeeded`, `refused` or `passwordExpired`.
  case sendPassword(SecretBytes)
  /// Send an expired password again, this time with a new one. Next: `newPasswordWanted`, `succeeded` or
  /// `refused`.
  case changePassword(SecretBytes)
  /// Start keyboard-interactive. Next: `round`, `succeeded` or `refused`.
  case beginInteractive
  /// Answer the round, one answer a prompt, or give the new password. Next: as for what was being answered.
  case respond([SecretBytes])
  /// Ask the person. Next: `answered` or `declined`.
  case ask(AuthenticationQuestion)
  /// The server let us in.
  case finished
  /// Nothing is left to try; the attempt is over.
  case failed(ConnectionFailureCause)
}

/// What happened, for the planner.
public enum AuthenticationEvent: Sendable {
  /// The attempt begins.
  case begin
  /// The server let us in.
  case succeeded
  /// The server refused a request or wants more.
  ///
  /// - `methods` are those that can continue; `nil` when the engine could not learn them.
  /// - `partial` says that the request itself was accepted (RFC 4252 section 5.1).
  case refused(methods: [String]?, partial: Bool)
  /// The password is right, and the server wants it changed (RFC 4252 section 8).
  case passwordExpired
  /// The server waits for a new password; the instruction is its own, possibly empty.
  case newPasswordWanted(instruction: String)
  /// The server would accept the offered key and waits for the signature.
  case keyAccepted
  /// A locked key was opened; its public half is now known for certain.
  case keyOpened(SSHPublicKey)
  /// A locked key was not opened; the next one has its turn.
  case keyNotOpened(SkippedKey.Reason)
  /// All keys are known: those from before in their places, and more behind them.
  case keysListed([AuthenticationKey])
  /// The saved password was read.
  case passwordFetched(SecretBytes)
  /// The saved password cannot be had.
  case passwordUnavailable(SecretProblem)
  /// The key could not sign.
  case signingFailed(SigningError)
  /// The server sent a round of keyboard-interactive.
  case round(InteractiveRound)
  /// The person answered, one answer a prompt.
  case answered([SecretBytes])
  /// The person gave up.
  case declined
}
