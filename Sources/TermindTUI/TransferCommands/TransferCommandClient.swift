import TermindDomain
import TermindInfrastructure

/// The process of `termind cp`, `get`, `put` and `mirror`: it asks the server, shows how far it is, and answers what is asked.
struct TransferCommandClient: ServedCommandTelling {
  /// What an interrupted command exits with.
  nonisolated static let interruptedStatus: UInt8 = 128 + 2
  static let work = "copy"

  let request: ClientMessage
  private var output: TransferCommandOutput
  /// Whether the person gave up at a question, as Ctrl-C does.
  private var hasGivenUp = false

  private init(_ request: ClientMessage, _ output: TransferCommandOutput) {
    self.request = request
    self.output = output
  }

  static func run(
    _ arguments: TransferCommandArguments,
    paths: TermindPaths,
    build: BuildVersion = .current
  ) -> UInt8 {
    let request = completed(arguments.request)
    let message = ClientMessage.transfer(MessageJSON.encoded(request))
    return ServedCommand.run(paths: paths, build: build, isJSON: arguments.telling == .json) {
      TransferCommandClient(message, TransferCommandOutput(request, arguments.telling))
    }
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

  mutating func fail(_ error: ControlError) -> UInt8 { output.fail(error) }

  mutating func prepareToStop() { output.clearProgress() }

  mutating func take(
    _ message: TransferCommandMessage,
    _ link: inout ServerLink,
    signalStatus: UInt8?
  ) -> UInt8? {
    do throws(ControlError) {
      switch message {
      case .lines(let lines):
        for line in lines { try output.show(line) }
      case .question(let question): return answer(question, &link)
      case .end(let line, let error):
        if let error {
          guard hasGivenUp else { return fail(error) }
          _ = fail(ControlError(.needsPerson, "Stopped at a question; nothing was copied."))
          return Self.interruptedStatus
        }
        let status = signalStatus ?? line.status ?? 0
        try output.show(line)
        return status
      }
    } catch { return fail(error) }
    return nil
  }

  /// Asks the person, and sends the answers; whoever gives up ends the attempt.
  private mutating func answer(
    _ question: TransferCommandQuestion,
    _ link: inout ServerLink
  ) -> UInt8? {
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
        hasGivenUp = true
        break
      }
    }
    do throws(LocalSocketError) {
      try link.send([.answer(question.number, answers)])
    } catch { return fail(ControlError(.lost, "The server ended, and the copy with it.")) }
    return nil
  }
}
