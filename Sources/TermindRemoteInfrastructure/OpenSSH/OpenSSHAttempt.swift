internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// What one attempt to open a connection knows, and how it answers what `ssh` asks.
final class OpenSSHAttempt: Sendable {
  /// How a prompt is answered.
  enum Answer: Sendable {
    /// With these bytes.
    case secret(SecretBytes)
    /// The person gave up, which ends the attempt.
    case declined
    /// Somebody would have to be asked, and nobody may be.
    case needsPerson(String)
  }

  private struct State {
    var isPasswordUnread: Bool
    var passwordTries = 0
    var passphraseTries: [String: Int] = [:]
    var interactiveRounds = 0
    var refusals = 0
    /// The password that went out last; a change asks for it again.
    var sentPassword: SecretBytes?
    var newPassword: SecretBytes?
    var newPasswordTries = 0
    var isSavedPasswordOut = false
    /// What the server said beside its prompts, not shown yet.
    var interactiveText: [String] = []
    var trusted: Set<[UInt8]> = []
  }

  private static let maximumTries = 3

  /// Who answers; the connection's deadlines stand still meanwhile.
  let prompts: any ConnectionPrompting
  /// The keys that the attempt's agent has; nil where `ssh` follows its own configuration.
  let keys: AttemptKeys?
  private let context: HopContext
  /// What is known of the host keys of the endpoint.
  let knowledge: HostKeyKnowledge
  private let verifier: HostKeyVerifier
  private let judge: HostKeyJudge
  private let secrets: AttemptSecrets
  private let state: Locked<State>

  init(
    context: HopContext,
    prompts: any ConnectionPrompting,
    knowledge: HostKeyKnowledge,
    verifier: HostKeyVerifier,
    judge: HostKeyJudge,
    secrets: AttemptSecrets,
    keys: AttemptKeys?
  ) {
    self.context = context
    self.prompts = prompts
    self.knowledge = knowledge
    self.verifier = verifier
    self.judge = judge
    self.secrets = secrets
    self.keys = keys
    let hasPassword = context.hop.credentials.password != nil
    state = Locked(State(isPasswordUnread: hasPassword))
  }

  // MARK: What the log tells

  /// Takes what the server says beside its prompts.
  func note(interactiveText text: String) {
    state.withLock { state in
      if state.interactiveText.count < 64 { state.interactiveText.append(text) }
    }
  }

  /// The server did not take the last answer.
  func noteRefusal() {
    state.withLock { state in
      state.refusals += 1
      state.interactiveText = []
    }
  }

  /// What the server said and no prompt has shown; it is shown now.
  func showInteractiveText() {
    let lines = takeInteractiveText()
    if !lines.isEmpty { prompts.showBanner(lines.joined(separator: "\n") + "\n", at: context) }
  }

  private func takeInteractiveText() -> [String] {
    state.withLock { state in
      defer { state.interactiveText = [] }
      return state.interactiveText
    }
  }

  // MARK: Prompts

  /// Answers a prompt.
  func answer(_ prompt: AskpassPrompt) async -> Answer {
    switch prompt.kind {
    case .password: return await answerPassword()
    case .oldPassword:
      if let sent = state.withLock({ $0.sentPassword }) { return .secret(sent) }
      return await ask(.password, "Current password: ", need: "password")
    case .newPassword: return await answerNewPassword()
    case .repeatedPassword:
      return state.withLock { $0.newPassword }.map { .secret($0) } ?? .declined
    case .interactive(let text): return await answerRound(text)
    case .passphrase(let path):
      let tries = state.withLock { state in
        defer { state.passphraseTries[path, default: 0] += 1 }
        return state.passphraseTries[path, default: 0]
      }
      let need = "passphrase of \(path)"
      return await ask(.passphrase(path: path), "Passphrase: ", attempt: tries, need: need)
    case .agreement: return await agree(prompt.text)
    case .notice, .other:
      return await ask(.keyboardInteractive, prompt.text, need: Self.need(prompt.text))
    }
  }

  /// What a notice says; false when nobody is there to follow it.
  func show(notice text: String) -> Bool {
    guard prompts.isInteractive else { return false }
    prompts.showBanner(text.hasSuffix("\n") ? text : text + "\n", at: context)
    return true
  }

