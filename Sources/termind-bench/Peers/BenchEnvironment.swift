import TermindInfrastructure

/// The environment of every measured program: the same, and nothing of the person's own.
enum BenchEnvironment {
  /// The variables, with a home directory of the bench's own.
  static func variables(home: String) -> [String: String] {
    [
      "PATH": ProcessEnvironment.value(of: "PATH") ?? "/usr/bin:/bin", "HOME": home,
      "SHELL": "/bin/sh", "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8",
      "USER": UserAccount.current()?.name ?? "root",
    ]
  }
}
