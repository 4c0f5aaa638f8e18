import TermindDomain
import TermindInfrastructure

/// The process that a person starts in a terminal: it passes the terminal to the server, relays
/// signals, and waits.
///
/// It has one thread, blocks in `poll`, and does nothing before it is connected that the connection
/// does not need.
struct ClientProcess {
  private let kind: AttachKind
  private let paths: TermindPaths
  private let build: BuildVersion
  private var terminal: ClientTerminal
  private let signals: SignalDescriptor
  private var link: ServerLink
  private var wasWelcomed = false
  /// Whether this client has started the server.
  private var isFirst = false
  /// When the server must have answered, and what happens when it has not.
  private var deadline: (time: ContinuousClock.Instant, action: Overdue)?
  /// What the client exits with after a signal.
  private var signalStatus: UInt8?

  private enum Overdue {
    case giveUp
    case stopAlone
    case endAlone
  }

  /// How the client ended.
  enum Outcome: Hashable {
    case exit(UInt8)
    /// The running server is of another build.
    case otherVersion(String)
    /// The server that was found is just ending; another one can be started.
    case serverEnding
  }

  private static let answerTime = Duration.seconds(10)
  private static let signalTime = Duration.seconds(1)

  /// Shows what was asked for in this terminal, until the server or a signal ends it.
  static func run(_ kind: AttachKind, paths: TermindPaths, build: BuildVersion = .current) -> UInt8
  {
    guard let terminal = try? ClientTerminal() else {
      var text = "it needs a terminal as its standard input and output"
      if case .open = kind { text += "; termind ctl open uses the running window" }
      return fail(text)
    }
    guard let signals = SignalDescriptor() else { return fail("signals cannot be received") }
    while true {
      do throws(ServerReachError) {
        let (socket, isFirst) = try ServerReach.connectOrStart(paths)
        var client = ClientProcess(kind, paths, build, terminal, signals, ServerLink(socket))
        client.isFirst = isFirst
        switch client.serve() {
        case .exit(let status): return status
        case .serverEnding: continue
        case .otherVersion(let text):
          guard VersionDialog.offersRestart(server: text, own: build.text, terminal, signals) else {
            return ControlErrorCode.otherVersion.exitStatus
          }
          guard VersionDialog.endServer(paths, build) else {
            return fail("the server did not end; see \(paths.log)")
          }
        }
      } catch { return fail(ProcessErrorText.text(of: error)) }
    }
  }

  private static func fail(_ text: String) -> UInt8 {
    StandardStream.error.say("termind: \(text)\n")
    return 1
  }

  private init(
    _ kind: AttachKind,
    _ paths: TermindPaths,
    _ build: BuildVersion,
    _ terminal: ClientTerminal,
    _ signals: SignalDescriptor,
    _ link: ServerLink
  ) {
    self.kind = kind
    self.paths = paths
    self.build = build
    self.terminal = terminal
    self.signals = signals
    self.link = link
  }

  private mutating func serve() -> Outcome {
    do {
      try terminal.enterRaw()
      try link.send(
        [
          .hello(protocolNumber: build.protocolNumber, build: build.text),
          .attach(request, originalModes: terminal.originalModes),
        ],
        descriptors: [terminal.input.descriptor, terminal.output.descriptor]
      )
    } catch is LocalSocketError {
      // The server may have said why before it closed.
    } catch {
      return end("the terminal cannot be used: \(error)")
    }
    expect(.giveUp, within: Self.answerTime)
    while true {
      if let outcome = turn() { return outcome }
    }
  }

  private var request: AttachRequest {
    var environment: [String: String] = [:]
    for name in AttachRequest.environmentNames {
      environment[name] = ProcessEnvironment.value(of: name)
    }
    return AttachRequest(
      kind: kind,
      environment: environment,
      directory: ProcessEnvironment.currentDirectory() ?? "",
      size: terminal.output.size(),
      clientProcess: UInt32(clamping: ProcessEnvironment.processNumber)
    )
  }

  // MARK: Waiting