  private func answerPassword() async -> Answer {
    if let saved = await savedPassword() { return .secret(saved) }
    let tries = state.withLock { state in
      defer { state.passwordTries += 1 }
      return state.passwordTries
    }
    let answer = await ask(.password, "Password: ", attempt: tries, need: "password")
    if case .secret(let bytes) = answer { state.withLock { $0.sentPassword = bytes } }
    return answer
  }

  /// The saved password, once, and only where it was not refused already.
  private func savedPassword() async -> SecretBytes? {
    let isUnread = state.withLock { state in
      defer { state.isPasswordUnread = false }
      return state.isPasswordUnread
    }
    guard isUnread, let item = context.hop.credentials.password else { return nil }
    // `try?`: without it the person is asked, as where none is saved.
    guard let saved = try? await secrets.read(item) else { return nil }
    state.withLock { state in
      state.sentPassword = saved
      state.isSavedPasswordOut = true
    }
    return saved
  }

  private func answerRound(_ text: String) async -> Answer {
    let (round, instruction) = state.withLock { state in
      defer {
        state.interactiveRounds += 1
        state.interactiveText = []
      }
      return (state.interactiveRounds, state.interactiveText)
    }
    let prompt = CredentialPrompt(text: text, echoes: false)
    if round == 0, PasswordPrompt.accepts(prompt), let saved = await savedPassword() {
      return .secret(saved)
    }
    // Whatever comes after the first exchange is no place for it.
    state.withLock { $0.isPasswordUnread = false }
    return await ask(
      .keyboardInteractive,
      text,
      instruction: instruction.joined(separator: "\n"),
      // `ssh` has the server's flag and does not pass it on.
      isEchoKnown: false,
      attempt: state.withLock { $0.refusals },
      need: "keyboard-interactive"
    )
  }

  private func answerNewPassword() async -> Answer {
    var problem: NewPasswordProblem? = state.withLock { state in
      defer { state.newPasswordTries += 1 }
      return state.newPasswordTries > 0 ? .refused : nil
    }
    guard prompts.isInteractive else { return .needsPerson("new password") }
    for attempt in 0..<Self.maximumTries {
      let answers = await prompts.answer(
        CredentialChallenge(
          context: context,
          kind: .newPassword(problem),
          prompts: NewPasswordQuestion.prompts,
          attempt: attempt
        )
      )
      guard let answers, answers.count == 2 else { return .declined }
      problem = NewPasswordQuestion.problem(with: answers)
      guard problem == nil else { continue }
      state.withLock { $0.newPassword = answers[0] }
      return .secret(answers[0])
    }
    return .declined
  }

  private func agree(_ text: String) async -> Answer {
    let answer = await ask(
      .keyboardInteractive,
      text.hasSuffix("?") ? "\(text) (yes/no) " : text,
      echoes: true,
      need: Self.need(text)
    )
    guard case .secret(let bytes) = answer else { return answer }
    let word = String(decoding: bytes, as: UTF8.self).lowercased()
    return word == "yes" || word == "y" ? answer : .declined
  }

  private func ask(
    _ kind: CredentialChallengeKind,
    _ text: String,
    instruction: String = "",
    echoes: Bool = false,
    isEchoKnown: Bool = true,
    attempt: Int = 0,
    need: String
  ) async -> Answer {
    guard prompts.isInteractive else { return .needsPerson(need) }
    let isAboutKey = if case .passphrase = kind { true } else { false }
    let answers = await prompts.answer(
      CredentialChallenge(
        context: context,
        kind: kind,
        instruction: instruction,
        prompts: [CredentialPrompt(text: text, echoes: echoes, isEchoKnown: isEchoKnown)],
        attempt: attempt,
        unusedKeys: isAboutKey ? [] : await unusedKeys()
      )
    )
    guard let answers, answers.count == 1 else { return .declined }
    return .secret(answers[0])
  }

