/// The shell that panes of this machine start.
public enum LoginShell {
  /// `SHELL` of the environment when it can be run, else the account's, else the system's.
  public static func path(_ environment: [String: String]) -> String {
    LocalProgramSurroundings.shell(variable: environment["SHELL"], account: .current())
  }
}
