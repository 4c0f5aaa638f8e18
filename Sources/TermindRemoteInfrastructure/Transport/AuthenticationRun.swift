internal import TermindApplication
internal import TermindDomain

/// Carries out what the planner decides, at one hop; lives on the connection's loop.
final class AuthenticationRun {
  private var ring: AuthenticationKeyRing
  private var planner: AuthenticationPlanner
  private let prompts: any ConnectionPrompting
  private let secrets: AttemptSecrets
  private let opener: KeyOpener
  /// What the server wants signed, once it has accepted the offered key.
  private var request: (data: [UInt8], algorithm: String)?

  init(
    ring: AuthenticationKeyRing,
    connection: isolated LibSSH2Connection,
    prompts: any ConnectionPrompting,
    secrets source: SecretStoreSource?,
    shared: SharedUnlocking
  ) {
    self.ring = ring
    self.prompts = prompts
    let context = connection.context
    let secrets = AttemptSecrets(
      source: source,
      shared: shared,
      prompts: prompts,
      context: context
    )
    self.secrets = secrets
    let policy = AuthenticationPolicy(isInteractive: prompts.isInteractive)
    opener = KeyOpener(
      secrets: secrets,
      shared: shared,
      prompts: prompts,
      context: context,
      maximumTries: policy.maximumPassphraseTries
    )
    let opening = connection.mailbox.opening
    planner = AuthenticationPlanner(
      policy: policy,
      server: ServerTraits(
        identification: opening.identification ?? "",
        hostKeyAlgorithms: opening.offer?.hostKey ?? []
      ),
      keys: ring.keys,
      hasUnlistedKeys: ring.hasUnreadAgent,
      skipped: ring.skipped,
      hasSavedPassword: context.hop.credentials.password != nil
    )
  }

  /// Runs until the account is open.
  ///
  /// - Throws: The connection's failure; it has ended then.
  func run(on connection: isolated LibSSH2Connection) async throws(ConnectionFailure) {
    var event = AuthenticationEvent.begin
    while true {
      switch planner.next(after: event) {
      case .requestMethods:
        event = Self.event(try await connection.requestMethods())
      case .offerKey(let key, let algorithm):
        event = try await offer(key, algorithm, on: connection)
      case .sign(let key, let algorithm):
        event = try await sign(with: key, algorithm, on: connection)
      case .open(let key):
        event = try await open(key, on: connection)
      case .listKeys:
        withdraw(on: connection)
        let ring = ring
        self.ring = try await connection.guarded { await ring.withAgentKeys() }
        event = .keysListed(self.ring.keys)
      case .fetchPassword:
        event = try await fetchPassword(on: connection)
      case .sendPassword(let password):
        withdraw(on: connection)
        event = unsafe Self.event(
          try await connection.sendPassword { send in
            unsafe password.withUnsafeBytes { unsafe send($0) }
          }
        )
      case .changePassword(let password):
        event = Self.event(
          try await connection.changePassword(password) { challenge throws(ConnectionFailure) in
            try await self.answer(
              .newPasswordWanted(instruction: challenge.instruction),
              on: connection
            )
          }
        )
      case .beginInteractive:
        withdraw(on: connection)
        event = Self.event(
          try await connection.runInteractive { challenge throws(ConnectionFailure) in
            try await self.answer(Self.round(challenge), on: connection)
          }
        )
      case .ask(let question):
        event = try await ask(question, on: connection)
      case .respond:
        throw connection.ended(.internalError(diagnostic: "authentication: an answer to no round"))
      case .finished:
        return
      case .failed(let cause):
        throw connection.ended(cause)
      }
    }
  }

  private static func event(_ answer: AuthenticationAnswer) -> AuthenticationEvent {
    switch answer {
    case .accepted: .succeeded
    case .wantsSignature: .keyAccepted
    case .wantsNewPassword: .passwordExpired
    case .refused(let methods, let isPartial): .refused(methods: methods, partial: isPartial)
    }
  }

  // MARK: Keys

  private func offer(
    _ key: AuthenticationKey,
    _ algorithm: String,
    on connection: isolated LibSSH2Connection
  ) async throws(ConnectionFailure) -> AuthenticationEvent {
    withdraw(on: connection)
    guard let blob = key.publicKey?.blob else {
      return .signingFailed(.failed(diagnostic: "no public key"))
    }
    let answer = try await connection.offerKey(blob, algorithm: algorithm)
    if case .wantsSignature(let data, let algorithm) = answer { request = (data, algorithm) }
    return Self.event(answer)
  }

