internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

// From nothing to an authenticated connection.
extension LibSSH2Connection {
  /// Reaches the first hop by TCP.
  func connect(resolver: NameResolver, prompts: any ConnectionPrompting)
    async throws(ConnectionFailure)
  {
    self.prompts = prompts
    begin(.resolving, prompts: prompts)
    setDeadline(limits.resolving)
    let endpoint = context.hop.endpoint
    let addresses: [SocketAddress]
    switch try await guarded({ await resolver.resolve(endpoint) }) {
    case .addresses(let found): addresses = found
    case .unknown(let text): throw ended(.unknownHost(text))
    case .cancelled: throw ended(.cancelled)
    }
    begin(.connecting, prompts: prompts)
    setDeadline(limits.connecting)
    let connector = TCPConnector(addresses: addresses, loop: loop, delay: limits.nextAddress)
    let socket: OwnedDescriptor
    switch try await guarded({ await connector.connect() }) {
    case .connected(let connected): socket = connected
    case .failed(let cause): throw ended(cause)
    case .cancelled: throw ended(.cancelled)
    }
    liftDeadline()
    do throws(EventLoopError) {
      pipe = try SocketPipe(
        socket: socket,
        loop: loop,
        keepalive: limits.keepaliveInterval,
        count: limits.keepaliveCount
      ) { [weak self] in
        self?.assumeIsolated { $0.turn() }
      }
    } catch {
      throw ended(.internalError(diagnostic: "socket: \(error)"))
    }
  }

  /// Reaches a further hop through a channel of the one before.
  func connect(
    through hop: LibSSH2Connection,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) {
    self.prompts = prompts
    begin(.connecting, prompts: prompts)
    setDeadline(limits.connecting)
    let endpoint = context.hop.endpoint
    let notify: @Sendable () -> Void = { [weak self] in self?.wake() }
    let id = try await reached {
      () async throws(ConnectionFailure) in
      try await hop.openForward(to: endpoint, notify: notify)
    } discard: { id in
      await hop.closeForward(id)
    }
    pipe = ChannelPipe(hop: hop, id: id)
  }

  /// Reaches a further hop through a channel of another engine's connection.
  func connect(
    over carrier: any SSHTransport,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) {
    self.prompts = prompts
    begin(.connecting, prompts: prompts)
    setDeadline(limits.connecting)
    let endpoint = context.hop.endpoint
    let inlet = ByteChannelPipe.Inlet { [weak self] in self?.wake() }
    let channel = try await reached {
      () async throws(ConnectionFailure) in
      try await carrier.openChannel(
        .tcp(host: endpoint.host, port: Int(endpoint.port)),
        receiver: inlet
      )
    } discard: { channel in
      channel.close()
    }
    inlet.attach(channel)
    pipe = ByteChannelPipe(channel: channel, inlet: inlet)
  }

  /// What the hop before has opened; it is discarded when nobody waits for it any more.
  private func reached<Value: Sendable>(
    _ open: @escaping @Sendable () async throws(ConnectionFailure) -> Value,
    discard: @escaping @Sendable (Value) async -> Void
  ) async throws(ConnectionFailure) -> Value {
    let opened = try await guarded { () -> Result<Value, ConnectionFailure> in
      do throws(ConnectionFailure) {
        return .success(try await open())
      } catch {
        return .failure(error)
      }
    } drop: { opened in
      // The hop may be others' too, and lives on.
      if case .success(let value) = opened { await discard(value) }
    }
    liftDeadline()
    switch opened {
    case .success(let value): return value
    case .failure(let failure):
      // A refused channel is this hop's failure, anything else the one of the hop before.
      guard case .channelRefused = failure.cause else {
        end(with: failure)
        throw failure
      }
      throw ended(failure.cause)
    }
  }

  /// Exchanges versions and keys.
  ///
  /// - Parameter order: Puts the host key algorithms that the library supports in order of preference.
  /// - Returns: The server's key, still to be judged.
  /// - Throws: The connection's failure; it has ended then.
  func exchangeKeys(order: ([String]) -> [String]) async throws(ConnectionFailure) -> HostKey {
    guard let prompts, let session = SSH2SessionHandle(mailbox: mailbox) else {
      throw ended(.internalError(diagnostic: "libssh2 gives no session"))
    }
    begin(.keyExchange, prompts: prompts)
    setDeadline(limits.keyExchange)
    self.session = session
    // What came before is not told again by a hop that carries this one.
    scheduleTurn()
    propose(order: order, to: session)
    updateInterest()
    let result = try await perform { session.handshake() }
    if case .failed(let code, let text) = result { throw failed("handshake", code, text) }
    liftDeadline()
    mailbox.packets.isActive = true
    var reader = WireReader(session.hostKey()?.blob ?? [])
    guard let key = session.hostKey(), let type = try? reader.name() else {
      // `try?`: libssh2 has read the key, so its name can only be missing with the key itself.
      throw ended(.internalError(diagnostic: "the server sent no host key"))
    }
    let fingerprint = "SHA256:" + Base64Codec.encodeUnpadded(key.digest)
    return HostKey(type: type, blob: key.blob, fingerprint: fingerprint)
  }

  /// Says which algorithms may be used, in order of preference.
  private func propose(order hostKeys: ([String]) -> [String], to session: SSH2SessionHandle) {
    let allowsOld = context.hop.allowsOldAlgorithms
    for method in SSH2Method.allCases {
      let usable = session.supported(method).filter { name in
        allowsOld || !OldAlgorithms.contains(name, of: method)
      }
      let ordered =
        switch method {
        case .hostKey: hostKeys(usable)
        case .cipherToServer, .cipherToClient: CipherPreference.ordered(usable)
        case .keyExchange, .macToServer, .macToClient: usable
        }
      session.prefer(ordered, for: method)
      proposals[method] = ordered
    }
  }

  /// Marks the connection as up.
  func opened() {
    mailbox.packets.stop()
    step = .connected
    prompts = nil
    updateInterest()
    scheduleTurn()
  }

  /// Ends the connection with a cause of the current step and gives the failure back.
  func ended(_ cause: ConnectionFailureCause) -> ConnectionFailure {
    fail(cause)
    return failure ?? makeFailure(cause)
  }
}
