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
      handle = try await openChannel(
        type: "session",
        message: [],
        window: limits.terminalWindow
      )
    } catch {
      openings.leave()
      throw error
    }
    openings.leave()
    let channel: LibSSH2TerminalChannel
    let terminal: TerminalService
    do throws(ConnectionFailure) {
      let refused = try await prepare(handle, request)
      channel = LibSSH2TerminalChannel(
        bound: limits.inputBound,
        typing: typing,
        refusedVariables: refused
      ) { [weak self] in self?.wake() }
      terminal = TerminalService(
        handle: handle,
        size: request.hasTerminal ? request.size : nil,
        sizeInterval: limits.sizeInterval,
        channel: channel,
        receiver: receiver
      )
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

  /// Looks again when the terminal may ask for its next size.
  func awaitSize(of terminal: TerminalService) {
    guard terminal.sizeTimer == nil, !terminal.isOver, let delay = terminal.sizeDelay else {
      return
    }
    let identity = ObjectIdentifier(terminal)
    terminal.sizeTimer = loop.schedule(after: delay) { [weak self] in
      self?.assumeIsolated { connection in
        connection.terminals.first { ObjectIdentifier($0) == identity }?.sizeTimer = nil
        connection.turn()
      }
    }
  }

  /// Erase is DEL, input is UTF-8, and the line is fast (RFC 4254 section 8, RFC 8160).
  private static let terminalModes: [UInt8] =
    [3, 0, 0, 0, 127] + [42, 0, 0, 0, 1] + [128, 0, 0, 0x96, 0] + [129, 0, 0, 0x96, 0] + [0]
}
