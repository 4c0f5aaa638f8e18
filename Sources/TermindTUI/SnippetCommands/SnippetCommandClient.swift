import FoundationEssentials
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// The process of `termind snippet run`: it asks the server, and prints what each host printed as soon as it is done.
struct SnippetCommandClient {
  private let signals: SignalDescriptor
  private var link: ServerLink
  private let isJSON: Bool
  private let build: BuildVersion
  /// What the command exits with after a signal.
  private var signalStatus: UInt8?
  private var isBegun = false
  private var isWell = true

  private enum Outcome {
    case exit(UInt8)
    /// The server that was found is just ending; another one can be started.
    case serverEnding
  }

  /// How often a server that is just ending is followed by another one.
  private static let attempts = 5

  static func run(
    _ arguments: SnippetCommandArguments,
    paths: TermindPaths,
    build: BuildVersion = .current
  ) -> UInt8 {
    let isJSON = arguments.isJSON
    guard let signals = SignalDescriptor() else {
      return RecordOutput.fail(ControlError(.failed, "Signals cannot be received."), isJSON: isJSON)
    }
    var request = arguments.request
    request.directory = ProcessEnvironment.currentDirectory() ?? "/"
    for _ in 0..<attempts {
      do throws(ServerReachError) {
        let (socket, _) = try ServerReach.connectOrStart(paths)
        var client = SnippetCommandClient(
          signals: signals,
          link: ServerLink(socket),
          isJSON: isJSON,
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

  private mutating func serve(_ request: SnippetCommandRequest) -> Outcome {
    guard let json = try? JSONEncoder().encode(request) else {
      preconditionFailure("plain values always encode")
    }
    do throws(LocalSocketError) {
      try link.send([
        .hello(protocolNumber: build.protocolNumber, build: build.text),
        .runSnippet(Array(json)),
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
    .exit(RecordOutput.fail(ControlError(code, text), isJSON: isJSON))
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
        return isBegun ? fail("The server ended, and the run with it.", .lost) : .serverEnding
      case .message(let message): if let outcome = take(message) { return outcome }
      }
      event = link.buffered()
    }
  }

  /// The first signal asks the server to cancel, which still tells each host; another one does not wait for that.
  private mutating func take(_ signal: ClientSignal) -> Outcome? {
    switch signal {
    case .windowChanged, .resumed: return nil
    case .stop:
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

  private mutating func take(_ message: ServerMessage) -> Outcome? {
    switch message {
    case .transfer(let json):
      isBegun = true
      guard let message = try? JSONDecoder().decode(SnippetCommandMessage.self, from: Data(json))
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

  private mutating func take(_ message: SnippetCommandMessage) -> Outcome? {
    switch message {
    case .row(let row):
      if !row.isWell { isWell = false }
      let isTerminal = StandardStream.output.isTerminal
      let text = isJSON ? ControlOutput.encode(row) : Self.text(row, isTerminal: isTerminal)
      do throws(ControlError) { try CommandOutput.write(text) } catch {
        return .exit(RecordOutput.fail(error, isJSON: isJSON))
      }
      return nil
    case .end(let error?): return .exit(RecordOutput.fail(error, isJSON: isJSON))
    case .end(nil): return .exit(signalStatus ?? (isWell ? 0 : 1))
    }
  }

  /// A line with the host and what came of it, and what it printed; a terminal gets no control characters of hosts.
  nonisolated static func text(_ row: SnippetCommandRow, isTerminal: Bool) -> String {
    let result = row.status.map { "exit \($0)" } ?? ControlOutput.safe(row.error ?? "")
    var text = "== \(ControlOutput.safe(row.host)): \(result)\n"
    if isTerminal {
      let lines = RunScreen.lines(of: Array(row.output.utf8))
      text += lines.map { $0 + "\n" }.joined()
    } else if !row.output.isEmpty {
      text += row.output.hasSuffix("\n") ? row.output : row.output + "\n"
    }
    if row.truncated == true { text += "== \(ControlOutput.safe(row.host)): more was not kept\n" }
    return text
  }
}
