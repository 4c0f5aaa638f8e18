import FoundationEssentials
import TermindDomain
import TermindInfrastructure

/// What a command that the server carries out asks for, and what it does with what it is told.
protocol ServedCommandTelling {
  /// What the server tells.
  associatedtype Message: Decodable

  /// What a server that ends takes along, for a sentence.
  static var work: String { get }
  /// What the server is asked.
  var request: ClientMessage { get }

  /// Takes what the server tells.
  ///
  /// - Parameters:
  ///   - message: What it tells.
  ///   - link: The way to the server.
  ///   - signalStatus: What the command exits with because of a signal; nil when there was none.
  /// - Returns: What the command exits with; nil when it goes on.
  mutating func take(_ message: Message, _ link: inout ServerLink, signalStatus: UInt8?) -> UInt8?
  /// Tells why it failed.
  ///
  /// - Parameter error: Why.
  /// - Returns: What the command exits with.
  mutating func fail(_ error: ControlError) -> UInt8
  /// Leaves the terminal as it should be while the job is stopped.
  mutating func prepareToStop()
}

/// The process of a command that the server carries out: it asks the server, hears what it tells, and passes signals on.
struct ServedCommand<Telling: ServedCommandTelling> {
  private let signals: SignalDescriptor
  private var link: ServerLink
  private var telling: Telling
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
  private static var attempts: Int { 5 }

  /// Runs it.
  ///
  /// - Parameters:
  ///   - paths: Where the server is; one is started where none runs.
  ///   - build: The version of this program.
  ///   - isJSON: How failures are told before the server is asked.
  ///   - telling: Makes what asks and tells, for each server that is asked.
  /// - Returns: What the command exits with.
  static func run(
    paths: TermindPaths,
    build: BuildVersion,
    isJSON: Bool,
    _ telling: () -> Telling
  ) -> UInt8 {
    guard let signals = SignalDescriptor() else {
      return RecordOutput.fail(ControlError(.failed, "Signals cannot be received."), isJSON: isJSON)
    }
    for _ in 0..<attempts {
      do throws(ServerReachError) {
        let (socket, _) = try ServerReach.connectOrStart(paths)
        var command = ServedCommand(
          signals: signals,
          link: ServerLink(socket),
          telling: telling(),
          build: build
        )
        if case .exit(let status) = command.serve() { return status }
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

  private mutating func serve() -> Outcome {
    do throws(LocalSocketError) {
      try link.send([
        .hello(protocolNumber: build.protocolNumber, build: build.text), telling.request,
      ])
    } catch {
      // A server that has closed the connection may have said why.
      guard error == .closed else { return fail("The request cannot be sent: \(error).") }
    }
    while true {
      if let outcome = turn() { return outcome }
    }
  }

  private mutating func fail(_ text: String, _ code: ControlErrorCode = .failed) -> Outcome {
    .exit(telling.fail(ControlError(code, text)))
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
          ? fail("The server ended, and the \(Telling.work) with it.", .lost) : .serverEnding
      case .message(let message): if let outcome = take(message) { return outcome }
      }
      event = link.buffered()
    }
  }

  /// The first signal asks the server to stop in good order; another one does not wait for that.
  private mutating func take(_ signal: ClientSignal) -> Outcome? {
    switch signal {
    case .windowChanged, .resumed: return nil
    case .stop:
      telling.prepareToStop()
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
      guard let message = try? JSONDecoder().decode(Telling.Message.self, from: Data(json)) else {
        return fail("The server's reply cannot be read.", .otherVersion)
      }
      return telling.take(message, &link, signalStatus: signalStatus).map { .exit($0) }
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
}

/// How the requests of such commands, and what they are told, travel.
nonisolated enum MessageJSON {
  /// The JSON of a value.
  static func encoded(_ value: some Encodable) -> [UInt8] {
    guard let data = try? JSONEncoder().encode(value) else {
      preconditionFailure("plain values always encode")
    }
    return Array(data)
  }
}
