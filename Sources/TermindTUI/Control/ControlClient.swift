import FoundationEssentials
import TermindInfrastructure

/// Asks the running server for what `termind ctl` wants, and prints the answer.
enum ControlClient {
  static func run(
    _ arguments: ControlArguments,
    paths: TermindPaths,
    build: BuildVersion = .current
  ) -> UInt8 {
    let reply = ask(arguments.request, paths, build)
    return ControlOutput.print(reply, isJSON: arguments.isJSON)
  }

  /// Sends a request and waits for its reply, within a bounded time.
  static func ask(_ request: ControlRequest, _ paths: TermindPaths, _ build: BuildVersion)
    -> ControlReply
  {
    do {
      var link = ServerLink(try ServerReach.connect(paths))
      let json = Array(try JSONEncoder().encode(request))
      let secrets = request.secrets.map { ClientMessage.secret(field: $0.key, $0.value) }
      do throws(LocalSocketError) {
        try link.send(
          [.hello(protocolNumber: build.protocolNumber, build: build.text)] + secrets
            + [.control(json)]
        )
      } catch {
        // A server that has closed the connection may have said why.
        guard error == .closed else { throw error }
      }
      let reply = answer(on: &link, within: patience(for: request.command), build)
      if case .quit = request.command, reply == .done { waitForEnd(of: &link) }
      return reply
    } catch let error as ServerReachError {
      let code: ControlErrorCode = error == .noServer ? .noServer : .failed
      return .failed(ControlError(code, sentence(ProcessErrorText.text(of: error))))
    } catch {
      return .failed(ControlError(.failed, "The request cannot be sent: \(error)."))
    }
  }

  private static func answer(
    on link: inout ServerLink,
    within milliseconds: Int,
    _ build: BuildVersion
  )
    -> ControlReply
  {
    switch link.next(milliseconds: milliseconds) {
    case .message(.reply(let json)):
      guard let reply = try? JSONDecoder().decode(ControlReply.self, from: Data(json)) else {
        return .failed(ControlError(.otherVersion, "The server's reply cannot be read."))
      }
      return reply
    case .message(.refused(.version, let text)):
      return .failed(
        ControlError(
          .otherVersion,
          "The running server is termind \(text), this is termind \(build.text)."
        )
      )
    case .message(.refused(.ending, let text)): return .failed(ControlError(.busy, text))
    case .message(.refused(_, let text)): return .failed(ControlError(.failed, text))
    case .message, .ended:
      return .failed(ControlError(.lost, "The server ended before it answered."))
    case .nothing: return .failed(ControlError(.lost, "The server does not answer."))
    }
  }

  /// A server that quits is gone when it closes the connection.
  private static func waitForEnd(of link: inout ServerLink) {
    while case .message = link.next(milliseconds: 10_000) {}
  }

  private static func patience(for command: ControlCommand) -> Int {
    guard case .wait(_, let seconds) = command else { return 60_000 }
    return Int(seconds * 1000) + 10_000
  }

  nonisolated static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