  /// Waits once; the outcome when it is over.
  private mutating func turn() -> Outcome? {
    let descriptors = [link.socket.descriptor, signals.descriptor]
    let ready = DescriptorWait.readable(descriptors, milliseconds: millisecondsLeft)
    if ready[1] {
      while let signal = signals.next() {
        if let outcome = take(signal) { return outcome }
      }
    }
    if ready[0] {
      var event = link.receive()
      while true {
        switch event {
        case .nothing: return nil
        case .ended: return serverEnded()
        case .message(let message): if let outcome = take(message) { return outcome }
        }
        event = link.buffered()
      }
    }
    return overdue()
  }

  private mutating func expect(_ action: Overdue, within time: Duration) {
    deadline = (ContinuousClock.now.advanced(by: time), action)
  }

  private var millisecondsLeft: Int? {
    guard let deadline else { return nil }
    return max(0, Int((deadline.time - .now) / .milliseconds(1)) + 1)
  }

  private mutating func overdue() -> Outcome? {
    guard let (time, action) = deadline, time <= .now else { return nil }
    deadline = nil
    switch action {
    case .giveUp: return end("the server does not answer; see \(paths.log)")
    case .stopAlone:
      terminal.restoreAlone()
      return stopAndResume()
    case .endAlone:
      terminal.restoreAlone()
      return .exit(signalStatus ?? 1)
    }
  }

  // MARK: Signals

  private mutating func take(_ signal: ClientSignal) -> Outcome? {
    switch signal {
    case .windowChanged: return tell(.resized)
    case .stop:
      expect(.stopAlone, within: Self.signalTime)
      return tell(.wantsStop)
    case .resumed: return resume()
    case .hangUp: return .exit(128 + UInt8(ClientSignal.hangUp.rawValue))
    case .terminate, .interrupt, .quit:
      signalStatus = 128 + UInt8(signal.rawValue)
      expect(.endAlone, within: Self.signalTime)
      return tell(.wantsDetach(reason: "the client was asked to end"))
    }
  }

  private mutating func tell(_ message: ClientMessage) -> Outcome? {
    do throws(LocalSocketError) { try link.send([message]) } catch { return serverEnded() }
    return nil
  }

  private mutating func stopAndResume() -> Outcome? {
    signals.stopJob()
    var others: [ClientSignal] = []
    // The signals of this very stop were answered by now.
    while let signal = signals.next() {
      if signal != .resumed, signal != .stop { others.append(signal) }
    }
    for signal in others {
      if let outcome = take(signal) { return outcome }
    }
    terminal.noteModes()
    return resume()
  }

  private mutating func resume() -> Outcome? {
    do throws(TerminalDeviceError) { try terminal.enterRaw() } catch {
      return .exit(128 + UInt8(ClientSignal.hangUp.rawValue))
    }
    return tell(.resumed(originalModes: terminal.originalModes))
  }

  // MARK: The server

  private mutating func take(_ message: ServerMessage) -> Outcome? {
    switch message {
    case .welcome(_, _, let leave):
      wasWelcomed = true
      terminal.leave = leave
      if case .giveUp = deadline?.action { deadline = nil }
    case .leaveChanged(let leave): terminal.leave = leave
    case .stop(let unwritten):
      deadline = nil
      terminal.restore(writing: unwritten)
      return stopAndResume()
    case .goodbye(let status, let text, let unwritten):
      terminal.restore(writing: unwritten)
      if !text.isEmpty { StandardStream.output.say(text + "\n") }
      return .exit(signalStatus ?? status)
    case .refused(.version, let text):
      terminal.restore(writing: [])
      return .otherVersion(text)
    case .refused(.ending, _):
      terminal.restore(writing: [])
      return .serverEnding
    case .refused(_, let text):
      terminal.restore(writing: [])
      return .exit(Self.fail(text))
    case .reply, .transfer: break
    }
    return nil
  }

  private func serverEnded() -> Outcome {
    if wasWelcomed {
      return end("the server ended unexpectedly, and every session with it; see \(paths.log)")
    }
    // One that ended in order has taken its socket away; one that crashed, or never came up, has not.
    if !isFirst, ServerReach.isAbsent(paths) {
      terminal.restore(writing: [])
      return .serverEnding
    }
    return end("the server ended before it answered; see \(paths.log)")
  }

  private func end(_ text: String) -> Outcome {
    terminal.restoreAlone()
    return .exit(Self.fail(text))
  }
}
