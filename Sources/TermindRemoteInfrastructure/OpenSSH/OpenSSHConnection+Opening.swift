internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// What an attempt needs beside the wire: known host keys, keys to sign in with, and secrets.
struct OpenSSHSecurity: Sendable {
  let verifier: HostKeyVerifier
  let agent: AgentClient?
  let defaultKeyFiles: [String]
  let secrets: SecretStoreSource?
  let shared: SharedUnlocking
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
}

// From nothing to an authenticated connection.
extension OpenSSHConnection {
  private static let maximumPassphraseTries = 3
  /// How long an agent may take whose keys come after others; `ssh` wants to know all of them at once.
  private static let agentPatience = Duration.seconds(1)

  /// Opens the connection.
  ///
  /// - Parameters:
  ///   - security: Known keys and secrets.
  ///   - carrier: The connection that carries this hop; nil reaches it directly.
  ///   - prompts: Who answers.
  /// - Throws: The failure that ended it.
  func connect(
    _ security: OpenSSHSecurity,
    through carrier: OpenSSHCarrier?,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) {
    let counted = CountedPrompts(prompts) { [weak self] in
      self?.later { $0.beginAsking() }
    } ended: { [weak self] in
      self?.later { $0.endAsking() }
    }
    let surroundings = surroundings
    guard let ssh = try await guarded({ await surroundings.ssh() }) else {
      throw ended(.unsupported(obstacle: SSHProgram.missingText))
    }
    if let problem = ssh.problem { throw ended(.unsupported(obstacle: problem)) }
    version = ssh.version
    let attempt = try await prepare(security, counted)
    self.attempt = attempt
    begin(carrier == nil ? .resolving : .connecting)
    let environment = await surroundings.environment()
    if let failure { throw failure }
    do {
      try start(ssh, attempt, security, carrier, environment)
    } catch let failure as ConnectionFailure {
      throw failure
    } catch {
      throw ended(.internalError(diagnostic: "ssh cannot be started: \(error)"))
    }
    setDeadline(limits.resolving + limits.connecting)
    let result: Result<Void, ConnectionFailure> = await withCheckedContinuation { continuation in
      if let failure { return continuation.resume(returning: .failure(failure)) }
      opening = continuation
    }
    try result.get()
  }

