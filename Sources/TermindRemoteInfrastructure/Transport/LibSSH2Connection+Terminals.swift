internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

// Session channels with a PTY.
extension LibSSH2Connection {
  /// Opens a terminal; a half-open channel that is no longer wanted is closed.
  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving,
    isWanted: () -> Bool
  ) async throws(ConnectionFailure) -> LibSSH2TerminalChannel {
    try await enterOpening()
    guard isWanted() else {
      openings.leave()
      throw makeFailure(.cancelled, at: .openingChannel)
    }
    let handle: SSH2ChannelHandle
    do throws(ConnectionFailure) {
      handle = try await openChannel(type: "session", message: [])
    } catch {
      openings.leave()
      throw error
    }
    openings.leave()
    let channel: LibSSH2TerminalChannel
    let terminal: TerminalService
    do throws(ConnectionFailure) {
      let refused = try await prepare(handle, request)
      channel = LibSSH2TerminalChannel(bound: limits.inputBound, refusedVariables: refused) {
        [weak self] in self?.wake()
      }
      terminal = TerminalService(handle: handle, channel: channel, receiver: receiver)
      try await start(terminal, request.command)
    } catch {
      abandon(handle)
      throw error
    }
    guard isWanted() else {
      terminals.removeAll { $0 === terminal }
      abandon(handle)
      throw makeFailure(.cancelled, at: .openingChannel)
    }
    if failure == nil, keepalive.timer == nil { startKeepalive() }
    return channel
  }

  /// Starts the program; it is served from the very answer on, since it may end, or the connection with it,
  /// before this returns.
  private func start(
    _ terminal: TerminalService,
    _ command: String?
  ) async throws(ConnectionFailure) {
    let name = command == nil ? "shell" : "exec"
    try await require(name) {
      let result = terminal.handle.start(name, message: command)
      if result == .done {
        self.terminals.append(terminal)
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

  /// Opens a channel; the place in the opening queue must be held.
  ///
  /// - Throws: `channelRefused` when the server refuses; the connection stays up then.
  func openChannel(
    type: String,
    message: [UInt8]
  ) async throws(ConnectionFailure) -> SSH2ChannelHandle {
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    var handle: SSH2ChannelHandle?
    mailbox.packets.isActive = true
    let window = limits.channelWindow
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

  private func refusal(_ request: String, _ reason: String) -> ConnectionFailure {
    makeFailure(.channelRefused(request: request, reason: reason), at: .openingChannel)
  }

  /// Asks for the variables and the PTY; gives the names of the variables that were refused.
  private func prepare(
    _ handle: SSH2ChannelHandle,
    _ request: ShellRequest
  ) async throws(ConnectionFailure) -> [String] {
    var refused: [String] = []
    handle.mergeStandardError()
    for (name, value) in request.environment {
      let result = try await perform { handle.setEnvironment(name, value) }
      // A server that keeps to its own list refuses; that is no error.
      if case .failed(let code, let text) = result {
        guard case .requestRefused = SSH2Trouble(code: code) else {
          throw failed("env", code, text)
        }
        refused.append(name)
      }
    }
    guard request.hasTerminal else { return refused }
    let size = request.size
    let terminalType = request.terminalType
    try await require("pty-req") {
      handle.requestPTY(
        type: terminalType,
        modes: Self.terminalModes,
        columns: size.columns,
        rows: size.rows,
        pixelWidth: size.pixelWidth,
        pixelHeight: size.pixelHeight
      )
    }
    return refused
  }

  private func require(
    _ name: String,
    _ attempt: @escaping () -> SSH2Result
  ) async throws(ConnectionFailure) {
    guard case .failed(let code, let text) = try await perform(attempt) else { return }
    switch SSH2Trouble(code: code) {
    case .requestRefused, .channelRefused:
      throw refusal(name, text)
    default: throw failed(name, code, text)
    }
  }

  /// Closes a channel that nobody uses any more, in the background.
  func abandon(_ handle: SSH2ChannelHandle) {
    guard failure == nil else { return }
    closing.append(handle)
    scheduleTurn()
  }

  /// One turn of one terminal, whose orders were carried out: its output; true when it has more.
  func service(_ terminal: TerminalService) -> Bool {
    var hasMore = false
    if !terminal.isOver {
      hasMore = unsafe terminal.deliver(slice: limits.channelSlice, scratch: scratch)
      terminal.checkEnd()
    }
    if terminal.isClosedSilently, terminal.silentEnd == nil { awaitSilentEnd(of: terminal) }
    if terminal.isBroken { streamBroke() }
    return hasMore && !terminal.isOver
  }

  /// A server that goes down closes its channels first; only one that stays has ended the program alone.
  private func awaitSilentEnd(of terminal: TerminalService) {
    guard !terminal.isOver else { return }
    let identity = ObjectIdentifier(terminal)
    terminal.silentEnd = loop.schedule(after: limits.silentEnd) { [weak self] in
      self?.assumeIsolated { connection in
        connection.terminals.first { ObjectIdentifier($0) == identity }?.finishSilently()
        connection.scheduleTurn()
      }
    }
  }

  /// Erase is DEL, input is UTF-8, and the line is fast (RFC 4254 section 8, RFC 8160).
  private static let terminalModes: [UInt8] =
    [3, 0, 0, 0, 127] + [42, 0, 0, 0, 1] + [128, 0, 0, 0x96, 0] + [129, 0, 0, 0x96, 0] + [0]
}
