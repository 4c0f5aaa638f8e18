internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// What a server answered to one authentication request.
enum AuthenticationAnswer: Hashable, Sendable {
  /// The account is open.
  case accepted
  /// The server would take the offered key, and wants this data signed with the algorithm named in it.
  case wantsSignature(data: [UInt8], algorithm: String)
  /// The password is right and has to be changed first; `changePassword` must follow.
  case wantsNewPassword
  /// Not this way; the methods that can continue, and whether the request itself was good.
  case refused(methods: [String]?, isPartial: Bool)
}

// The authentication requests that a server understands (RFC 4252, RFC 4256). One at a time.
extension LibSSH2Connection {
  private var user: String { context.hop.credentials.username }

  /// Sends `none`.
  func requestMethods() async throws(ConnectionFailure) -> AuthenticationAnswer {
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    let user = user
    var methods: [String]?
    let result = try await request {
      let (result, list) = session.requestMethods(user: user)
      methods = list
      return result
    }
    if result == .done {
      _ = mailbox.packets.takeRefusal()
      return methods.map { .refused(methods: $0, isPartial: false) } ?? .accepted
    }
    return try answer("none", result)
  }

  /// Sends a password.
  func sendPassword(
    _ password: @escaping ((UnsafeRawBufferPointer) -> SSH2Result) -> SSH2Result
  ) async throws(ConnectionFailure) -> AuthenticationAnswer {
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    let user = user
    _ = mailbox.packets.takePasswordChange()
    let result = try await request {
      unsafe password { bytes in unsafe session.sendPassword(user: user, password: bytes) }
    }
    if result != .done, mailbox.packets.takePasswordChange() != nil {
      showBanners()
      return .wantsNewPassword
    }
    return try answer("password", result)
  }

  /// Sends the password once more, and what `respond` gives for a new one; it is asked again when the server
  /// does not take that.
  ///
  /// libssh2 asks in a callback, as for keyboard-interactive, and so on a thread of its own.
  func changePassword(
    _ password: SecretBytes,
    _ respond: @escaping (InteractiveChallenge) async throws(ConnectionFailure) -> [SecretBytes]
  ) async throws(ConnectionFailure) -> AuthenticationAnswer {
    let user = user
    return try await onThread("password", respond) { session in
      unsafe password.withUnsafeBytes { unsafe session.changePassword(user: user, password: $0) }
    }
  }

  /// Offers a key with one algorithm.
  ///
  /// When the server wants a signature, `sendSignature` or `abandonKey` must follow.
  func offerKey(
    _ blob: [UInt8],
    algorithm: String
  ) async throws(ConnectionFailure) -> AuthenticationAnswer {
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    mailbox.signing = SigningExchange()
    let user = user
    let mailbox = mailbox
    let offered = renamed(blob, to: algorithm)
    offeredKey = offered
    let result = try await request {
      let result = session.offerKey(user: user, blob: offered)
      // It waits for us, not for the server.
      return result == .again && mailbox.signing.dataToSign != nil ? .done : result
    }
    if let data = mailbox.signing.dataToSign {
      return .wantsSignature(data: data, algorithm: Self.algorithm(in: data) ?? algorithm)
    }
    return try answer("publickey", result)
  }

  /// Sends the signature of the key that was offered last: the raw one, without its algorithm's name.
  func sendSignature(_ signature: [UInt8]) async throws(ConnectionFailure) -> AuthenticationAnswer {
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    mailbox.signing.signature = signature
    let user = user
    let offered = offeredKey
    let result = try await request { session.offerKey(user: user, blob: offered) }
    mailbox.signing = SigningExchange()
    return try answer("publickey", result)
  }

  /// Gives the offered key up, so that another request can be made.
  func abandonKey() {
    guard let session, mailbox.signing.dataToSign != nil else { return }
    mailbox.signing.isAborted = true
    _ = session.offerKey(user: user, blob: offeredKey)
    mailbox.signing = SigningExchange()
  }

  /// Runs keyboard-interactive; every round goes to `respond`, whose failure ends the connection.
  func runInteractive(
    _ respond: @escaping (InteractiveChallenge) async throws(ConnectionFailure) -> [SecretBytes]
  ) async throws(ConnectionFailure) -> AuthenticationAnswer {
    let user = user
    return try await onThread("keyboard-interactive", respond) {
      $0.keyboardInteractive(user: user)
    }
  }

