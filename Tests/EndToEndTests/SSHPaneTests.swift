import Glibc
import TermindTestSupport
import Testing

@Suite("SSH panes in a real terminal", .serialized) struct SSHPaneTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  @Test("asks about a new host key, connects, runs a command, and shows the end")
  func connects() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal(home, TmuxTerminal.words(server))
    let question = try await terminal.wait(for: "SHA256:")
    #expect(question.contains("This host is new."))
    #expect(try await home.panes().map(\.state) == ["asking"])
    // Enter alone trusts nothing; the second button does.
    try await terminal.press("Tab", "Enter")
    try await terminal.waitForConnection()
    let size = try #require(try await home.panes().first)
    try await terminal.type("echo remote-$((6*7)) $TERM $COLORTERM $LANG; stty size\n")
    try await terminal.wait(for: "remote-42 xterm-256color truecolor C.UTF-8")
    try await home.wait(for: "^\(size.rows) \(size.columns)$")
    try await terminal.type("exit 3\n")
    try await terminal.wait(for: "exited 3")
    #expect(try await home.panes().first?.exitStatus == 3)
    // One key starts it again, without a question, under what it said before.
    try await terminal.startAgain(home)
    try await terminal.waitForConnection()
    try await terminal.type("echo again-$((6*7))\n")
    try await terminal.wait(for: "again-42")
    #expect(try await terminal.screen().contains("remote-42"))
  }

  @Test("Enter on the question about a new host rejects it and says so")
  func rejects() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal(home, TmuxTerminal.words(server))
    try await terminal.wait(for: "SHA256:")
    try await terminal.press("Enter")
    let rows = try await terminal.wait(for: "Press r")
    #expect(rows.contains("host key"))
    #expect(try await home.panes().first?.state == "ended")
  }

  @Test("a host key that does not fit on the screen cannot be trusted until it does")
  func tooSmallForTheKey() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal(home, TmuxTerminal.words(server), columns: 36, rows: 10)
    try await terminal.wait(for: "Too small")
    try await terminal.press("Tab", "Enter")
    try await terminal.resize(columns: 100, rows: 30)
    try await terminal.wait(for: "SHA256:")
    #expect(try await home.panes().map(\.state) == ["asking"])
    // The second button still has the focus.
    try await terminal.press("Enter")
    try await terminal.waitForConnection()
  }

  @Test("a changed host key needs a word, and Enter does nothing")
  func changedKey() async throws {
    let first = try await OpenSSHServer()
    let before = try await TmuxTerminal.connected(home, to: first)
    try await home.verb("quit", "--force")
    try await before.wait(for: "[exit 0]")
    first.stop()
    // The same place with another key.
    let second = try await OpenSSHServer(
      ["AuthorizedKeysFile \(first.userKey).pub"],
      port: first.port
    )
    let terminal = try await TmuxTerminal(home, TmuxTerminal.words(second, key: first.userKey))
    let rows = try await terminal.wait(for: "THE HOST KEY HAS CHANGED")
    #expect(rows.filter { $0.contains("SHA256:") }.count == 2)
    try await terminal.press("Enter", "Tab", "Enter", "y", "Enter")
    try await terminal.wait(for: "that is not the word")
    // Before it stands the pane of the server that was quit, as it was left.
    #expect(try await home.panes().map(\.state) == ["ended", "asking"])
    try await terminal.press("C-u")
    try await terminal.type("replace\n")
    try await terminal.waitForConnection()
    try await terminal.type("echo trusted-$((6*7))\n")
    try await terminal.wait(for: "trusted-42")
    withExtendedLifetime(second) {}
  }

  @Test("a key of another type than the known one is asked about on a screen of its own")
  func newKeyType() async throws {
    let first = try await OpenSSHServer()
    let known = try first.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(first.port) \(known)\n")
    first.stop()
    let second = try await OpenSSHServer(
      ["AuthorizedKeysFile \(first.userKey).pub"],
      hostKeyTypes: ["ecdsa"],
      port: first.port
    )
    let words = TmuxTerminal.words(second, key: first.userKey)
    let rejecting = try await TmuxTerminal(home, words)
    let rows = try await rejecting.wait(for: "This host offers a key of another type.")
    // The known key and the offered one stand below each other.
    #expect(rows.filter { $0.contains("SHA256:") }.count == 2)
    #expect(rows.contains { $0.contains("known") && $0.contains("ED25519") }, "\(rows)")
    #expect(rows.contains { $0.contains("offered") && $0.contains("ECDSA") }, "\(rows)")
    #expect(!rows.contains("HAS CHANGED") && !rows.contains("This host is new."))
    // Enter alone trusts nothing.
    try await rejecting.press("Enter")
    try await rejecting.wait(for: "Press r")
    #expect(try await home.panes().map(\.state) == ["ended"])
    try await rejecting.press("r")
    try await rejecting.wait(for: "This host offers a key of another type.")
    try await rejecting.press("Tab", "Enter")
    try await rejecting.waitForConnection()
    // Remembered: the next connection asks nothing.
    let third = try await TmuxTerminal(home, words)
    try await third.waitForConnection()
    withExtendedLifetime(second) {}
  }

  @Test("names the hop, the step and the cause when nobody listens")
  func refused() async throws {
    let port = try FreePort.find()
    let terminal = try await TmuxTerminal(home, ["ssh", "-p", "\(port)", "nobody@127.0.0.1"])
    let rows = try await terminal.wait(for: "Press r")
    #expect(rows.contains("127.0.0.1:\(port)"))
    #expect(rows.contains("refused"))
  }

  @Test(
    "words that name no host are refused where they were typed, and leave no window",
    arguments: [
      (["-Z", "host"], "‘-Z’ is not known", 2), (["-p", "abc", "host"], "‘abc’ is no port", 2),
      (["host", "cmd"], "‘cmd’ stands behind the host", 2), ([""], "No host is named", 2),
      (["no host"], "‘no host’ names no host", 1),
      (["broken"], "leads nowhere for ‘broken’", 1),
    ]
  )
  func wrongWords(words: [String], said: String, status: Int) async throws {
    mkdir(home.folder.file(".ssh"), 0o700)
    try home.folder.write(".ssh/config", "Host broken\n Port none\n")
    let terminal = try await TmuxTerminal(home, ["ssh"] + words)
    let rows = try await terminal.wait(for: "[exit \(status)]")
    #expect(rows.joined().contains(said), "\(rows)")
    guard status == 1 else { return }
    // A saved host may have any name; what the server knows decides.
    #expect(try await home.windows().isEmpty)
    try await home.run("host", "add", "no host", "--address", "127.0.0.1", "--port", "1")
    let saved = try await TmuxTerminal(home, ["ssh", "no host"])
    try await saved.wait(for: "Press r")
  }

  @Test("the bar of the Welcome screen takes the words of ssh")
  func connectBar() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "connect to a host")
    try await terminal.type("-L 1:2:3 host\n")
    try await terminal.wait(for: "-L")
    try await terminal.press("Escape")
    try await terminal.wait(without: "-L")
    try await terminal.type(TmuxTerminal.words(server).dropFirst().joined(separator: " ") + "\n")
    try await terminal.trust()
    try await terminal.waitForConnection()
  }

  @Test("goes through a jump host, and asks about each host's key by itself")
  func jump() async throws {
    let bastion = try await OpenSSHServer()
    let server = try await OpenSSHServer(["AuthorizedKeysFile \(bastion.userKey).pub"])
    let user = OpenSSHServer.user
    // As with OpenSSH, the way to the jump host is what is usual here: the key in the home.
    try home.install(key: bastion.userKey)
    let terminal = try await TmuxTerminal(
      home,
      [
        "ssh", "-J", "\(user)@127.0.0.1:\(bastion.port)",
        "-p", "\(server.port)", "\(user)@127.0.0.1",
      ]
    )
    let first = try await terminal.wait(for: "hop 1 of 2: ")
    #expect(first.contains("127.0.0.1:\(bastion.port)"))
    try await terminal.trust()
    let second = try await terminal.wait(for: "hop 2 of 2: ")
    #expect(second.contains("127.0.0.1:\(server.port)"))
    try await terminal.press("Tab", "Enter")
    try await terminal.waitForConnection()
    try await terminal.type("echo $SSH_CONNECTION | cut -d' ' -f4\n")
    try await home.wait(for: "^\(server.port)$")
  }

  @Test("asks for a password in the pane, without an echo")
  func password() async throws {
    let server = try await ScriptedSSHServer()
    let terminal = try await TmuxTerminal(home, ["ssh", "-p", "\(server.port)", "pw@127.0.0.1"])
    try await terminal.trust()
    try await terminal.wait(for: "assword")
    try await terminal.type("wrong\n")
    try await terminal.wait(for: "not accepted")
    try await terminal.type("secret")
    let rows = try await terminal.wait(for: "••••••")
    #expect(!rows.contains("secret"))
    try await terminal.press("Enter")
    try await terminal.waitForConnection()
    try await terminal.type("shout")
    try await terminal.wait(for: "SHOUT")
  }

  @Test("shows what the server asks, round by round, with its echo")
  func keyboardInteractive() async throws {
    let server = try await ScriptedSSHServer(banner: "Welcome to the lab\n")
    let terminal = try await TmuxTerminal(home, ["ssh", "-p", "\(server.port)", "kbd@127.0.0.1"])
    try await terminal.trust()
    let rows = try await terminal.wait(for: "Round one")
    #expect(rows.contains("Password:"))
    #expect(rows.contains("Name:"))
    try await terminal.type("one")
    try await terminal.press("Tab")
    try await terminal.type("name")
    let filled = try await terminal.wait(for: " name ")
    #expect(filled.contains("•••") && !filled.contains("Password:  one"))
    try await terminal.press("Enter")
    try await terminal.wait(for: "Enter the code")
    try await terminal.type("two")
    try await terminal.wait("the code, which may be seen") { rows in
      rows.contains { $0.contains("Code:") && $0.contains("two") }
    }
    try await terminal.press("Enter")
    try await terminal.waitForConnection()
  }

  @Test("goes on after one of two proofs that a server wants")
  func partialSuccess() async throws {
    let server = try await OpenSSHServer(["AuthenticationMethods publickey,publickey"])
    let second = server.folder.file("second_key")
    try await OpenSSHServer.makeKey(second, type: "ecdsa")
    let accepted = try [server.userKey, second].map { try TemporaryFolder.read("\($0).pub") }
    try server.folder.write("user_key.pub", accepted.joined())
    var words = TmuxTerminal.words(server)
    words.insert(contentsOf: ["-i", second], at: 1)
    let terminal = try await TmuxTerminal(home, words)
    try await terminal.trust()
    try await terminal.waitForConnection()
    #expect(server.log.contains("Partial publickey"))
  }

  @Test("a round without a question is answered by itself")
  func push() async throws {
    let server = try await ScriptedSSHServer()
    let terminal = try await TmuxTerminal(home, ["ssh", "-p", "\(server.port)", "push@127.0.0.1"])
    try await terminal.trust()
    try await terminal.waitForConnection()
    #expect(server.log.contains("ANSWERS push 1"))
  }

  @Test("signs in with a key of the agent that the terminal names")
  func agent() async throws {
    let server = try await OpenSSHServer()
    let socket = home.folder.file("agent.sock")
    let agent = try TestProgram("/usr/bin/ssh-agent", ["-D", "-a", socket])
    try await agent.wait(for: socket)
    try await TestProgram.run(
      "/usr/bin/ssh-add",
      ["-q", server.userKey],
      environment: ["SSH_AUTH_SOCK": socket]
    )
    let terminal = try await TmuxTerminal(
      home,
      ["ssh", "-p", "\(server.port)", "\(OpenSSHServer.user)@127.0.0.1"],
      environment: ["SSH_AUTH_SOCK=\(socket)"]
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    withExtendedLifetime(agent) {}
  }

  @Test("connects to dropbear as well")
  func dropbear() async throws {
    let server = try await DropbearServer()
    let terminal = try await TmuxTerminal(
      home,
      [
        "ssh", "-i", server.folder.file("user_key"), "-p", "\(server.port)",
        "\(OpenSSHServer.user)@127.0.0.1",
      ]
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.type("echo drop-$((6*7))\n")
    try await terminal.wait(for: "drop-42")
  }

  @Test("a border dragged far gives the remote program its last size")
  func dragOverConnection() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.state) == ["up", "up"]
    }
    let rows = try await terminal.wait("two panes") { $0[1].contains("┬") }
    let border = try #require(rows.columns(of: "┬", row: 1).first)
    try await home.enter(1, "yes streaming")
    try await home.wait(1, for: "^streaming")
    try await terminal.mouse(.press(row: 10, column: border))
    for step in 1...20 { try await terminal.mouse(.drag(row: 10, column: border - step)) }
    try await terminal.mouse(.release(row: 10, column: border - 20))
    try await terminal.wait("the border drawn once") {
      $0.columns(of: "┬", row: 1) == [border - 20]
    }
    try await terminal.leader("h")
    try await terminal.press("C-c")
    let size = try #require(try await home.panes().first)
    try await home.enter(1, "clear; stty size")
    try await home.wait(1, for: "^\(size.rows) \(size.columns)$")
  }
}
