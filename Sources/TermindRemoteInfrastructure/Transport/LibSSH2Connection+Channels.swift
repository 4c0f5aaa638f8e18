internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

// What every channel has in common, and those that carry plain bytes.
extension LibSSH2Connection {
  /// Opens a channel of plain bytes; a half-open one that is no longer wanted is closed.
  func openBytes(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving,
    isWanted: () -> Bool
  ) async throws(ConnectionFailure) -> LibSSH2ByteChannel {
    try await enterOpening()
    guard isWanted() else {
      openings.leave()
      throw makeFailure(.cancelled, at: .openingChannel)
    }
    let handle: SSH2ChannelHandle
    do throws(ConnectionFailure) {
      handle = try await openChannel(
        type: request.channelType,
        message: request.channelMessage,
        window: UInt32(clamping: max(window, Int(limits.channelWindow)))
      )
    } catch {
      openings.leave()
      throw error
    }
    openings.leave()
    let service = makeService(handle, isProgram: request.start != nil, receiver: receiver)
    do throws(ConnectionFailure) {
      try await start(service, request)
    } catch {
      abandon(handle)
      throw error
    }
    guard isWanted() else {
      channels.removeAll { $0 === service }
      abandon(handle)
      throw makeFailure(.cancelled, at: .openingChannel)
    }
    if failure == nil, keepalive.timer == nil { startKeepalive() }
    return service.channel
  }

  /// The loop's side of a channel, not yet served.
  func makeService(
    _ handle: SSH2ChannelHandle,
    isProgram: Bool,
    receiver: any ByteChannelReceiving
  ) -> ByteService {
    let channel = makeByteChannel()
    return ByteService(
      handle: handle,
      channel: channel,
      isProgram: isProgram,
      receiver: receiver
    )
  }

  func makeByteChannel() -> LibSSH2ByteChannel {
    LibSSH2ByteChannel(executor: loop, bound: limits.sendBound, typing: typing) {
      [weak self] in self?.wake()
    }
  }

  /// Starts the program, if there is one; it is served from the very answer on.
  private func start(
    _ service: ByteService,
    _ request: ByteChannelRequest
  ) async throws(ConnectionFailure) {
    guard let (name, text) = request.start else {
      if let failure { throw failure }
      channels.append(service)
      return scheduleTurn()
    }
    try await require(name) {
      let result = service.handle.start(name, message: text)
      if result == .done {
        self.channels.append(service)
        self.scheduleTurn()
      }
      return result
    }
  }

