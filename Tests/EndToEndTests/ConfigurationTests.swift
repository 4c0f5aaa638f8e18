import TermindTestSupport
import Testing

@Suite("The configuration of a running server", .serialized) struct ConfigurationTests {
  @Test("reading it again reaches open panes, keys and looks, and says what is wrong")
  func reload() async throws {
    let home = try TerminalHome()
    try home.write(configuration: "scrollback-lines = 500\n")
    let terminal = try await TmuxTerminal.withShell(home)
    try await home.enter(1, "clear; for n in $(seq 1 400); do echo line-$n; done; echo al''l")
    try await home.wait(1, for: "^all$")
    func kept() async throws -> Int {
      try await home.verb("capture", "--scrollback").split(separator: "\n")
        .count { $0.hasPrefix("line-") }
    }
    #expect(try await kept() == 400)
    try home.write(configuration: "scrollback-lines = 50\nkeybind = leader>y>z=zoom\n")
    try await terminal.leader("C-r")
    try await terminal.wait(for: "The configuration was read again.")
    #expect(try await (50...80).contains(kept()))
    // The new key is in force.
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) { $0.count == 2 }
    try await terminal.leader("y", "z")
    _ = try await home.poll("the zoom", { try await $0.workspaces() }) {
      $0.contains(where: \.zoomed)
    }
    try home.write(configuration: "scrollback-lines = many\n")
    try await terminal.leader("C-r")
    try await terminal.wait(for: "'scrollback-lines' is a number from 0 to 1000000")
  }
}
