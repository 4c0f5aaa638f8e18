internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

// Channels over the control socket.
extension OpenSSHConnection {
  /// Starts a shell or command.
  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> OpenSSHChannel {
    var starts = request.environment.map { name, value in
      ProxiedChannel.StartRequest(
        name: "env",
        content: SessionRequestContent.variable(name, value),
        // A server that keeps to its own list refuses; that is no error.
        isRequired: false
      )
    }
    if request.hasTerminal {
      let content = SessionRequestContent.terminal(type: request.terminalType, size: request.size)
      starts.append(.init(name: "pty-req", content: content, isRequired: true))
    }
    starts.append(Self.start(of: request.command))
    return try await openChannel(
      "session",
      starts: starts,
      receiver: .terminal(receiver),
      bound: limits.inputBound,
      window: Int(limits.terminalWindow)
    )
  }

  /// Opens a channel that carries plain bytes.
  func openChannel(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> OpenSSHChannel {
    let window = min(max(window, Int(limits.channelWindow)), 1 << 30)
    var type = "session"
    var content = WireWriter()
    var starts: [ProxiedChannel.StartRequest] = []
    switch request {
    case .command(let command): starts = [Self.start(of: command)]
    case .subsystem(let name):
      let name = SessionRequestContent.text(name)
      starts = [.init(name: "subsystem", content: name, isRequired: true)]
    case .tcp(let host, let port):
      // RFC 4254 section 7.2: host, port, originator address, originator port.
      type = "direct-tcpip"
      content.string(host)
      content.uint32(UInt32(clamping: port))
      content.string("127.0.0.1")
      content.uint32(0)
    case .unixSocket(let path):
      // OpenSSH's PROTOCOL, section 2.4: path, and two fields without a meaning.
      type = "direct-streamlocal@openssh.com"
      content.string(path)
      content.string("")
      content.uint32(0)
    }
    return try await openChannel(
      type,
      content: content.bytes,
      starts: starts,
      receiver: .bytes(receiver),
      bound: Self.byteBound,
      window: window
    )
  }

  /// Most bytes that wait to be sent on a byte channel.
  private static let byteBound = 4_194_304
  /// Above this many bytes for the server, byte channels write no more; the rest up to the mark is for terminals.
  static let byteMark = 131_072

  private static func start(of command: String?) -> ProxiedChannel.StartRequest {
    guard let command else { return .init(name: "shell", content: [], isRequired: true) }
    return .init(name: "exec", content: SessionRequestContent.text(command), isRequired: true)
  }

  private func openChannel(
    _ type: String,
    content: [UInt8] = [],
    starts: [ProxiedChannel.StartRequest],
    receiver: ProxiedChannel.Receiver,
    bound: Int,
    window: Int
  ) async throws(ConnectionFailure) -> OpenSSHChannel {
    if let failure { throw failure }
    guard phase == .open, pipe != nil else {
      throw makeFailure(.lost(reason: "ssh is ending"), at: .openingChannel)
    }
    channelNumbers &+= 1
    let id = channelNumbers
    var isTerminal = false
    if case .terminal = receiver { isTerminal = true }
    let channel = OpenSSHChannel(
      bound: bound,
      loop: loop,
      typing: typing,
      isTerminal: isTerminal
    ) { [weak self] in
      self?.later { $0.carryOutOrders(of: id) }
    }
    let service = ProxiedChannel(
      id: id,
      type: type,
      channel: channel,
      receiver: receiver,
      starts: starts,
      window: window
    )
    typealias Outcome = Result<OpenSSHChannel, ConnectionFailure>
    let result: Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
        guard !Task.isCancelled else {
          return continuation.resume(
            returning: .failure(makeFailure(.cancelled, at: .openingChannel))
          )
        }
        service.opening = continuation
        channels[id] = service
        let seconds = limits.openingChannel.wholeSeconds
        service.deadline = loop.schedule(after: limits.openingChannel) { [weak self] in
          self?.assumeIsolated { $0.giveUp(id, .timedOut(seconds: seconds)) }
        }
        writer.open(
          type,
          sender: id,
          window: UInt32(clamping: window),
          maximumPacket: ProxiedChannel.maximumPacket,
          content: content
        )
        flush()
        updateInterest()
      }
    } onCancel: {
      loop.run { self.assumeIsolated { $0.giveUp(id, .cancelled) } }
    }
    return try result.get()
  }

  /// Stops waiting for a channel; when it is opened after all, it is closed.
  private func giveUp(_ id: UInt32, _ cause: ConnectionFailureCause) {
    guard let service = channels[id], service.opening != nil else { return }
    refuse(service, cause)
    flush()
    updateInterest()
  }

  private func refuse(_ service: ProxiedChannel, _ cause: ConnectionFailureCause) {
    let opening = service.opening
    service.opening = nil
    service.abandon(writer)
    opening?.resume(returning: .failure(makeFailure(cause, at: .openingChannel)))
  }

  /// Carries out what a channel was ordered, as soon as it was.
  private func carryOutOrders(of id: UInt32) {
    guard failure == nil, let service = channels[id] else { return }
    service.carryOutOrders(writer, limit: limit(of: service))
    settle(service)
    flush()
    if failure == nil { updateInterest() }
    continueSending()
  }

  private func limit(of service: ProxiedChannel) -> Int {
    service.isTerminal ? limits.outboundMark : Self.byteMark
  }

  /// Lets input that waited go, terminals first.
  func serveWaiting() {
    guard !waiting.isEmpty, outbound.count < limits.outboundMark else { return }
    let ids = waiting
    waiting = []
    let services = ids.compactMap { channels[$0] }
    for service in services.filter(\.isTerminal) + services.filter({ !$0.isTerminal }) {
      service.isWaiting = false
      service.write(writer, limit: limit(of: service))
      settle(service)
    }
  }

  /// Forgets a channel that is over, and notes one whose input waits.
  private func settle(_ service: ProxiedChannel) {
    if service.isGone {
      channels[service.id] = nil
    } else if service.hasInput, !service.isWaiting {
      service.isWaiting = true
      waiting.append(service.id)
    }
  }

  // MARK: Messages

  /// Takes a message of the connection layer.
  func take(_ bytes: UnsafeRawBufferPointer) {
    let message: ChannelMessage
    do throws(WireError) {
      message = unsafe try ChannelMessage(bytes)
    } catch {
      return fail(.lost(reason: "what arrived is damaged (\(error.reason))"))
    }
    switch message {
    case .data(let id, let content):
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[content])
      unsafe channels[id]?.received(part, stream: 0, writer)
    case .extendedData(let id, let stream, let content):
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[content])
      unsafe channels[id]?.received(part, stream: stream, writer)
    case .window(let id, let byteCount):
      guard let service = channels[id] else { return }
      service.widen(by: byteCount)
      service.write(writer, limit: limit(of: service))
      settle(service)
    case .open(let sender): writer.refuse(sender)
    case .other: break
    default: takeRare(message)
    }
  }

  private func takeRare(_ message: ChannelMessage) {
    switch message {
    case .confirmation(let id, let sender, let window, let maximumPacket):
      guard let service = channels[id] else { return }
      service.opened(as: sender, window: window, maximumPacket: maximumPacket)
      confirmed(service)
    case .openFailure(let id, _, let text):
      guard let service = channels.removeValue(forKey: id) else { return }
      refuse(service, .channelRefused(request: service.type, reason: text))
    case .success(let id): answered(id, isGranted: true)
    case .failure(let id): answered(id, isGranted: false)
    case .eof(let id): channels[id]?.peerFinished(writer)
    case .close(let id): closed(id)
    case .exitStatus(let id, let status):
      channels[id]?.note(.exited(status: Int(Int32(truncatingIfNeeded: status))))
    case .exitSignal(let id, let name): channels[id]?.note(.signalled(name: name))
    case .request(let id, let wantsReply):
      guard wantsReply, let remote = channels[id]?.remote else { return }
      writer.plain(.failure, remote)
    default: break
    }
  }

  private func confirmed(_ service: ProxiedChannel) {
    guard service.opening != nil else {
      // Nobody waits any more.
      service.closeLate(writer)
      return settle(service)
    }
    service.start(writer)
    if service.unanswered.isEmpty { ready(service) }
  }

  private func ready(_ service: ProxiedChannel) {
    service.deadline?.cancel()
    let opening = service.opening
    service.opening = nil
    opening?.resume(returning: .success(service.channel))
  }

  private func answered(_ id: UInt32, isGranted: Bool) {
    guard let service = channels[id], !service.unanswered.isEmpty else { return }
    let request = service.unanswered.removeFirst()
    guard service.opening != nil else { return }
    if !isGranted {
      refuse(service, .channelRefused(request: request.name, reason: ""))
      settle(service)
    } else if service.unanswered.isEmpty {
      ready(service)
    }
  }

  private func closed(_ id: UInt32) {
    guard let service = channels[id] else { return }
    let isSilent = service.peerClosed(writer)
    if service.opening != nil {
      let name = service.unanswered.first?.name ?? service.type
      refuse(service, .channelRefused(request: name, reason: "the server closed the channel"))
    } else if isSilent, service.silentEnd == nil {
      // A server that goes down closes its channels first; only one that stays has ended the program alone.
      service.silentEnd = loop.schedule(after: limits.silentEnd) { [weak self] in
        self?.assumeIsolated { connection in
          guard let service = connection.channels[id] else { return }
          service.finishSilently(connection.writer)
          connection.settle(service)
        }
      }
    }
    settle(service)
  }

  /// Tells every channel that the connection is over.
  func endChannels(_ reason: ConnectionFailure) {
    let isOurs = reason.cause == .cancelled
    let all = channels.values
    channels = [:]
    waiting = []
    for service in all {
      if let opening = service.opening {
        service.opening = nil
        service.abandon(nil)
        opening.resume(returning: .failure(reason))
      } else {
        // A program whose end was told is over, whatever became of the connection after that.
        service.finish(isOurs ? .closed : service.programEnd ?? .failed(reason), nil)
      }
    }
    let stopped = listeners.values
    listeners = [:]
    for listener in stopped { listener.stop(reason) }
  }
}
