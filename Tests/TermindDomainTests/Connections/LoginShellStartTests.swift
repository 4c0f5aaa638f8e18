import TermindDomain
import Testing

@Suite("Login shells") struct LoginShellTests {
  @Test("without a wish there is no command")
  func nothing() { #expect(LoginShellStart(in: nil, isIntegrated: false) == nil) }

  @Test("the command with everything in it fits into what small servers take")
  func length() throws {
    let directory = StartDirectory("/srv/" + String(repeating: "directory/", count: 20))
    let command = try #require(LoginShellStart(in: directory, isIntegrated: true)).command
    #expect(command.utf8.count < 9_000)
  }

  @Test("only shells that are known are given a script", arguments: ["/bin/sh", "/bin/tcsh", ""])
  func others(shell: String) { #expect(LoginShellStart.localScript(for: shell) == nil) }

  @Test("a host has its say before the setting, which includes hosts only when it is on")
  func scopes() {
    for scope in ShellIntegrationScope.allCases {
      #expect(scope.includesHost(.standard) == (scope == .on))
      #expect(scope.includesHost(.enabled))
      #expect(!scope.includesHost(.disabled))
    }
  }
}
