import FoundationEssentials
import TermindDomain
import TermindInfrastructure

/// One client of the server: its socket, the messages on it, and what became of it.
final class ServerConnection {
  /// What the connection is for; each step is left by a message of the client or by the end.
  private enum Phase {
    /// Nothing was said; ends with `hello` or the deadline.
    case silent
    /// Another build: only `shutDown` is still understood.
    case foreign
    /// Greeted; the next message says what is wanted.
    case greeted
    /// A terminal.
    case terminal(TTYConnection)
    /// A request of `termind ctl`; ends with the reply.
    case control(Task<Void, Never>)
    /// A transfer command; ends with its last word.
    case transfer(TransferCommandSession)
    /// A run of a snippet; ends with its last word.
    case snippet(SnippetCommandSession)
    /// Only what is queued still goes out.
    case closing
  }

  /// Bytes that may wait for a client that does not read, replies aside.
  private static let queueLimit = 1024 * 1024

  /// Whether the client asked for the server's end, and waits to see it.
  private(set) var hasAskedForEnd = false
  private weak var server: ServerProcess?
  private let configuration: ServerProcess.Configuration
  private let socket: LocalSocket
  private var phase = Phase.silent
  private var input = FrameBuffer(limit: ClientMessage.limit)
  private var descriptors: [OwnedDescriptor] = []
  private var secrets: [String: SecretBytes] = [:]
  private var output: [UInt8] = []
  /// What the client has not taken yet.
  private var queuedBytes: Int { output.count - sent }
  private var sent = 0
  private var reading: ReadinessSource?
  private var writing: ReadinessSource?
  private var deadline: Task<Void, Never>?

  init(_ socket: LocalSocket, server: ServerProcess) {
    self.socket = socket
    self.server = server
    configuration = server.configuration
    socket.setNonblocking()
  }

  /// Begins to listen to the client, and gives it a bounded time to say what it wants.
  func start() {
    setDeadline(configuration.greetingTime)
    reading = ReadinessSource(socket.descriptor, .reading) { [weak self] in self?.receive() }
    writing = ReadinessSource(socket.descriptor, .writing) { [weak self] in self?.flush() }
    reading?.setRunning(true)
    receive()
  }

  /// Says something to the client; a client that does not read is dropped rather than waited for.
  func send(_ message: ServerMessage) {
    guard reading != nil else { return }
    if output.count - sent > Self.queueLimit { return end() }
    output += message.frame
    flush()
  }

  /// Refuses the client and ends the connection once it was told.
  func refuse(_ code: RefusalCode, _ text: String) {
    send(.refused(code, text: text))
    finish()
  }

  /// Ends the connection once everything queued was sent, within a bounded time.
  func finish() {
    guard reading != nil else { return }
    phase = .closing
    setDeadline(configuration.greetingTime)
    if output.isEmpty { end() }
  }

  /// Ends the connection at once.
  func end() {
    guard reading != nil else { return }
    reading = nil
    writing = nil
    deadline?.cancel()
    let old = phase
    phase = .closing
    switch old {
    case .terminal(let terminal): terminal.clientVanished()
    case .control(let task): task.cancel()
    case .transfer(let session): session.cancel()
    case .snippet(let session): session.cancel()
    case .silent, .foreign, .greeted, .closing: break
    }
    server?.ended(self)
  }

  private func setDeadline(_ time: Duration) {
    deadline?.cancel()
    let clock = configuration.clock
    deadline = Task { [weak self] in
      // Cancelled means that the deadline was met.
      guard (try? await clock.sleep(for: time)) != nil else { return }
      self?.end()
    }
  }

  // MARK: Input

  private func receive() {
    do {
      // Bounded a turn, so that one client cannot hold the others up.
      for _ in 0..<16 {
        guard reading != nil, let part = try socket.receive() else { return }
        if part.bytes.isEmpty { return end() }
        descriptors += part.descriptors
        guard descriptors.count <= 4 else { throw WireError.malformed }
        input.append(part.bytes)
        while reading != nil, try takeNext() {
          if !secrets.isEmpty || takesAnswers { input.wipeTaken() }
        }
      }
    } catch {
      server?.log(.warning, "a client was dropped: \(error)")
      if case .terminal(let terminal) = phase { terminal.clientVanished() }
      end()
    }
  }

  /// Takes the next whole message; in a function of its own, so that nothing shares its bytes afterwards.
  private func takeNext() throws(WireError) -> Bool {
    guard let frame = try input.next() else { return false }
    try take(try ClientMessage(frame))
    return true
  }