  private func sign(
    with key: AuthenticationKey,
    _ algorithm: String,
    on connection: isolated LibSSH2Connection
  ) async throws(ConnectionFailure) -> AuthenticationEvent {
    guard let request, let signer = ring.signer(for: key) else {
      withdraw(on: connection)
      return .signingFailed(.failed(diagnostic: "no signer"))
    }
    let result = try await connection.guarded { () -> Result<[UInt8], SigningError> in
      do throws(SigningError) {
        return .success(try await signer.sign(request.data, algorithm: request.algorithm))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let blob):
      self.request = nil
      // libssh2 writes the algorithm's name itself.
      var reader = WireReader(blob)
      guard (try? reader.name()) != nil, let signature = try? reader.string() else {
        // `try?`: what is wrong with the blob does not matter, it cannot be sent.
        connection.abandonKey()
        return .signingFailed(.failed(diagnostic: "malformed signature"))
      }
      return Self.event(try await connection.sendSignature(signature))
    case .failure(let error):
      withdraw(on: connection)
      return .signingFailed(error)
    }
  }

  private func open(
    _ key: AuthenticationKey,
    on connection: isolated LibSSH2Connection
  ) async throws(ConnectionFailure) -> AuthenticationEvent {
    guard let source = ring.lockedSource(of: key) else {
      return .keyNotOpened(.signingFailed(.failed(diagnostic: "nothing to open")))
    }
    let opener = opener
    switch try await connection.guarded({ await opener.open(source) }) {
    case .opened(let opened):
      ring.keep(opened, for: key)
      return .keyOpened(opened.publicKey)
    case .failed(let reason): return .keyNotOpened(reason)
    }
  }

  private func fetchPassword(
    on connection: isolated LibSSH2Connection
  ) async throws(ConnectionFailure) -> AuthenticationEvent {
    guard let item = connection.context.hop.credentials.password else {
      return .passwordUnavailable(.noStore)
    }
    let secrets = secrets
    return try await connection.guarded {
      do throws(SecretProblem) {
        return .passwordFetched(try await secrets.read(item))
      } catch {
        return .passwordUnavailable(error)
      }
    }
  }

  /// Takes back a key that was accepted and will not be signed with.
  private func withdraw(on connection: isolated LibSSH2Connection) {
    guard request != nil else { return }
    request = nil
    connection.abandonKey()
  }

  // MARK: The person

  private func ask(
    _ question: AuthenticationQuestion,
    on connection: isolated LibSSH2Connection
  ) async throws(ConnectionFailure) -> AuthenticationEvent {
    let prompts = prompts
    let challenge = question.challenge(at: connection.context, unusedKeys: unusedKeys)
    let answers = try await connection.guarded { await prompts.answer(challenge) }
    guard let answers, answers.count == question.prompts.count else { return .declined }
    return .answered(answers)
  }

  /// What the person does not know yet of why the server asks.
  private var unusedKeys: [UnusedKey] {
    let keys = planner.skipped.compactMap { key in
      key.reason.phrase.map { UnusedKey.key(label: key.label, reason: $0) }
    }
    let password = planner.unusedPassword.map { [UnusedKey.password(reason: $0)] } ?? []
    let agent = ring.agentProblem.map { [UnusedKey.agent(reason: $0.phrase)] } ?? []
    return password + agent + keys
  }

  private static func round(_ challenge: InteractiveChallenge) -> AuthenticationEvent {
    .round(
      InteractiveRound(
        title: challenge.title,
        instruction: challenge.instruction,
        prompts: challenge.prompts.map { CredentialPrompt(text: $0.text, echoes: $0.echoes) }
      )
    )
  }

  /// Answers what the server asks within a request.
  private func answer(
    _ asked: AuthenticationEvent,
    on connection: isolated LibSSH2Connection
  ) async throws(ConnectionFailure) -> [SecretBytes] {
    var event = asked
    while true {
      switch planner.next(after: event) {
      case .respond(let answers): return answers
      case .ask(let question): event = try await ask(question, on: connection)
      case .failed(let cause): throw connection.ended(cause)
      default:
        throw connection.ended(.internalError(diagnostic: "authentication: a round left open"))
      }
    }
  }
}
