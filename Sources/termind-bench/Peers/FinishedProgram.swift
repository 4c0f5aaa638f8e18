import TermindInfrastructure

/// A program that ran to its end, with what it wrote.
struct FinishedProgram {
  let status: Int
  let output: String

  /// Runs a program without a terminal.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - environment: Its whole environment.
  ///   - scratch: Where its output is put meanwhile.
  ///   - seconds: How long it may take.
  /// - Returns: The exit status and what it wrote to both streams.
  /// - Throws: `.timeout` when it takes longer, `.failed` when a signal ended it.
  static func run(
    _ arguments: [String],
    environment: [String: String],
    scratch: ScratchFolder,
    seconds: Int = 60
  ) throws(BenchError) -> FinishedProgram {
    let place = scratch.file("output-\(UInt32.random(in: 0 ... .max))")
    let process = try BenchProcess(
      arguments,
      environment: environment,
      descriptors: [.null, .appending(path: place), .appending(path: place)]
    )
    guard let end = process.wait(milliseconds: seconds * 1000) else {
      process.kill()
      throw .timeout(awaited: "the end of \(arguments.joined(separator: " "))", screen: "")
    }
    let output = ScratchFolder.text(of: place)
    guard case .exited(let status) = end else {
      throw .failed(step: arguments.joined(separator: " "), diagnostic: "ended by a signal")
    }
    return FinishedProgram(status: status, output: output)
  }

  /// Runs a program that must succeed, and gives its output.
  static func output(
    _ arguments: [String],
    environment: [String: String],
    scratch: ScratchFolder
  ) throws(BenchError) -> String {
    let done = try run(arguments, environment: environment, scratch: scratch)
    guard done.status == 0 else {
      throw .failed(
        step: arguments.joined(separator: " "),
        diagnostic: "exit status \(done.status)\n\(done.output)"
      )
    }
    return done.output
  }
}