  private func prepare(
    _ security: OpenSSHSecurity,
    _ prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> OpenSSHAttempt {
    let context = context
    let secrets = AttemptSecrets(
      source: security.secrets,
      shared: security.shared,
      prompts: prompts,
      context: context
    )
    let result = try await guarded { () -> Result<OpenSSHAttempt, SecurityProblem> in
      let knowledge: HostKeyKnowledge
      do throws(StoreError) {
        knowledge = try await security.verifier.knowledge(of: context.hop.endpoint)
      } catch {
        return .failure(
          SecurityProblem(cause: .internalError(diagnostic: "known hosts: \(error)"))
        )
      }
      var keys: AttemptKeys?
      if context.hop.alias == nil {
        let credentials = context.hop.credentials
        keys = await AttemptKeys(
          ring: AuthenticationKeyRing(
            for: credentials,
            defaultFiles: security.defaultKeyFiles,
            agent: security.agent
          ).withAgentKeys(within: Self.agentPatience),
          credentials: credentials,
          agent: security.agent,
          opener: KeyOpener(
            secrets: secrets,
            shared: security.shared,
            prompts: prompts,
            context: context,
            maximumTries: Self.maximumPassphraseTries
          )
        )
      }
      return .success(
        OpenSSHAttempt(
          context: context,
          prompts: prompts,
          knowledge: knowledge,
          verifier: security.verifier,
          judge: HostKeyJudge(verifier: security.verifier, now: security.now),
          secrets: secrets,
          keys: keys
        )
      )
    }
    switch result {
    case .success(let attempt): return attempt
    case .failure(let problem): throw ended(problem.cause)
    }
  }

  /// Makes the folder, its sockets, and the process.
  private func start(
    _ ssh: SSHProgram,
    _ attempt: OpenSSHAttempt,
    _ security: OpenSSHSecurity,
    _ carrier: OpenSSHCarrier?,
    _ given: [String: String]
  ) throws {
    let folder = try MasterFolder(in: surroundings.runtime)
    self.folder = folder
    guard folder.linkAskpass(to: surroundings.helper) else {
      throw ended(.internalError(diagnostic: "\(folder.path): no link can be made"))
    }
    let door = try HelperDoor(at: folder.helpers, on: loop) { [weak self] request, caller in
      self?.assumeIsolated { $0.asked(request, caller, carrier) }
    }
    self.door = door
    if let keys = attempt.keys {
      agent = try AttemptAgent(at: folder.agent, on: loop, keys: keys) { [weak self] isBusy in
        self?.later { if isBusy { $0.beginAsking() } else { $0.endAsking() } }
      }
    }
    var configuration = surroundings.configuration
    if configuration == nil, context.hop.alias != nil, let home = surroundings.home {
      guard let file = folder.writeConfiguration(home: home) else {
        throw ended(.internalError(diagnostic: "\(folder.path): no file can be made"))
      }
      configuration = file
    }
    let credentials = context.hop.credentials
    let arguments = MasterArguments(
      hop: context.hop,
      folder: folder,
      program: surroundings.helper,
      way: carrier == nil ? .direct : .handedOver,
      keyFiles: attempt.keys?.foreignFiles ?? [],
      usesAgent: attempt.keys != nil,
      prefersPassword: credentials.password != nil && attempt.keys?.isEmpty ?? false,
      usesTickets: KerberosTickets.areThere(given),
      configuration: configuration,
      knowledge: attempt.knowledge,
      localUser: given["USER"] ?? given["LOGNAME"],
      limits: limits
    )
    var environment = given
    for name in ["LANGUAGE", "LC_MESSAGES", "SSH_ASKPASS_PROMPT"] { environment[name] = nil }
    // English words, and UTF-8 in what servers say.
    environment["LC_ALL"] = "C.UTF-8"
    environment["SSH_ASKPASS"] = folder.askpass
    environment["SSH_ASKPASS_REQUIRE"] = "force"
    environment[HelperMessage.socketVariable] = folder.helpers
    environment[HelperMessage.tokenVariable] = door.token
    if context.hop.alias == nil { environment["SHELL"] = "/bin/sh" }
    if let path = security.agent?.socketPath { environment["SSH_AUTH_SOCK"] = path }
    let master = try MasterProcess(
      program: surroundings.helper,
      ssh: ssh.path,
      arguments: arguments.words,
      environment: environment,
      on: loop,
      orphaned: { [weak self] in await self?.loopIsGone() },
      handler: { [weak self] event in self?.assumeIsolated { $0.heard(event) } }
    )
    self.master = master
    door.admit(descendantsOf: master.number)
    agent?.admit(descendantsOf: master.number)
  }

  // MARK: What the process says

  private func heard(_ event: MasterProcess.Event) {
    switch event {
    case .log(let line): heard(line: line)
    case .foreign(let bytes): heard(foreign: bytes)
    case .ended(let end): ended(process: end)
    }
  }

  private func heard(line: String) {
    let event = log.take(line)
    guard failure == nil else { return }
    if step != .connected { noteOpening() }
    switch event {
    case .step(let step):
      begin(step)
      renewDeadline()
    case .ready: connectLink()
    case .interactiveText(let text):
      attempt?.note(interactiveText: text)
      // A prompt shows it; what comes without one is shown for itself.
      let attempt = attempt
      loop.schedule(after: .milliseconds(300)) { [weak self] in
        self?.assumeIsolated { if $0.attempt === attempt { attempt?.showInteractiveText() } }
      }
    case .refusedAnswer: attempt?.noteRefusal()
    case nil: if step == .authentication { renewDeadline() }
    }
  }

  private func heard(foreign bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) { log.takeForeign(String(line)) }
    guard failure == nil, step != .connected else { return }
    noteOpening()
    attempt?.prompts.showBanner(text, at: context)
  }

  /// Ends an attempt in which others talk without end.
  private func noteOpening() {
    guard let count = master?.byteCount, count > limits.openingBytes else { return }
    fail(.disconnected(reason: "it sent \(count) bytes before anyone was signed in"))
  }

  private func renewDeadline() {
    switch step {
    case .resolving, .connecting: setDeadline(limits.resolving + limits.connecting)
    case .keyExchange, .hostKey: setDeadline(limits.keyExchange)
    case .authentication: setDeadline(limits.authenticationRequest)
    case .openingChannel, .connected: break
    }
  }