  private func unusedKeys() async -> [UnusedKey] {
    let refused = state.withLock { $0.isSavedPasswordOut }
    let password: [UnusedKey] =
      refused ? [.password(reason: "the server did not accept it")] : []
    return password + (keys?.unused ?? []) + (await keys?.notOpened ?? [])
  }

  private static func need(_ text: String) -> String {
    String(text.prefix(80)).trimmed
  }

  // MARK: Host keys

  /// Decides about a host key, and gives the lines that tell `ssh` what is known.
  ///
  /// - Parameters:
  ///   - text: The key in base64, or another word where `ssh` only wants to know which types are known.
  ///   - name: The name under which `ssh` looks.
  ///   - reason: Why it looks: `ORDER`, `HOSTNAME` or `ADDRESS`.
  /// - Returns: The lines of a known_hosts file; or why the key is refused.
  func lines(
    forKey text: String,
    name: String,
    reason: String
  ) async -> Result<String, SecurityProblem> {
    guard reason != "ADDRESS" else { return .success("") }
    let knowledge: HostKeyKnowledge
    switch await self.knowledge(of: name) {
    case .success(let found): knowledge = found
    case .failure(let problem): return .failure(problem)
    }
    var lines = Self.lines(knowledge, name: name, withPlain: reason == "ORDER")
    guard reason == "HOSTNAME" else { return .success(lines) }
    guard let blob = Base64Codec.decode(text.utf8), let key = try? SSHPublicKey(blob: blob) else {
      // `try?`: a key of a type that is not known here cannot be judged, and so is not trusted.
      return .failure(
        SecurityProblem(cause: .internalError(diagnostic: "host key of an unknown type"))
      )
    }
    // `ssh` checks a certificate by its authority; without one it falls back to the plain key, and asks no more.
    let plain: SSHPublicKey
    if key.isCertificate {
      guard let certificate = try? SSHCertificate(blob: blob) else {
        // `try?`: what cannot be read is not trusted.
        return .failure(
          SecurityProblem(cause: .internalError(diagnostic: "host certificate cannot be read"))
        )
      }
      guard !knowledge.hasAuthority(certificate.authority) else { return .success(lines) }
      plain = certificate.publicKey
    } else {
      plain = key
    }
    if !state.withLock({ $0.trusted.contains(plain.blob) }) {
      let refusal = await judge.judge(
        plain.hostKey,
        knowledge,
        at: context,
        prompts,
        checksCertificates: true
      )
      if let refusal { return .failure(SecurityProblem(cause: refusal)) }
      state.withLock { _ = $0.trusted.insert(plain.blob) }
    }
    lines += "\(name) \(plain.algorithm) \(Base64Codec.encode(plain.blob))\n"
    return .success(lines)
  }

  /// A configuration may name the host otherwise than the route does.
  private func knowledge(of name: String) async -> Result<HostKeyKnowledge, SecurityProblem> {
    let isUsual = Array(name.utf8) == KnownHostsFile.name(of: context.hop.endpoint)
    guard context.hop.alias != nil, !isUsual else { return .success(knowledge) }
    let endpoint = KnownHostsText.endpoint(name[...]) ?? SSHEndpoint(host: name)
    do throws(StoreError) {
      return .success(try await verifier.knowledge(of: endpoint))
    } catch {
      return .failure(
        SecurityProblem(cause: .internalError(diagnostic: "known hosts: \(error)"))
      )
    }
  }

  private static func lines(
    _ knowledge: HostKeyKnowledge,
    name: String,
    withPlain: Bool
  ) -> String {
    var lines = ""
    for entry in knowledge.entries {
      let marker: String
      switch entry.marker {
      case .none where withPlain: marker = ""
      case .none: continue
      case .certificateAuthority: marker = "@cert-authority "
      case .revoked: marker = "@revoked "
      }
      lines += "\(marker)\(name) \(entry.key.type) \(Base64Codec.encode(entry.key.blob))\n"
    }
    return lines
  }
}

extension HostKeyKnowledge {
  /// Whether an authority is trusted to certify the endpoint's keys.
  fileprivate func hasAuthority(_ authority: SSHPublicKey) -> Bool {
    entries.contains { $0.marker == .certificateAuthority && $0.key.blob == authority.blob }
  }
}
