import TermindInfrastructure

/// Where the demonstration keeps its data: never among the person's own.
enum DemoHome {
  /// Sets `TERMIND_HOME`, unless the person did, so that this client and its server use it.
  static func adopt() {
    guard ProcessEnvironment.value(of: "TERMIND_HOME") == nil else { return }
    let user = UserAccount.current().map { "\($0.user)" } ?? "demo"
    ProcessEnvironment.set("TERMIND_HOME", to: "/tmp/termind-demo-\(user)")
  }
}
