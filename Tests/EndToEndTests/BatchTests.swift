import TermindTestSupport
import Testing

@Suite("Quick Open, Batch Startup and what is saved", .serialized) struct BatchTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  /// Saves hosts on loopback addresses, whose keys are known already.
  private func save(_ server: OpenSSHServer, _ hosts: [(name: String, address: String)])
    async throws
  {
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    let known = hosts.map { "[\($0.address)]:\(server.port) \(key)\n" }.joined()
    try home.write(knownHosts: known)
    for host in hosts {
      try await home.run(
        "host",
        "add",
        "--name",
        host.name,
        "--address",
        host.address,
        "--port",
        "\(server.port)",
        "--user",
        OpenSSHServer.user,
        "--key-file",
        server.userKey,
        "--tag",
        "farm"
      )
    }
  }

  @Test(
    "marked hosts start together in one workspace; a dead one keeps its pane, its reason and its key"
  )
  func batch() async throws {
    let server = try await OpenSSHServer(listeningOn: ["127.0.0.2", "127.0.0.3", "127.0.0.4"])
    let addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]
    try await save(server, addresses.enumerated().map { ("farm\($0.offset + 1)", $0.element) })
    let terminal = try await TmuxTerminal(home, [], columns: 160, rows: 48)
    try await terminal.wait(for: "farm4")
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("@farm")
    try await terminal.wait(for: "Quick Open: hosts")
    for count in 1...4 {
      try await terminal.press("Tab")
      try await terminal.wait(for: "\(count) marked")
    }
    try await terminal.press("Enter")
    let panes = try await home.poll("three hosts up and one refused", { try await $0.panes() }) {
      panes in
      panes.count == 4 && panes.filter { $0.state == "up" }.count == 3
        && panes.contains { $0.state == "ended" }
    }
    #expect(Set(panes.map(\.workspace)).count == 1)
    #expect(try await home.workspaces().map(\.name) == ["farm1 +3"])
    let rows = try await terminal.wait(for: "refused")
    #expect(rows.contains("Press r"))
    // The dead one is tried again by its key, the others go on.
    let dead = try #require(panes.first { $0.state == "ended" })
    try await home.run("ctl", "focus", "--pane", "\(dead.id)")
    try await terminal.press("r")
    _ = try await home.poll("the retry failing as well", { try await $0.panes() }) { panes in
      panes.first { $0.id == dead.id }?.state == "ended"
    }
    #expect(try await home.panes().filter { $0.state == "up" }.count == 3)
    // Five attempts were made, and the history of the Vault has them.
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "History 5")
  }

  @Test("a host that was typed is saved with its account, and then found by its name")
  func saving() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.leader("A")
    try await terminal.wait(for: "Save this host")
    try await terminal.press("C-u")
    try await terminal.press("Enter")
    try await terminal.wait(for: "needs a name")
    try await terminal.type("box")
    try await terminal.press("Enter")
    try await terminal.wait(for: "box is saved")
    let list = try await home.run("host", "list")
    #expect(list.contains("box"))
    #expect(list.contains("\(server.port)"))
    // The account stands in it, also where it is the local one.
    #expect(list.contains(OpenSSHServer.user))
    // Saving it again is refused in words, and Quick Open knows it.
    try await terminal.leader("A")
    try await terminal.wait(for: "a saved host already")
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("@box")
    try await terminal.wait(for: "● box")
    try await terminal.press("C-s")
    _ = try await home.poll("a second pane on it", { try await $0.panes() }) { panes in
      panes.count == 2 && panes.allSatisfy { $0.state == "up" }
    }
    #expect(try await home.workspaces().count == 1)
  }

  @Test(
    "other keys of Quick Open take a host into a split, into a workspace of its own, or as files"
  )
  func placements() async throws {
    let server = try await OpenSSHServer()
    try await save(server, [("box", "127.0.0.1")])
    let terminal = try await TmuxTerminal(home, [], columns: 160, rows: 48)
    try await terminal.wait(for: "box")
    for (count, key) in ["Enter", "C-s", "C-t", "C-f"].enumerated() {
      try await terminal.leader("p")
      try await terminal.wait(for: "Quick Open")
      try await terminal.type("@box")
      try await terminal.wait(for: "Quick Open: hosts")
      try await terminal.press(key)
      _ = try await home.poll("pane \(count + 1)", { try await $0.panes() }) { panes in
        panes.count == count + 1 && panes.allSatisfy { $0.state == "up" }
      }
    }
    let panes = try await home.panes()
    #expect(panes.map(\.kind) == ["ssh", "ssh", "ssh", "sftp"])
    #expect(panes[0].workspace == panes[1].workspace)
    #expect(panes[1].workspace != panes[2].workspace)
  }

  @Test("a workspace becomes a template, and the template a workspace of the same shape")
  func template() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("|")
    try await terminal.leader("-")
    _ = try await home.poll("three panes", { try await $0.panes() }) { $0.count == 3 }
    try await terminal.leader("E")
    try await terminal.wait(for: "Save as a template")
    try await terminal.press("C-u")
    try await terminal.type("trio")
    try await terminal.press("Enter")
    try await terminal.wait(for: "trio is saved")
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("trio")
    try await terminal.wait(for: "template, 3 panes")
    try await terminal.press("Enter")
    let spaces = try await home.poll("the new workspace", { try await $0.workspaces() }) {
      $0.count == 2
    }
    #expect(spaces.map(\.name).contains("trio"))
    let panes = try await home.panes()
    #expect(panes.count == 6)
    let sizes = Dictionary(grouping: panes, by: \.workspace).values.map { group in
      group.sorted { $0.id < $1.id }.map { "\($0.rows)x\($0.columns)" }
    }
    #expect(sizes[0] == sizes[1])
  }

  @Test("a snippet asks for what it lacks and waits for Enter")
  func snippet() async throws {
    try await home.run(
      "snippet",
      "add",
      "--name",
      "greet",
      "--text",
      "echo {{who=world}}-$((40+2))"
    )
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("%greet")
    try await terminal.wait(for: "Quick Open: snippets")
    try await terminal.press("Enter")
    try await terminal.wait(for: "enter insert")
    try await terminal.press("Enter")
    try await terminal.wait(for: "echo world-$((40+2))")
    try await terminal.press("Enter")
    try await terminal.wait(for: "world-42")
  }

  @Test("an open list shows what is saved meanwhile, and keeps what was typed")
  func growing() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("@lately")
    try await terminal.wait(for: "Connect to lately")
    try await home.run("host", "add", "--name", "lately-saved", "--address", "127.0.0.9")
    let rows = try await terminal.wait(for: "lately-saved")
    #expect(rows.contains("› @lately"))
  }

  @Test("an address that is no saved host is offered, and prefixes narrow the list")
  func typed() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("127.0.0.9:9")
    try await terminal.wait(for: "Connect to 127.0.0.9:9")
    try await terminal.press("C-u")
    try await terminal.type(">zoom")
    let rows = try await terminal.wait(for: "Quick Open: actions")
    #expect(!rows.contains("Connect to"))
    try await terminal.press("C-u")
    try await terminal.type("#")
    let spaces = try await terminal.wait(for: "Quick Open: workspaces")
    #expect(spaces.contains("pane in workspace") || spaces.contains("▣"))
    #expect(!spaces.contains("Connect to"))
    try await terminal.press("C-u")
    try await terminal.type("127.0.0.9:9")
    try await terminal.wait(for: "Connect to 127.0.0.9:9")
    try await terminal.press("Enter")
    try await terminal.wait(for: "refused")
  }

  @Test("hosts that are started together ask one after another, and the focus follows")
  func questions() async throws {
    let server = try await OpenSSHServer(listeningOn: ["127.0.0.2", "127.0.0.3", "127.0.0.4"])
    try await save(server, (2...4).map { ("ask\($0)", "127.0.0.\($0)") })
    // Nothing is known about their keys: each of them has to be asked about.
    try home.write(knownHosts: "")
    let terminal = try await TmuxTerminal(home, ["open", "--tag", "farm"], columns: 200, rows: 50)
    try await terminal.wait(for: "This host is new.")
    for left in [3, 2, 1] {
      let panes = try await home.poll("one question", { try await $0.panes() }) { panes in
        panes.filter { $0.state == "asking" }.count == 1
          && panes.filter { $0.state == "up" }.count == 3 - left
      }
      let asking = try #require(panes.first { $0.state == "asking" })
      #expect(try await home.focus() == asking.id)
      let rows = try await terminal.wait(for: "SHA256:")
      #expect(rows.filter { $0.contains("This host is new.") }.count == 1)
      if left > 1 { try await terminal.wait(for: "waits to ask") }
      try await terminal.press("Tab", "Enter")
    }
    _ = try await home.poll("all of them up", { try await $0.panes() }) { panes in
      panes.count == 3 && panes.allSatisfy { $0.state == "up" }
    }
  }
}
