import FoundationEssentials
import TermindTestSupport
import Testing

@Suite("Snippets in several places", .serialized) struct SnippetRunTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func save(_ name: String, _ server: OpenSSHServer, port: UInt16? = nil) async throws {
    try await home.run(
      "host",
      "add",
      "--name",
      name,
      "--address",
      "127.0.0.1",
      "--port",
      "\(port ?? server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey,
      "--tag",
      "fleet"
    )
  }

  private func trust(_ server: OpenSSHServer) throws {
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
  }

  @Test("outputs and statuses of hosts stand side by side, and a dead host says why")
  func hosts() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    try await save("web1", server)
    try await save("web2", server)
    try await save("gone", server, port: 1)
    try await home.run(
      "snippet",
      "add",
      "--name",
      "check",
      "--text",
      "echo out-$((40+2)) {{what:one|two}}; exit 3"
    )
    let terminal = try await TmuxTerminal.withShell(home, columns: 160, rows: 40)
    try await terminal.leader("e", "h")
    try await terminal.wait(for: "Run a snippet")
    try await terminal.press("Enter")
    try await terminal.wait(for: "what (one|two)")
    try await terminal.press("C-u")
    try await terminal.type("three")
    try await terminal.press("Enter")
    try await terminal.type("#fleet")
    try await terminal.press("Enter")
    try await terminal.wait(for: "what is one of: one, two")
    try await terminal.press("BTab", "C-u")
    try await terminal.type("two")
    try await terminal.press("Enter", "Enter")
    let rows = try await terminal.wait(for: "3 of 3 ended, 0 well")
    let heads = try #require(
      rows.first { $0.contains("web1") && $0.contains("web2") && $0.contains("gone") }
    )
    #expect(heads.components(separatedBy: "✗ 3").count == 3)
    #expect(heads.contains("✗ refused"))
    #expect(rows.contains { $0.components(separatedBy: "out-42 two").count == 3 })
    try await terminal.press("Escape")
    try await terminal.wait(without: "3 of 3 ended")
  }

  @Test("a run can be cancelled")
  func cancel() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    try await save("web1", server)
    try await home.run("snippet", "add", "--name", "long", "--text", "echo begun; sleep 600")
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("e", "h")
    try await terminal.wait(for: "Run a snippet")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Hosts")
    try await terminal.type("web1")
    try await terminal.press("Enter")
    try await terminal.wait(for: "begun")
    try await terminal.type("c")
    try await terminal.wait(for: "✗ cancelled")
  }

  @Test("panes of a broadcast get it all, have one size where that is wanted, and go by tag")
  func panes() async throws {
    try await home.run("snippet", "add", "--name", "size", "--text", "stty size")
    let terminal = try await TmuxTerminal.withShell(home, columns: 121)
    try await terminal.leader("|")
    try await terminal.wait("two prompts") { rows in
      rows.joined().components(separatedBy: TerminalHome.prompt).count == 3
    }
    try await terminal.leader("-")
    _ = try await home.poll("three panes", { try await $0.panes() }) { $0.count == 3 }
    try await terminal.leader("e", "w")
    try await terminal.leader("e", "z")
    let even = try await home.poll("one size", { try await $0.panes() }) { panes in
      Set(panes.map { "\($0.rows) \($0.columns)" }).count == 1
    }
    try await terminal.leader("e", "s")
    try await terminal.wait(for: "Run a snippet")
    try await terminal.press("Enter")
    let size = "\(even[0].rows) \(even[0].columns)"
    try await terminal.wait("the size in each pane") { rows in
      rows.joined(separator: "\n").components(separatedBy: size).count == 4
    }
    try await terminal.leader("e", "t")
    try await terminal.wait(for: "has a tag")
    try await terminal.leader("e", "z")
    _ = try await home.poll("their own sizes", { try await $0.panes() }) { panes in
      Set(panes.map { "\($0.rows) \($0.columns)" }).count > 1
    }
  }
}
