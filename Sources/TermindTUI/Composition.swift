import TermindInfrastructure

extension TermindProgram {
  /// Runs the program with everything that it is made of.
  ///
  /// - Parameter arguments: The command line, with the program's name first.
  public static func run(_ arguments: [String]) -> Never {
    run(
      arguments,
      libraries: { [] },
      makeHandler: { server throws(EventLoopError) in try WindowServer(server) }
    )
  }
}
