import TermindTestSupport
import Testing

@Suite("SSH panes in a real terminal") struct SSHPaneTests {
  @Test("asks about a new host key, connects, runs a command, and shows the end")
  func connects() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal(
      try TerminalHome(),
      ["ssh", "-i", server.userKey, "-p", "\(server.port)", "\(OpenSSHServer.user)@127.0.0.1"],
      columns: 100,
      rows: 30
    )
    let question = try await terminal.wait(for: "SHA256:")
    #expect(!question.contains { $0.contains("THE HOST KEY HAS CHANGED") })
    // Enter alone trusts nothing; the second button does.
    try await terminal.press("Tab")
    try await terminal.press("Enter")
    try await terminal.wait("the connection") { rows in rows.contains { $0.contains("● up") } }
    try await terminal.type("echo remote-$((6*7))\n")
    try await terminal.wait(for: "remote-42")
    try await terminal.type("exit 3\n")
    try await terminal.wait(for: "exited 3")
  }

  @Test("names the hop, the step and the cause when nobody listens")
  func refused() async throws {
    let port = try FreePort.find()
    let terminal = try await TmuxTerminal(
      try TerminalHome(), ["ssh", "-p", "\(port)", "nobody@127.0.0.1"], columns: 100, rows: 30)
    let rows = try await terminal.wait(for: "refused")
    #expect(rows.contains { $0.contains("127.0.0.1:\(port)") })
    #expect(rows.contains { $0.contains("Press r") })
  }

  @Test("an option that is not known is refused by name")
  func unknownOption() async throws {
    let terminal = try await TmuxTerminal(try TerminalHome(), ["ssh", "-Z", "host"])
    try await terminal.wait(for: "-Z")
  }
}
