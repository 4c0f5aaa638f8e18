public import TermindDomain

/// Where on a route a question comes from.
public struct HopContext: Hashable, Sendable {
  /// Zero-based index of the hop.
  public let index: Int
  /// How many hops the route has.
  public let count: Int
  /// The hop itself.
  public let hop: Hop

  /// Makes a context.
  public init(index: Int, count: Int, hop: Hop) {
    self.index = index
    self.count = count
    self.hop = hop
  }
}

/// A key that is already known for an endpoint, as shown beside the offered one.
public struct KnownKeySummary: Hashable, Sendable {
  /// The SSH key type.
  public let type: String
  /// `SHA256:…`.
  public let fingerprint: String
  /// When it was first trusted (seconds since 1970), when known.
  public let since: Int64?
  /// Where it stands: our own table or the path of a known_hosts file.
  public let source: String

  /// Makes a summary.
  public init(type: String, fingerprint: String, since: Int64?, source: String) {
    self.type = type
    self.fingerprint = fingerprint
    self.since = since
    self.source = source
  }
}

/// Why the person is asked about a host key; three different screens.
public enum HostKeyDoubt: Hashable, Sendable {
  /// Nothing is known about this endpoint.
  case unknown
  /// Keys of other types are known, none of the offered type.
  case newType(known: [KnownKeySummary])
  /// A key of the same type is known, and it is another one.
  case changed(known: [KnownKeySummary])
}

/// The question about a host key.
public struct HostKeyQuestion: Hashable, Sendable {
  /// Which hop offers the key.
  public let context: HopContext
  /// The offered key.
  public let key: HostKey
  /// Why it is not simply trusted.
  public let doubt: HostKeyDoubt
  /// Whether a known certificate authority covers the host, which the engine cannot make use of.
  public let hasUnusedAuthority: Bool

  /// Makes a question.
  public init(
    context: HopContext,
    key: HostKey,
    doubt: HostKeyDoubt,
    hasUnusedAuthority: Bool = false
  ) {
    self.context = context
    self.key = key
    self.doubt = doubt
    self.hasUnusedAuthority = hasUnusedAuthority
  }
}

/// What the person decided about a host key.
public enum HostKeyDecision: Hashable, Sendable {
  /// Trust it and remember it; for a changed key this replaces the known ones of its type.
  case trust
  /// Trust it for this connection only.
  case trustOnce
  /// Do not connect.
  case reject
}

/// One line that a server (or a locked key) asks for.
public struct CredentialPrompt: Hashable, Sendable {
  /// The text, literally as the server sent it; the screen sanitises it.
  public let text: String
  /// Whether what is typed may be shown.
  public let echoes: Bool
  /// Whether that is what the server said; where it is not known, the person may have it shown.
  public let isEchoKnown: Bool

  /// Makes a prompt.
  public init(text: String, echoes: Bool, isEchoKnown: Bool = true) {
    self.text = text
    self.echoes = echoes
    self.isEchoKnown = isEchoKnown
  }
}

/// Why the person is asked for a new password once more.
public enum NewPasswordProblem: Hashable, Sendable {
  /// Nothing was typed.
  case empty
  /// The two were not the same.
  case different
  /// The server did not take it, as too short or too well known.
  case refused
}

/// What a challenge is about.
public enum CredentialChallengeKind: Hashable, Sendable {
  /// The password of the account (`password` method).
  case password
  /// A new password in place of one that has expired, twice; with what was wrong with the last one.
  case newPassword(NewPasswordProblem?)
  /// One round of `keyboard-interactive`.
  case keyboardInteractive
  /// The passphrase of a key: the path of its file, or its name in the vault.
  case passphrase(path: String)
  /// What opens the secret store, where something that the identity selects is kept.
  ///
  /// A sealed file asks for its passphrase. A keyring has no prompt: it asks in a window of its own, once
  /// the round is acknowledged.
  case secretStore(SecretPlace)
}

/// One round of questions; never cached, logged or filled in by the program.
public struct CredentialChallenge: Hashable, Sendable {
  /// Which hop asks.
  public let context: HopContext
  /// What it is about.
  public let kind: CredentialChallengeKind
  /// A title that the server sent, possibly empty.
  public let title: String
  /// An instruction that the server sent, possibly empty.
  public let instruction: String
  /// The lines to answer; may be empty, then the round is acknowledged without a form.
  public let prompts: [CredentialPrompt]
  /// Zero for the first try, counting up after each refusal.
  public let attempt: Int
  /// The keys that should have been used and could not be; the person may expect no question.
  public let unusedKeys: [UnusedKey]

  /// Makes a challenge.
  public init(
    context: HopContext,
    kind: CredentialChallengeKind,
    title: String = "",
    instruction: String = "",
    prompts: [CredentialPrompt],
    attempt: Int = 0,
    unusedKeys: [UnusedKey] = []
  ) {
    self.context = context
    self.kind = kind
    self.title = title
    self.instruction = instruction
    self.prompts = prompts
    self.attempt = attempt
    self.unusedKeys = unusedKeys
  }
}

/// Answers what a connection attempt has to ask.
///
/// The waits have no deadline: they end with an answer, or by cancellation of the calling task.
public protocol ConnectionPrompting: Sendable {
  /// Decides about a host key that is not simply known.
  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision
  /// Answers a round, one UTF-8 answer a prompt; `nil` means the person gave up.
  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]?
  /// Whether a question may reach a person; a silent reconnect says no and is never asked.
  var isInteractive: Bool { get }
  /// Takes the attempt's progress, and server banners, for display.
  func progressed(to step: ConnectionStep, at context: HopContext)
  /// Takes the text that a server shows before authentication.
  func showBanner(_ text: String, at context: HopContext)
}
