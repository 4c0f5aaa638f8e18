import TermindTestSupport
import Testing

@Suite("Broadcasts to servers in a real terminal", .serialized) struct BroadcastTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func save(_ name: String, _ server: OpenSSHServer, tag: String? = nil) async throws {
    try await home.run(
      "host",
      "add",
      "--name",
      name,
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey
    )
    if let tag { try await home.run("host", "edit", name, "--tag", tag) }
  }

  private func trust(_ server: OpenSSHServer) throws {
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
  }

  /// Opens a new workspace and waits until a number of its panes is up; all of its panes, in their order.
  private func open(_ words: String..., up: Int) async throws -> [Int] {
    let (status, text) = try await home.control(["open"] + words)
    try #require(status == 0, "\(text)")
    let rows = try await home.poll("\(up) panes up", { try await $0.panes() }) { rows in
      let newest = rows.map(\.workspace).max()
      return rows.count { $0.workspace == newest && $0.kind == "ssh" && $0.state == "up" } == up
    }
    let newest = rows.map(\.workspace).max()
    return rows.filter { $0.workspace == newest }.map(\.id).sorted()
  }

  /// Starts a program in each of some panes that shows the bytes it gets.
  private func showBytes(in panes: [Int]) async throws {
    let script = try home.script(
      "bytes",
      "stty raw -echo; printf 'up-and-'; echo running; exec cat -vT"
    )
    for pane in panes {
      try await home.enter(pane, "clear; \(script)")
      try await home.wait(pane, for: "up-and-running")
    }
  }

  @Test("what is typed and pasted goes to the panes whose host has the tag, and to no other")
  func tag() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    try await save("web1", server, tag: "fleet")
    try await save("plain", server)
    try await save("web2", server, tag: "fleet")
    let terminal = try await TmuxTerminal.withShell(home, columns: 200, rows: 40)
    let panes = try await open("web1", "plain", "web2", up: 3)
    try #require(panes.count == 3)
    let (first, plain, second) = (panes[0], panes[1], panes[2])
    try await showBytes(in: panes)
    try await home.verb("focus", "--pane", "\(first)")
    try await terminal.leader("e", "t")
    let sheet = try await terminal.wait(for: "Broadcast to tag")
    #expect(sheet.contains { $0.contains("fleet") && $0.contains("2 panes") })
    try await terminal.press("Enter")
    let rows = try await terminal.wait(for: "broadcast to 2")
    #expect(rows.contains("web1 ⚡") && rows.contains("web2 ⚡") && !rows.contains("plain ⚡"))
    #expect(rows[0].contains("⚡2"))
    try await terminal.type("typed")
    for pane in [first, second] { try await home.wait(pane, for: "^ *typed$") }
    try await terminal.paste("pasted")
    for pane in [first, second] { try await home.wait(pane, for: "^ *typedpasted$") }
    // The third got nothing before what is typed into it alone, and gives nothing on.
    try await home.verb("focus", "--pane", "\(plain)")
    try await terminal.wait(without: "broadcast to")
    try await terminal.type("alone")
    try await home.wait(plain, for: "^ *alone$")
    try await home.verb("focus", "--pane", "\(first)")
    try await terminal.wait(for: "broadcast to 2")
    try await terminal.leader("e", "o")
    try await terminal.wait(without: "⚡")
    try await terminal.type("one")
    try await home.wait(first, for: "^ *typedpastedone$")
    try await home.verb("focus", "--pane", "\(second)")
    try await terminal.type("two")
    try await home.wait(second, for: "^ *typedpastedtwo$")
    withExtendedLifetime(server) {}
  }

  @Test("an empty pane takes no part in a broadcast to its workspace, nor by itself")
  func emptyPane() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    for name in ["web1", "gone", "web2"] { try await save(name, server) }
    let terminal = try await TmuxTerminal.withShell(home, columns: 200, rows: 40)
    let before = try await open("web1", "gone", "web2", up: 3)
    try await home.verb("focus", "--pane", "\(before[0])")
    try await terminal.leader("E")
    try await terminal.wait(for: "Save as a template")
    try await terminal.press("C-u")
    try await terminal.type("trio")
    try await terminal.press("Enter")
    try await terminal.wait(for: "trio is saved")
    try await home.run("host", "rm", "gone", "--force")
    // The host that is gone leaves an empty pane.
    let panes = try await open("--template", "trio", up: 2)
    let rows = try await home.panes().filter { panes.contains($0.id) }
    let empty = try #require(rows.first { $0.kind == "empty" }?.id)
    let shells = panes.filter { $0 != empty }
    try #require(shells.count == 2)
    try await showBytes(in: shells)
    try await home.verb("focus", "--pane", "\(shells[0])")
    try await terminal.leader("e", "w")
    let shown = try await terminal.wait(for: "broadcast to 2")
    #expect(shown[0].contains("⚡2"))
    // In an empty pane l and Enter would open a shell, c would ask for a host, and Escape would close it.
    try await terminal.type("lc\n")
    for pane in shells { try await home.wait(pane, for: "^ *lc\\^M$") }
    try await home.verb("focus", "--pane", "\(empty)")
    try await terminal.wait(without: "broadcast to")
    try await terminal.leader("e", "e")
    try await terminal.wait(for: "Only a terminal takes part")
    try await home.verb("focus", "--pane", "\(shells[1])")
    try await terminal.wait(for: "broadcast to 2")
    try await terminal.type("end")
    try await terminal.press("Escape")
    for pane in shells { try await home.wait(pane, for: "^ *lc\\^Mend\\^\\[$") }
    #expect(try await home.panes().first { $0.id == empty }?.kind == "empty")
    withExtendedLifetime(server) {}
  }
}