  /// Makes a request in which libssh2 asks by a callback.
  private func onThread(
    _ method: String,
    _ respond: (InteractiveChallenge) async throws(ConnectionFailure) -> [SecretBytes],
    _ request: @escaping @Sendable (SSH2SessionHandle) -> SSH2Result
  ) async throws(ConnectionFailure) -> AuthenticationAnswer {
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    let thread: InteractiveThread
    do throws(EventLoopError) {
      thread = try InteractiveThread(session: session, request)
    } catch {
      throw makeFailure(.internalError(diagnostic: "\(method): \(error)"))
    }
    defer { thread.stop() }
    while true {
      if let failure { throw failure }
      setDeadline(limits.authenticationRequest)
      lender = thread
      var event = await thread.call()
      while case .asked(let challenge) = event {
        if let failure { throw failure }
        liftDeadline()
        isAsking = true
        flush()
        updateInterest()
        defer { isAsking = false }
        showBanners()
        let answers = try await respond(challenge)
        // The thread was stopped with the connection, and takes no answers then.
        if let failure { throw failure }
        isAsking = false
        setDeadline(limits.authenticationRequest)
        event = await thread.answer(answers)
      }
      if let failure { throw failure }
      lender = nil
      // What came meanwhile was left where it is, and a hop before tells only once that there is something.
      scheduleTurn()
      guard case .returned(let result) = event else {
        throw ended(.internalError(diagnostic: "\(method): the thread has ended"))
      }
      flush()
      updateInterest()
      guard result == .again else {
        liftDeadline()
        return try answer(method, result)
      }
      let mailbox = mailbox
      _ = try await perform { mailbox.inbound.isEmpty ? .again : .done }
    }
  }

  private func request(
    _ attempt: @escaping () -> SSH2Result
  ) async throws(ConnectionFailure) -> SSH2Result {
    setDeadline(limits.authenticationRequest)
    defer { liftDeadline() }
    return try await perform(attempt)
  }

  private func answer(
    _ method: String,
    _ result: SSH2Result
  ) throws(ConnectionFailure) -> AuthenticationAnswer {
    showBanners()
    let told = mailbox.packets.takeRefusal()
    guard case .failed(let code, let text) = result else {
      guard session?.isAuthenticated == true else {
        return .refused(methods: told?.methods, isPartial: told?.isPartial ?? false)
      }
      return .accepted
    }
    switch SSH2Trouble(code: code) {
    case .authenticationRefused:
      // The same numbers are used when the connection broke under the request.
      guard pipeEnd == nil, mailbox.disconnectReason == nil else {
        throw failed(method, code, text)
      }
      return .refused(methods: told?.methods, isPartial: told?.isPartial ?? false)
    default:
      throw failed(method, code, text)
    }
  }

  func showBanners() {
    session?.scanForBanners()
    for text in mailbox.packets.takeBanners() { prompts?.showBanner(text, at: context) }
  }

  // MARK: Wire format

  /// The blob with another leading name; libssh2 1.10 takes the request's algorithm from there.
  ///
  /// OpenSSH reads such a blob as the key that it is, dropbear does not; there the name stays, and with it
  /// the signature over SHA-1.
  private func renamed(_ blob: [UInt8], to algorithm: String) -> [UInt8] {
    let isDropbear = mailbox.opening.identification?.contains("dropbear") ?? false
    guard !SSH2SessionHandle.choosesSignatureAlgorithm, !isDropbear else { return blob }
    var reader = WireReader(blob)
    // `try?`: a blob without a name is left as it is, and the server refuses it.
    guard let name = try? reader.name(), name != algorithm else { return blob }
    var writer = WireWriter()
    writer.string(algorithm)
    return writer.bytes + blob.dropFirst(4 + name.utf8.count)
  }

  /// The algorithm named in the data of a signature request (RFC 4252 section 7).
  static func algorithm(in data: [UInt8]) -> String? {
    var reader = WireReader(data)
    do throws(WireError) {
      _ = try reader.stringRange()
      _ = try reader.byte()
      for _ in 0..<3 { _ = try reader.stringRange() }
      _ = try reader.byte()
      return try reader.name()
    } catch {
      return nil
    }
  }
}