  /// Waits until no other channel is being opened.
  func enterOpening() async throws(ConnectionFailure) {
    if let failure { throw failure }
    if openings.enter() { return }
    let result: Result<Void, ConnectionFailure> = await withCheckedContinuation { continuation in
      openings.wait { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  /// Suspends until no channel is being opened, or the connection has ended.
  func waitForOpening() async {
    // `try?`: after the end nothing is in the way of anyone.
    guard (try? await enterOpening()) != nil else { return }
    openings.leave()
  }

  /// Opens a channel; the place in the opening queue must be held.
  ///
  /// - Throws: `channelRefused` when the server refuses; the connection stays up then.
  func openChannel(
    type: String,
    message: [UInt8],
    window: UInt32
  ) async throws(ConnectionFailure) -> SSH2ChannelHandle {
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    var handle: SSH2ChannelHandle?
    mailbox.packets.isActive = true
    let result = try await perform {
      let (result, opened) = session.openChannel(type: type, window: window, message: message)
      handle = opened
      return result
    }
    mailbox.packets.stop()
    let told = mailbox.packets.takeChannelRefusal()
    if result == .done, let handle { return handle }
    guard case .failed(let code, let text) = result else {
      throw failed("channel open", 0, "no channel")
    }
    guard case .channelRefused = SSH2Trouble(code: code) else {
      throw failed("channel open", code, text)
    }
    throw refusal(type, told.flatMap { $0.isEmpty ? nil : $0 } ?? text)
  }

  func refusal(_ request: String, _ reason: String) -> ConnectionFailure {
    makeFailure(.channelRefused(request: request, reason: reason), at: .openingChannel)
  }

  func require(
    _ name: String,
    _ attempt: @escaping () -> SSH2Result
  ) async throws(ConnectionFailure) {
    guard case .failed(let code, let text) = try await perform(attempt) else { return }
    switch SSH2Trouble(code: code) {
    case .requestRefused, .channelRefused:
      // A server gives no reason for a refused request; the text is the library's own.
      throw refusal(name, "")
    default: throw failed(name, code, text)
    }
  }

  /// Closes a channel that nobody uses any more, in the background.
  func abandon(_ handle: SSH2ChannelHandle) {
    guard failure == nil else { return }
    closing.append(handle)
    scheduleTurn()
  }

  /// Gives every channel its slice of output, until the time is over.
  ///
  /// - Parameters:
  ///   - services: The channels, in order.
  ///   - time: How long output may take.
  ///   - slice: The most bytes of one of them.
  ///   - scratch: Where they are read to.
  /// - Returns: Whether any has more, and the place of the last one served when time ran out.
  func serve<Service: ChannelService>(
    _ services: some Collection<Service>,
    within time: Duration,
    slice: Int,
    scratch: ScratchMemory
  ) -> (hasMore: Bool, last: Int?) {
    var hasMore = false
    var hasDelivered = false
    let start = ContinuousClock.now
    for (place, service) in services.enumerated() {
      if !service.isOver {
        if unsafe service.deliver(slice: slice, scratch: scratch.bytes) { hasMore = true }
        service.checkEnd()
      }
      if service.isClosedSilently, service.silentEnd == nil { awaitSilentEnd(of: service) }
      if service.isBroken { streamBroke() }
      if service.delivered > 0 { hasDelivered = true }
      // Serving may end the connection, and with it every channel.
      guard failure == nil else { return (false, nil) }
      // Only output takes time worth a turn: looking at channels that have none comes to an end.
      if hasDelivered, place + 1 < services.count, start.duration(to: .now) >= time {
        return (true, place)
      }
    }
    return (hasMore, nil)
  }

  /// A server that goes down closes its channels first; only one that stays has ended the program alone.
  private func awaitSilentEnd(of service: some ChannelService) {
    guard !service.isOver else { return }
    let identity = ObjectIdentifier(service)
    service.silentEnd = loop.schedule(after: limits.silentEnd) { [weak self] in
      self?.assumeIsolated { connection in
        connection.terminals.first { ObjectIdentifier($0) == identity }?.finishSilently()
        connection.channels.first { ObjectIdentifier($0) == identity }?.finishSilently()
        connection.scheduleTurn()
      }
    }
  }
}

extension ByteChannelRequest {
  /// The type that the channel is opened with.
  fileprivate var channelType: String {
    switch self {
    case .command, .subsystem: "session"
    case .tcp: "direct-tcpip"
    case .unixSocket: "direct-streamlocal@openssh.com"
    }
  }

  /// What the open says beside the type.
  fileprivate var channelMessage: [UInt8] {
    var message = WireWriter()
    switch self {
    case .command, .subsystem: break
    case .tcp(let host, let port):
      // RFC 4254 section 7.2: host, port, originator address, originator port.
      message.string(host)
      message.uint32(UInt32(clamping: port))
      message.string("127.0.0.1")
      message.uint32(0)
    case .unixSocket(let path):
      // OpenSSH's PROTOCOL 2.4: path, and two fields that are reserved.
      message.string(path)
      message.string("")
      message.uint32(0)
    }
    return message.bytes
  }

  /// The request that starts a program on the channel; nil when there is none.
  fileprivate var start: (name: String, text: String)? {
    switch self {
    case .command(let line): ("exec", line)
    case .subsystem(let name): ("subsystem", name)
    case .tcp, .unixSocket: nil
    }
  }
}