  private func take(_ message: ClientMessage) throws(WireError) {
    switch (phase, message) {
    case (.silent, .hello(let protocolNumber, let build)):
      let own = configuration.build
      guard BuildVersion(text: build, protocolNumber: protocolNumber) == own else {
        phase = .foreign
        return send(.refused(.version, text: own.text))
      }
      phase = .greeted
      if server?.isEnding == true { refuseAtEnd() }
    case (.foreign, .shutDown(let force)), (.greeted, .shutDown(let force)):
      shutDown(force: force)
    // Sent before the client could know that it is refused.
    case (.foreign, _), (.closing, _): break
    case (.greeted, .attach(let request, let modes)): attach(request, modes)
    case (.greeted, .control(let json)): control(json)
    case (.greeted, .transfer(let json)): transfer(json)
    case (.greeted, .runSnippet(let json)): runSnippet(json)
    case (.transfer(let session), .cancelTransfer): session.cancel()
    case (.snippet(let session), .cancelTransfer): session.cancel()
    case (.transfer(let session), .answer(let number, let answers)):
      session.answer(number, answers)
    case (.greeted, .secret(let field, let bytes)):
      guard secrets.count < 4 else { throw .malformed }
      secrets[field] = bytes
    case (.terminal(let terminal), .resized): terminal.clientResized()
    case (.terminal(let terminal), .wantsStop): terminal.stop()
    case (.terminal(let terminal), .resumed(let modes)): terminal.clientResumed(modes)
    case (.terminal(let terminal), .wantsDetach(let reason)): terminal.clientDetaches(reason)
    default: throw .malformed
    }
  }

  private func shutDown(force: Bool) {
    hasAskedForEnd = true
    if let loss = server?.handler?.endServer(force: force) { return refuse(.needsForce, loss) }
    finish()
  }

  private func attach(_ request: AttachRequest, _ modes: TerminalModes) {
    let passed = descriptors
    descriptors = []
    guard passed.count == 2, let handler = server?.handler else {
      return refuse(.failed, "The client passed no terminal.")
    }
    do throws(TerminalDeviceError) {
      let terminal = try TTYConnection(
        input: try TerminalDevice(passed[0]),
        output: try TerminalDevice(passed[1]),
        originalModes: modes,
        request: request,
        connection: self
      )
      phase = .terminal(terminal)
      deadline?.cancel()
      handler.attach(request, to: terminal)
    } catch {
      refuse(.failed, "The terminal cannot be used: \(error).")
    }
  }

  private func control(_ json: [UInt8]) {
    deadline?.cancel()
    guard var request = try? JSONDecoder().decode(ControlRequest.self, from: Data(json)),
      request.isInRange
    else {
      return reply(.failed(ControlError(.usage, "The request cannot be read.")))
    }
    request.secrets = secrets
    secrets = [:]
    if case .quit = request.command { hasAskedForEnd = true }
    guard let handler = server?.handler else { return end() }
    phase = .control(
      Task { [weak self] in
        let answer = await handler.handle(request)
        guard !Task.isCancelled else { return }
        self?.reply(answer)
      }
    )
  }

  private func transfer(_ json: [UInt8]) {
    deadline?.cancel()
    guard let request = try? JSONDecoder().decode(TransferCommandRequest.self, from: Data(json))
    else { return refuse(.failed, "The request cannot be read.") }
    guard let handler = server?.handler else { return end() }
    phase = .transfer(handler.begin(request, for: self))
  }

  private func runSnippet(_ json: [UInt8]) {
    deadline?.cancel()
    guard let request = try? JSONDecoder().decode(SnippetCommandRequest.self, from: Data(json))
    else { return refuse(.failed, "The request cannot be read.") }
    guard let handler = server?.handler else { return end() }
    phase = .snippet(handler.begin(request, for: self))
  }

  private func reply(_ reply: ControlReply) {
    do {
      send(.reply(Array(try JSONEncoder().encode(reply))))
      finish()
    } catch {
      refuse(.failed, "The reply cannot be written: \(error).")
    }
  }

  /// Whether what comes in may hold what a person typed.
  private var takesAnswers: Bool {
    if case .transfer = phase { return true }
    return false
  }

  // MARK: Output

  private func flush() {
    do throws(LocalSocketError) {
      while sent < output.count {
        let count = try socket.send(output[sent...])
        if count == 0 { break }
        sent += count
        if case .closing = phase { setDeadline(configuration.greetingTime) }
      }
    } catch { return end() }
    if sent == output.count {
      output = []
      sent = 0
    }
    writing?.setRunning(!output.isEmpty)
    if output.isEmpty, case .closing = phase { end() }
  }
}

extension ServerConnection: Hashable {
  nonisolated static func == (left: ServerConnection, right: ServerConnection) -> Bool {
    left === right
  }

  nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ServerConnection: TransferCommandClientLink {
  var takesMore: Bool { queuedBytes < Self.queueLimit / 4 }

  func tell(_ message: [UInt8]) { send(.transfer(message)) }

  func finish(_ message: [UInt8]) {
    send(.transfer(message))
    finish()
  }
}

extension ServerConnection {
  /// Tells the client that its terminal is served.
  func acceptTerminal(leave: [UInt8]) {
    send(
      .welcome(
        build: configuration.build.text,
        process: UInt32(clamping: ProcessEnvironment.processNumber),
        leave: leave
      )
    )
  }

  /// The server is about to end: whoever has not said what is wanted is refused.
  func serverEnds() {
    switch phase {
    case .silent, .greeted: refuseAtEnd()
    // A client of another build may be the one that ends the server.
    case .foreign where !hasAskedForEnd: refuseAtEnd()
    case .foreign, .terminal, .control, .transfer, .snippet, .closing: break
    }
  }

  /// The server ends: a terminal is given back.
  func serverStops(_ text: String) {
    // A request may be the one that ends the server; its reply is still due.
    if case .terminal(let terminal) = phase { terminal.close(text: text) }
  }

  private func refuseAtEnd() { refuse(.ending, "The server is ending.") }
}
