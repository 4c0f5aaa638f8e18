import TermindDomain
import Testing

@testable import TermindInfrastructure

@Suite("What a local program finds around it") struct LocalProgramSurroundingsTests {
  private let account = UserAccount(user: 1, name: "ann", home: "/home/ann", shell: "/bin/sh")

  private func environment(_ server: [String: String], extra: [String: String] = [:]) -> [String:
    String]
  {
    LocalProgramSurroundings.environment(
      of: LocalProgramRequest(
        .loginShell,
        environment: extra,
        size: TerminalDimensions(rows: 1, columns: 1)
      ),
      server: server,
      version: "1",
      directory: "/there",
      account: account,
      shell: "/bin/zsh"
    )
  }

  @Test("marks of the outer terminal and of a service manager do not reach the program")
  func dropped() {
    let found = environment([
      "TERM": "tmux", "TMUX": "x", "STY": "y", "KITTY_WINDOW_ID": "1", "WEZTERM_PANE": "2",
      "GHOSTTY_RESOURCES_DIR": "g", "NOTIFY_SOCKET": "n", "LINES": "3", "SHLVL": "4",
    ])
    let names = Set(found.keys)
    for name in [
      "TMUX", "STY", "KITTY_WINDOW_ID", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR",
      "NOTIFY_SOCKET", "LINES", "SHLVL",
    ] { #expect(!names.contains(name), "\(name)") }
    #expect(found["TERM"] == "xterm-256color")
  }

  @Test("what belongs to the person stays, and what was asked for wins")
  func kept() {
    let found = environment(
      ["PATH": "/bin", "NO_COLOR": "1", "TERMIND_HOME": "/t", "LANG": "de_DE.UTF-8"],
      extra: ["LANG": "C.UTF-8", "DISPLAY": ":1"]
    )
    #expect(found["PATH"] == "/bin")
    #expect(found["NO_COLOR"] == "1")
    #expect(found["TERMIND_HOME"] == "/t")
    #expect(found["LANG"] == "C.UTF-8")
    #expect(found["DISPLAY"] == ":1")
    #expect(found["HOME"] == "/home/ann")
    #expect(found["SHELL"] == "/bin/zsh")
    #expect(found["PWD"] == "/there")
  }

  @Test("the shell is the one that can be run")
  func shell() {
    #expect(LocalProgramSurroundings.shell(variable: "/bin/bash", account: account) == "/bin/bash")
    #expect(LocalProgramSurroundings.shell(variable: "/no/shell", account: account) == "/bin/sh")
    #expect(LocalProgramSurroundings.shell(variable: "bash", account: nil) == "/bin/sh")
  }

  @Test("the directory is the first that can be entered")
  func directory() {
    #expect(LocalProgramSurroundings.directory([nil, "/no/such", "/usr", "/"]) == "/usr")
    #expect(LocalProgramSurroundings.directory(["relative", "/etc/passwd"]) == "/")
  }
}