  private func ended(process end: SpawnedProcess.End) {
    defer { masterIsGone() }
    guard failure == nil else { return }
    if let carrierFailure { return self.end(with: carrierFailure) }
    var cause = log.cause(ofEnd: "\(end)")
    if case .authenticationFailed = cause, let attempt {
      // What was not opened may have been the way in; its keys know, on another executor.
      Task { await self.refused(cause, attempt) }
      return
    }
    if case .disconnected = cause, context.hop.alias != nil, let last = log.lastForeignLine {
      // The words of a proxy command say more than those of the connection that it did not make.
      cause = .disconnected(reason: last)
    }
    fail(cause)
  }

  private func refused(_ cause: ConnectionFailureCause, _ attempt: OpenSSHAttempt) async {
    fail(
      await attempt.keys?.cause(behind: cause, isSilent: !attempt.prompts.isInteractive) ?? cause
    )
  }

  // MARK: What the process asks

  private func asked(
    _ request: HelperMessage.Request,
    _ caller: HelperCaller,
    _ carrier: OpenSSHCarrier?
  ) {
    guard failure == nil, let attempt else { return caller.close() }
    // What was logged before the question belongs to it.
    master?.catchUp()
    guard failure == nil else { return }
    let work: Task<Void, Never>
    switch (request.kind, request.words.count) {
    case (.prompt, 2):
      let prompt = AskpassPrompt(request.words[0], hint: request.words[1])
      if prompt.kind == .notice {
        // It stays until `ssh` ends it; there is nothing to answer.
        beginAsking()
        caller.whenGone { [weak self] in
          self?.later { $0.endAsking() }
        }
        if !attempt.show(notice: prompt.text) {
          fail(.interactionRequired(prompt.text.trimmed))
        }
        return
      }
      work = Task { await self.answer(prompt, caller, attempt) }
    case (.hostKey, 4):
      work = Task { await self.judge(request.words, caller, attempt) }
    case (.connection, 0):
      guard let carrier else { return caller.close() }
      work = Task { await self.handOver(carrier, caller) }
    default: return caller.close()
    }
    caller.whenGone { work.cancel() }
  }

  private func answer(
    _ prompt: AskpassPrompt,
    _ caller: HelperCaller,
    _ attempt: OpenSSHAttempt
  ) async {
    let answer = await attempt.answer(prompt)
    guard failure == nil else { return }
    switch answer {
    case .secret(let bytes): caller.answer(bytes)
    case .declined: fail(.cancelled)
    case .needsPerson(let what): fail(.interactionRequired(what))
    }
  }

  private func judge(
    _ words: [String],
    _ caller: HelperCaller,
    _ attempt: OpenSSHAttempt
  ) async {
    if words[3] == "HOSTNAME" { begin(.hostKey) }
    let result = await attempt.lines(forKey: words[1], name: words[2], reason: words[3])
    guard failure == nil else { return }
    switch result {
    case .success(let lines): caller.answer(Array(lines.utf8))
    case .failure(let problem): fail(problem.cause)
    }
  }

  /// Opens the way through the carrier and hands one end of it to `ssh`.
  private func handOver(_ carrier: OpenSSHCarrier, _ caller: HelperCaller) async {
    let endpoint = context.hop.endpoint
    let splice = ByteChannelSplice { [weak self] end in
      guard case .failed(let failure) = end else { return }
      self?.later { $0.carrierEnded(failure) }
    }
    do throws(ConnectionFailure) {
      let channel = try await carrier.open(endpoint, receiver: splice.first)
      guard failure == nil else { return channel.close() }
      guard let (ours, theirs) = try? LocalSocket.pair() else {
        // `try?`: without descriptors the attempt ends here and says so.
        channel.close()
        return fail(.internalError(diagnostic: "no descriptor is left"))
      }
      let socket = SocketByteChannel(ours, loop: loop)
      splice.setFirst(channel)
      splice.setSecond(socket)
      do throws(EventLoopError) {
        try socket.start(splice.second)
      } catch {
        channel.close()
        return fail(.internalError(diagnostic: "watch: \(error)"))
      }
      caller.hand(over: theirs.descriptor)
    } catch {
      guard failure == nil else { return }
      // A refused channel is this hop's failure, anything else the one of the hop before.
      if case .channelRefused = error.cause { fail(error.cause) } else { end(with: error) }
    }
  }

  private func carrierEnded(_ failure: ConnectionFailure) {
    carrierFailure = failure
    end(with: failure)
  }
}
