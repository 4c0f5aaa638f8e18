import FoundationEssentials
import TermindDomain
import TermindInfrastructure

/// The process of `termind cp`, `get`, `put` and `mirror`: it asks the server, shows how far it is, and answers what is asked.
struct TransferCommandClient {
  /// What an interrupted command exits with.
  nonisolated static let interruptedStatus: UInt8 = 128 + 2

  private let signals: SignalDescriptor
  private var link: ServerLink
  private var output: TransferCommandOutput
  private let build: BuildVersion
  /// What the command exits with after a signal.
  private var signalStatus: UInt8?
  private var isBegun = false

  private enum Outcome {
    case exit(UInt8)
    /// The server that was found is just ending; another one can be started.
    case serverEnding
  }

  /// How often a server that is just ending is followed by another one.
  private static let attempts = 5

  static func run(
    _ arguments: TransferCommandArguments,
    paths: TermindPaths,
    build: BuildVersion = .current
  ) -> UInt8 {
    let isJSON = arguments.telling == .json
    guard let signals = SignalDescriptor() else {
      return RecordOutput.fail(ControlError(.failed, "Signals cannot be received."), isJSON: isJSON)
    }
    let request = completed(arguments.request)
    for _ in 0..<attempts {
      do throws(ServerReachError) {
        let (socket, _) = try ServerReach.connectOrStart(paths)
        var client = TransferCommandClient(
          signals: signals,
          link: ServerLink(socket),
          output: TransferCommandOutput(request, arguments.telling),
          build: build
        )
        if case .exit(let status) = client.serve(request) { return status }
      } catch {
        let text = ControlClient.sentence(ProcessErrorText.text(of: error))
        return RecordOutput.fail(ControlError(.failed, text), isJSON: isJSON)
      }
    }
    return RecordOutput.fail(
      ControlError(.busy, "A server is just ending; try again in a moment."),
      isJSON: isJSON
    )
  }

  /// Paths of this machine are relative to the client's directory, not to the server's.
  private static func completed(_ request: TransferCommandRequest) -> TransferCommandRequest {
    let directory = ProcessEnvironment.currentDirectoryBytes() ?? [UInt8(ascii: "/")]
    var request = request
    request.sources = request.sources.map { $0.absolute(in: directory) }
    request.target = request.target.absolute(in: directory)
    request.directory = String(decoding: directory, as: UTF8.self)
    request.mayAsk = SecretReader.isAtTerminal
    return request
  }

  private mutating func serve(_ request: TransferCommandRequest) -> Outcome {
    guard let json = try? JSONEncoder().encode(request) else {
      preconditionFailure("plain values always encode")
    }
    do throws(LocalSocketError) {
      try link.send([
        .hello(protocolNumber: build.protocolNumber, build: build.text),
        .transfer(Array(json)),
      ])
    } catch {
      // A server that has closed the connection may have said why.
      guard error == .closed else { return fail("The request cannot be sent: \(error).") }
    }
    while true {
      if let outcome = turn() { return outcome }
    }
  }

  private func fail(_ text: String, _ code: ControlErrorCode = .failed) -> Outcome {
    .exit(output.fail(ControlError(code, text)))
  }

  private mutating func turn() -> Outcome? {
    let ready = DescriptorWait.readable([link.socket.descriptor, signals.descriptor])
    if ready[1] {
      while let signal = signals.next() {
        if let outcome = take(signal) { return outcome }
      }
    }
    guard ready[0] else { return nil }
    var event = link.receive()
    while true {
      switch event {
      case .nothing: return nil
      case .ended:
        if let signalStatus { return .exit(signalStatus) }
        return isBegun
          ? fail("The server ended, and the copy with it.", .lost) : .serverEnding
      case .message(let message): if let outcome = take(message) { return outcome }
      }
      event = link.buffered()
    }
  }

  // MARK: Signals

  /// The first signal asks the server to stop and to clean up; another one does not wait for that.
  private mutating func take(_ signal: ClientSignal) -> Outcome? {
    switch signal {
    case .windowChanged, .resumed: return nil
    case .stop:
      output.clearProgress()
      signals.stopJob()
      return nil
    case .hangUp, .interrupt, .terminate, .quit: break
    }
    let status = 128 + UInt8(signal.rawValue)
    guard signalStatus == nil, signal != .hangUp else { return .exit(status) }
    signalStatus = status
    do throws(LocalSocketError) { try link.send([.cancelTransfer]) } catch { return .exit(status) }
    return nil
  }

  // MARK: The server

  private mutating func take(_ message: ServerMessage) -> Outcome? {
    switch message {
    case .transfer(let json):
      isBegun = true
      guard
        let message = try? JSONDecoder().decode(TransferCommandMessage.self, from: Data(json))
      else { return fail("The server's reply cannot be read.", .otherVersion) }
      return take(message)
    case .refused(.version, let text):
      return fail(
        "The running server is termind \(text), this is termind \(build.text).",
        .otherVersion
      )
    case .refused(.ending, _): return .serverEnding
    case .refused(_, let text): return fail(text)
    case .welcome, .leaveChanged, .stop, .goodbye, .reply: return nil
    }
  }

  private mutating func take(_ message: TransferCommandMessage) -> Outcome? {
    do throws(ControlError) {
      switch message {
      case .lines(let lines):
        for line in lines { try output.show(line) }
      case .question(let question): return answer(question)
      case .end(let line, let error):
        if let error { return .exit(output.fail(error)) }
        let status = signalStatus ?? line.status ?? 0
        try output.show(line)
        return .exit(status)
      }
    } catch { return .exit(output.fail(error)) }
    return nil
  }

  /// Asks the person, and sends the answers; whoever gives up ends the attempt.
  private mutating func answer(_ question: TransferCommandQuestion) -> Outcome? {
    output.clearProgress()
    for line in question.lines { StandardStream.error.say(ControlOutput.safe(line) + "\n") }
    var answers: [SecretBytes]? = []
    for prompt in question.prompts {
      do throws(ControlError) {
        let text = ControlOutput.safe(prompt.text)
        answers?.append(try SecretReader.line(text, echoes: prompt.echoes))
      } catch {
        // Ctrl-C or the end of the input: the question is answered with a refusal.
        answers = nil
        break
      }
    }
    do throws(LocalSocketError) {
      try link.send([.answer(question.number, answers)])
    } catch { return fail("The server ended, and the copy with it.", .lost) }
    return nil
  }
}
