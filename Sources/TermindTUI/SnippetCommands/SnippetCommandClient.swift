import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// The process of `termind snippet run`: it asks the server, and prints what each host printed as soon as it is done.
struct SnippetCommandClient: ServedCommandTelling {
  static let work = "run"

  let request: ClientMessage
  private let isJSON: Bool
  private var isWell = true

  static func run(
    _ arguments: SnippetCommandArguments,
    paths: TermindPaths,
    build: BuildVersion = .current
  ) -> UInt8 {
    var request = arguments.request
    request.directory = ProcessEnvironment.currentDirectory() ?? "/"
    let message = ClientMessage.runSnippet(MessageJSON.encoded(request))
    return ServedCommand.run(paths: paths, build: build, isJSON: arguments.isJSON) {
      SnippetCommandClient(request: message, isJSON: arguments.isJSON)
    }
  }

  func fail(_ error: ControlError) -> UInt8 { RecordOutput.fail(error, isJSON: isJSON) }

  func prepareToStop() {}

  mutating func take(
    _ message: SnippetCommandMessage,
    _ link: inout ServerLink,
    signalStatus: UInt8?
  ) -> UInt8? {
    switch message {
    case .row(let row):
      if !row.isWell { isWell = false }
      let isTerminal = StandardStream.output.isTerminal
      let text = isJSON ? ControlOutput.encode(row) : Self.text(row, isTerminal: isTerminal)
      do throws(ControlError) { try CommandOutput.write(text) } catch { return fail(error) }
      return nil
    case .end(let error?): return fail(error)
    case .end(nil): return signalStatus ?? (isWell ? 0 : 1)
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
