import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// The program `termind`.
public enum TermindProgram {
  /// Understands the command line and runs the client or the server.
  ///
  /// - Parameters:
  ///   - arguments: The command line, with the program's name first.
  ///   - libraries: What the program is linked with; asked for by `termind doctor` only.
  ///   - makeHandler: Makes what clients of the server reach; called in a server only.
  static func run(
    _ arguments: [String],
    libraries: () -> [LinkedLibrary],
    makeHandler: (ServerProcess) throws(EventLoopError) -> any ServerHandling
  ) -> Never {
    OpenSSHHelper.runIfNamed(arguments)
    if arguments.dropFirst().first == KeyringHelper.word {
      KeyringHelper.run(Array(arguments.dropFirst(2)))
    }
    do throws(UsageError) {
      let bytes = ProcessEnvironment.arguments()
      let invocation = try Invocation(
        arguments.dropFirst(),
        bytes: bytes.count == arguments.count ? bytes.dropFirst() : nil
      )
      ProcessEnvironment.exit(run(invocation, libraries, makeHandler))
    } catch {
      let isForScripts = arguments.dropFirst().prefix { $0 != "--" }.contains("--json")
      if arguments.dropFirst().first == "ctl" || isForScripts {
        let sentence = ControlClient.sentence(error.text)
        ProcessEnvironment.exit(ControlOutput.fail(ControlError(.usage, sentence)))
      }
      StandardStream.error.say("termind: \(error.text) (see termind --help)\n")
      ProcessEnvironment.exit(ControlErrorCode.usage.exitStatus)
    }
  }

  /// Without a server there is a window only where a session was kept, which any window of it stands for.
  private static func attachWithoutServer(_ window: WindowID?) -> UInt8 {
    let paths = TermindPaths.current()
    guard window == nil, SessionFile(path: paths.session).exists else {
      StandardStream.error.say("termind: no server is running. Start one with: termind\n")
      return ControlErrorCode.noServer.exitStatus
    }
    return ClientProcess.run(.attach(nil), paths: paths)
  }

  private static func run(
    _ invocation: Invocation,
    _ libraries: () -> [LinkedLibrary],
    _ makeHandler: (ServerProcess) throws(EventLoopError) -> any ServerHandling
  ) -> UInt8 {
    switch invocation {
    case .window(.demo):
      DemoHome.adopt()
      return ClientProcess.run(.demo, paths: .current())
    case .window(.attach(let window)) where ServerReach.isAbsent(.current()):
      return attachWithoutServer(window)
    case .window(let kind): return ClientProcess.run(kind, paths: .current())
    case .control(let arguments): return ControlClient.run(arguments, paths: .current())
    case .records(let arguments): return RecordClient.run(arguments, paths: .current())
    case .importing(let arguments): return RecordClient.run(arguments, paths: .current())
    case .transfer(let arguments):
      return TransferCommandClient.run(arguments, paths: .current())
    case .snippetRun(let arguments):
      return SnippetCommandClient.run(arguments, paths: .current())
    case .list(let isJSON):
      let arguments = ControlArguments(request: ControlRequest(.windows), isJSON: isJSON)
      return ControlClient.run(arguments, paths: .current())
    case .doctor(let isJSON):
      return DoctorCommand.run(isJSON: isJSON, paths: .current(), libraries: libraries())
    case .server: ServerProcess.run(makeHandler)
    case .help: return CommandOutput.print(UsageText.text)
    case .copyingHelp: return CommandOutput.print(UsageText.copying)
    case .version: return CommandOutput.print("termind \(BuildVersion.current.text)\n")
    }
  }
}
