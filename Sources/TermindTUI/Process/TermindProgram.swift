import TermindInfrastructure

/// The program `termind`.
public enum TermindProgram {
  /// Understands the command line and runs the client or the server.
  ///
  /// - Parameter arguments: The command line, with the program's name first.
  public static func run(_ arguments: [String]) -> Never {
    do throws(UsageError) {
      let invocation = try Invocation(arguments.dropFirst())
      ProcessEnvironment.exit(run(invocation))
    } catch {
      if arguments.dropFirst().first == "ctl" {
        ProcessEnvironment.exit(ControlOutput.fail(ControlError(.usage, error.text)))
      }
      StandardStream.error.write("termind: \(error.text) (see termind --help)\n")
      ProcessEnvironment.exit(ControlErrorCode.usage.exitStatus)
    }
  }

  private static func run(_ invocation: Invocation) -> UInt8 {
    switch invocation {
    case .window(let kind): return ClientProcess.run(kind, paths: .current())
    case .control(let arguments): return ControlClient.run(arguments, paths: .current())
    case .list(let isJSON):
      let arguments = ControlArguments(request: ControlRequest(.windows), isJSON: isJSON)
      return ControlClient.run(arguments, paths: .current())
    case .doctor(let isJSON): return DoctorCommand.run(isJSON: isJSON, paths: .current())
    case .server: ServerProcess.run { server throws(EventLoopError) in try WindowServer(server) }
    case .help: StandardStream.output.write(UsageText.text)
    case .version: StandardStream.output.write("termind \(BuildVersion.current.text)\n")
    }
    return 0
  }
}
