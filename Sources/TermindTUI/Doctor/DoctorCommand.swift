import FoundationEssentials
import TermindInfrastructure

/// Runs `termind doctor`.
enum DoctorCommand {
  /// How long a terminal may take to answer.
  private static let patience = Duration.milliseconds(1000)

  /// Prints the report; 1 when something is wrong.
  static func run(
    isJSON: Bool,
    paths: TermindPaths,
    libraries: [LinkedLibrary],
    build: BuildVersion = .current
  ) -> UInt8 {
    let environment = ProcessEnvironment.all()
    let report = DoctorReport(sections: [
      Doctor.program(build), Doctor.libraries(libraries),
      Doctor.terminal(TerminalProbe(environment: environment, within: patience), environment),
      Doctor.places(paths), Doctor.server(paths, build), Doctor.surroundings(environment),
    ])
    return CommandOutput.print(
      isJSON ? ControlOutput.encode(report) : safe(report.text),
      isJSON: isJSON,
      status: report.verdict == .wrong ? 1 : 0
    )
  }

  /// Names and versions come from the terminal and the environment.
  private static func safe(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { ControlOutput.safe(String($0)) }.joined(separator: "\n")
  }
}
