import TermindInfrastructure

/// A tmux server of its own, without a person's settings, ended with the object.
final class TmuxServer {
  private let program: String
  private let socket: String
  private let environment: [String: String]
  private let scratch: ScratchFolder

  /// Finds tmux; its server starts with the first command.
  init(scratch: ScratchFolder, home: String, name: String = "tmux") throws(BenchError) {
    program = try PeerProgram.tmux.find()
    socket = scratch.file("\(name).sock")
    environment = BenchEnvironment.variables(home: home)
    self.scratch = scratch
  }

  deinit {
    // It may not run any more, which is what is wanted.
    _ = try? command("kill-server")
  }

  /// The words of a tmux command line.
  private func words(_ command: [String]) -> [String] {
    [program, "-S", socket, "-f", "/dev/null", "-u"] + command
  }

  /// Opens a terminal in which tmux runs.
  func open(
    _ command: [String],
    rows: Int = 50,
    columns: Int = 160,
    isRecording: Bool = false
  ) throws(BenchError) -> DrivenTerminal {
    try DrivenTerminal(
      words(command),
      environment: environment,
      rows: rows,
      columns: columns,
      isRecording: isRecording
    )
  }

  /// Runs a tmux command and gives what it prints.
  @discardableResult
  func command(_ words: String...) throws(BenchError) -> String { try command(words) }

  /// Runs a tmux command, or several with `;` between them, and gives what it prints.
  @discardableResult
  func command(_ words: [String]) throws(BenchError) -> String {
    try FinishedProgram.output(self.words(words), environment: environment, scratch: scratch)
  }

  /// The process number of the server.
  func serverNumber() throws(BenchError) -> Int32 {
    let text = try command("display-message", "-p", "#{pid}")
    guard let number = Int32(text.filter(\.isNumber)) else {
      throw .failed(step: "find the tmux server", diagnostic: text)
    }
    return number
  }

  /// Ends the server, and returns when it has gone.
  func end() throws(BenchError) {
    let number = try serverNumber()
    try command("kill-server")
    try ProcessEnd.wait(for: number)
  }
}
