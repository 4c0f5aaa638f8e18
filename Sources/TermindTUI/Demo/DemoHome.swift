import TermindInfrastructure

/// Where the demonstration keeps its data: never among the person's own.
enum DemoHome {
  /// Sets `TERMIND_HOME`, unless the person did, so that this client and its server use it.
  static func adopt() {
    guard ProcessEnvironment.value(of: "TERMIND_HOME") == nil else { return }
    ProcessEnvironment.set("TERMIND_HOME", to: path)
  }

  /// Whether the paths are those of a demonstration that chose its own place.
  static func isAdopted(by paths: TermindPaths) -> Bool { paths.root == path }

  private static var path: String {
    let user = UserAccount.current().map { "\($0.user)" } ?? "demo"
    return "/tmp/termind-demo-\(user)"
  }
}
