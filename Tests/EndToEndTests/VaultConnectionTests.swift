import Glibc
import TermindTestSupport
import Testing

@Suite("Connections of the Vault in a real terminal", .serialized) struct VaultConnectionTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func trust(_ line: String, port: UInt16) throws {
    let key = line.split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(port) \(key)\n")
  }

  private func vault(_ section: String, rows: Int = 24, columns: Int = 80) async throws
    -> TmuxTerminal
  {
    let terminal = try await TmuxTerminal(home, columns: columns, rows: rows)
    try await terminal.wait(for: "Termind")
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "History")
    try await terminal.press(section)
    return terminal
  }

  @Test(
    "a saved password in a locked store: the pane asks for the store's passphrase, and for nothing more"
  )
  func unlocking() async throws {
    let server = try await ScriptedSSHServer()
    try home.folder.write("password", "secret\n")
    try home.folder.write("passphrase", "open sesame\n")
    let command =
      "exec \(home.program) identity add --name deploy --user pw --password-fd 3 --unlock-fd 4"
      + " 3< \(home.folder.file("password")) 4< \(home.folder.file("passphrase"))"
    try await TestProgram.run("/bin/sh", ["-c", command], environment: home.variables)
    try await home.run(
      "host",
      "add",
      "--name",
      "web",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--identity",
      "deploy"
    )
    let terminal = try await TmuxTerminal(home, ["open", "web"], columns: 80, rows: 24)
    try await terminal.trust()
    let rows = try await terminal.wait(for: "Unlock the secrets")
    #expect(rows.contains("What signs pw in"))
    #expect(rows.contains("esc go on without"))
    try await terminal.type("wrong\n")
    try await terminal.wait(for: "That did not open the secrets.")
    try await terminal.type("open sesame")
    let typed = try await terminal.wait(for: "•••••••••••")
    #expect(!typed.contains("sesame"))
    try await terminal.press("Enter")
    let connected = try await terminal.wait(for: "● up")
    #expect(!connected.contains("Password for"))
    try await terminal.type("shout")
    try await terminal.wait(for: "SHOUT")
  }

  @Test(
    "a prompt in a pane of one row is seen while it is typed into, and no absent agent is mentioned"
  )
  func narrowPrompt() async throws {
    let server = try await ScriptedSSHServer()
    let terminal = try await TmuxTerminal(home, ["ssh", "-p", "\(server.port)", "pw@127.0.0.1"])
    try await terminal.trust()
    let rows = try await terminal.wait(for: "assword")
    #expect(!rows.contains("agent"))
    try await terminal.resize(columns: 40, rows: 4)
    try await terminal.wait("the small size") { $0.count == 4 }
    try await terminal.type("secret")
    try await terminal.wait(for: "••••••")
    try await terminal.resize(columns: 20, rows: 5)
    try await terminal.wait("the dots at 20 columns") { $0.count == 5 && $0.contains("••••••") }
    try await terminal.press("Enter")
    _ = try await home.poll("the login", { try await $0.panes() }) { $0.first?.state == "up" }
  }

  @Test("a key is installed on a host from its own screen, once, with the right permissions")
  func installing() async throws {
    let server = try await OpenSSHServer()
    try trust(try server.hostKeyLine(), port: server.port)
    let key = home.folder.file("laptop")
    try await OpenSSHServer.makeKey(key, type: "ed25519")
    try await home.run("key", "add", "--name", "laptop", "--file", key)
    try await home.run(
      "host",
      "add",
      "--name",
      "web",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey
    )
    let terminal = try await vault("3")
    try await terminal.wait(for: "laptop")
    try await terminal.press("I")
    try await terminal.wait(for: "Install laptop on which host?")
    try await terminal.press("Enter")
    try await terminal.wait(for: "accepts laptop now")
    let path = server.folder.file("home/.ssh/authorized_keys")
    let blob = try TemporaryFolder.read("\(key).pub").split(separator: " ")[1]
    #expect(try TemporaryFolder.read(path).contains(blob))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try await terminal.press("I")
    try await terminal.wait(for: "Install laptop on which host?")
    try await terminal.press("Enter")
    try await terminal.wait(for: "accepted laptop already")
    #expect(try TemporaryFolder.read(path).split(separator: "\n").count == 1)
  }

  @Test("a test from the list tells success, and what a Telnet host lacks", arguments: [24, 50])
  func testing(rows: Int) async throws {
    let server = try await OpenSSHServer()
    try await home.run(
      "host",
      "add",
      "--name",
      "web",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey
    )
    try await home.run(
      "host",
      "add",
      "--name",
      "zold",
      "--address",
      "127.0.0.1",
      "--protocol",
      "telnet"
    )
    let terminal = try await vault("1", rows: rows, columns: rows == 24 ? 80 : 200)
    try await terminal.wait(for: "zold")
    try await terminal.press("t")
    try await terminal.trust()
    let done = try await terminal.wait(for: "It works: signed in as \(OpenSSHServer.user)")
    #expect(done.contains("ms."))
    // Trust that was given to a test is not remembered.
    #expect(try await !home.run("known-host", "list").contains("\(server.port)"))
    try await terminal.press("Escape")
    try await terminal.wait(without: "ctrl+s save")
    // From the form it is a test of what is typed there.
    try await terminal.press("e")
    try await terminal.wait(for: "ctrl+s save")
    try await terminal.press("C-t")
    try await terminal.trust()
    try await terminal.wait(for: "It works: signed in as \(OpenSSHServer.user)")
    try await terminal.press("Escape")
    try await terminal.wait(without: "ctrl+s save")
    try await terminal.press("Down", "t")
    try await terminal.wait(for: "is a Telnet host")
  }

  @Test(
    "a host that is deleted while its pane asks still connects, and a refused key is logged by its fingerprint"
  )
  func deletedAndLogged() async throws {
    let server = try await OpenSSHServer(listeningOn: ["127.0.0.1", "127.0.0.2"])
    try await home.run(
      "host",
      "add",
      "--name",
      "web",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey
    )
    let terminal = try await TmuxTerminal(home, ["open", "web"])
    try await terminal.wait(for: "SHA256:")
    try await home.run("host", "rm", "web")
    try await terminal.press("Tab", "Enter")
    try await terminal.waitForConnection()
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("127.0.0.2:\(server.port)")
    try await terminal.wait(for: "Connect to 127.0.0.2")
    try await terminal.press("Enter")
    try await terminal.wait(for: "This host is new.")
    try await terminal.press("Enter")
    try await terminal.wait(for: "not trusted")
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    let log = try TemporaryFolder.read(home.folder.file("home/state/termind.log"))
    #expect(log.contains("hostKeyRejected(ssh-ed25519 SHA256:"))
    #expect(!log.contains("blob"))
    #expect(!log.contains("history was not written"))
  }
}
