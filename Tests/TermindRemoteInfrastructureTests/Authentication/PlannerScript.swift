import TermindApplication
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

/// A step as text, so that a whole conversation can be compared.
extension AuthenticationStep {
  var words: String {
    switch self {
    case .requestMethods: "none"
    case .offerKey(let key, let algorithm): "offer \(key.id) \(algorithm)"
    case .sign(let key, let algorithm): "sign \(key.id) \(algorithm)"
    case .open(let key): "open \(key.id)"
    case .listKeys: "list"
    case .fetchPassword: "fetch"
    case .sendPassword(let password): "password \(Self.text(password))"
    case .changePassword(let password): "change \(Self.text(password))"
    case .beginInteractive: "interactive"
    case .respond(let answers): "respond \(answers.map(Self.text))"
    case .ask(let question):
      "ask \(Self.kind(question.kind)) \(question.prompts.map(\.text)) #\(question.attempt)"
    case .finished: "finished"
    case .failed(let cause): "failed \(cause)"
    }
  }

  /// The failure's cause.
  var cause: ConnectionFailureCause? { if case .failed(let cause) = self { cause } else { nil } }

  private static func text(_ secret: SecretBytes) -> String {
    String(decoding: secret.copyBytes(), as: UTF8.self)
  }

  private static func kind(_ kind: CredentialChallengeKind) -> String {
    switch kind {
    case .password: "password"
    case .newPassword(let problem): "new \(problem.map { "\($0)" } ?? "-")"
    case .keyboardInteractive: "round"
    case .passphrase(let path): "passphrase \(path)"
    case .secretStore(let place): "unlock \(place.rawValue)"
    }
  }
}

extension AuthenticationEvent {
  static func refused(_ methods: String...) -> Self { .refused(methods: methods, partial: false) }
  static func partial(_ methods: String...) -> Self { .refused(methods: methods, partial: true) }
  static func fetched(_ password: String) -> Self { .passwordFetched(SecretBytes(password.utf8)) }
  static func typed(_ answers: String...) -> Self {
    .answered(answers.map { SecretBytes($0.utf8) })
  }
  static func round(_ prompts: (String, Bool)..., instruction: String = "") -> Self {
    .round(
      InteractiveRound(
        instruction: instruction,
        prompts: prompts.map { CredentialPrompt(text: $0.0, echoes: $0.1) }
      )
    )
  }
}

extension AuthenticationPlanner {
  /// Feeds events and gives the words of the answers.
  mutating func play(_ events: AuthenticationEvent...) -> [String] {
    events.map { next(after: $0).words }
  }

  static func make(
    interactive: Bool = true,
    keys: [AuthenticationKey] = [],
    hasUnlistedKeys: Bool = false,
    password: String? = nil,
    hasSavedPassword: Bool = false,
    server: ServerTraits = ServerTraits(),
    maximumKeys: Int = 5
  ) -> AuthenticationPlanner {
    AuthenticationPlanner(
      policy: AuthenticationPolicy(isInteractive: interactive, maximumKeys: maximumKeys),
      server: server,
      keys: keys,
      hasUnlistedKeys: hasUnlistedKeys,
      password: password.map { SecretBytes($0.utf8) },
      hasSavedPassword: hasSavedPassword
    )
  }

  /// Keys of one type each, in order.
  static func keys(
    _ types: SSHKeyType...,
    locked: Set<Int> = [],
    hidden: Set<Int> = []
  ) throws -> [AuthenticationKey] {
    try types.enumerated().map { index, type in
      AuthenticationKey(
        id: index,
        place: .file(path: "/k\(index)"),
        publicKey: hidden.contains(index) ? nil : try publicKey(UInt8(index + 1), type),
        isLocked: locked.contains(index)
      )
    }
  }

  static func publicKey(_ seed: UInt8, _ type: SSHKeyType) throws -> SSHPublicKey {
    try SSHPublicKey(blob: HostKeyVerifierTests.key(seed, type: type).blob)
  }
}
