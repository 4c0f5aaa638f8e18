import Glibc
import TermindTestSupport
import Testing

@Suite("What a saved host wishes for, in a pane", .serialized) struct HostWishesTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  /// Saves a host on a server whose key is known already.
  private func save(_ name: String, _ server: OpenSSHServer, _ options: String...) async throws {
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
    let words =
      [
        "host", "add", "--name", name, "--address", "127.0.0.1", "--port", "\(server.port)",
        "--user", OpenSSHServer.user, "--key-file", server.userKey,
      ] + options
    try await TestProgram.run(home.program, words, environment: home.variables)
  }

  @Test(
    "its shell starts in the directory, has the variables, and runs the snippet; a recovery leaves that out"
  )
  func all() async throws {
    let server = try await OpenSSHServer(["AcceptEnv APP_*"])
    let place = server.folder.file("we ird")
    mkdir(place, 0o700)
    try await home.run(
      "snippet",
      "add",
      "--name",
      "hello",
      "--text",
      "echo ran-{{what=it}}-$((40+2))\n"
    )
    try await save(
      "web",
      server,
      "--directory",
      place,
      "--env",
      "APP_MODE=a b",
      "--env",
      "REFUSED=x",
      "--snippet",
      "hello",
      "--color",
      "red",
      "--theme",
      "Gruvbox Light"
    )
    let terminal = try await TmuxTerminal(
      home,
      ["open", "web"],
      environment: ["COLORTERM=truecolor"]
    )
    try await terminal.wait(for: "ran-it-42")
    try await terminal.type("echo \"[$APP_MODE] [$PWD]\"\n")
    try await terminal.wait(for: "[a b] [\(place)]")
    let notes = try #require(try await home.panes().first?.notes)
    #expect(notes.count == 1 && notes[0].contains("REFUSED"))
    #expect(try await terminal.screen()[1].contains("▎web"))
    // The pane has its own theme, light, while the window's is dark.
    #expect(try await terminal.styledScreen().contains("48;2;251;241;199"))
    // A crash of the server's side: directory and variables come back, the snippet does not.
    try await terminal.type("clear; sleep 0.1; kill -9 $PPID\n")
    _ = try await home.poll("the loss", { try await $0.panes() }) { $0.first?.state != "up" }
    try await terminal.waitForConnection()
    try await terminal.type("echo \"again [$APP_MODE] [$PWD]\"\n")
    let rows = try await terminal.wait(for: "again [a b] [\(place)]")
    #expect(!rows.contains("ran-it"))
  }

  @Test("a directory that is missing leaves the shell at home, in words and in the notes")
  func missing() async throws {
    let server = try await OpenSSHServer()
    try await save("web", server, "--directory", "/no/such/place")
    let terminal = try await TmuxTerminal(home, ["open", "web"])
    try await terminal.wait(for: "The start directory /no/such/place cannot be entered")
    try await terminal.type("pwd\n")
    try await terminal.wait(for: server.folder.file("home"))
    #expect(try await home.panes().first?.notes?.count == 1)
  }

  @Test(
    "its files are shown from the same directory, and from home with the reason where there is none"
  )
  func files() async throws {
    let server = try await OpenSSHServer()
    let place = server.folder.file("we ird")
    mkdir(place, 0o700)
    try server.folder.write("we ird/inside", "")
    try await save("web", server, "--directory", place)
    try await save("gone", server, "--directory", "/no/such/place")
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "web", "gone", "--layout", "columns"],
      columns: 200
    )
    try await terminal.wait(for: "inside")
    try await terminal.wait(for: "/no/such/place")
    let panes = try await home.poll("both", { try await $0.panes() }) { panes in
      panes.count == 2 && panes.allSatisfy { $0.directory != nil }
    }
    #expect(panes[0].directory == place)
    #expect(panes[1].directory?.hasPrefix("/no") == false)
  }

  @Test("a dispatcher that knows no such command gives its own shell after all")
  func dispatcher() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "dispatch",
      "#!/bin/sh\n[ -z \"$SSH_ORIGINAL_COMMAND\" ] && exec /bin/sh\necho denied; exit 126\n",
      mode: 0o755
    )
    let server = try await OpenSSHServer(["ForceCommand \(script)"])
    try await save("web", server, "--directory", "/tmp")
    let terminal = try await TmuxTerminal(home, ["open", "web"])
    try await terminal.wait(for: "runs no command for the start directory")
    _ = try await home.poll("the other shell", { try await $0.panes() }) {
      $0.first?.notes?.first?.contains("was not used") == true
    }
    try await terminal.type("echo shell-$((40+2))\n")
    try await terminal.wait(for: "shell-42")
    #expect(try await home.panes().first?.state == "up")
  }

  @Test("a forced program that goes on is left alone, and is not run a second time when it ends")
  func forced() async throws {
    let server = try await OpenSSHServer(["ForceCommand echo menu; read line; exit 3"])
    try await save("web", server, "--directory", "/tmp")
    let terminal = try await TmuxTerminal(home, ["open", "web"])
    try await terminal.wait(for: "menu")
    #expect(try await home.panes().first?.notes?.first?.contains("program of its own") == true)
    try await terminal.press("Enter")
    let rows = try await terminal.wait(for: "exited 3")
    #expect(rows.filter { $0.hasPrefix("menu") || $0.contains("│menu") }.count == 1)
  }

  @Test(
    "a snippet with a place that nothing fills asks in the pane, and is sent filled in, or not at all"
  )
  func placeholder() async throws {
    let server = try await OpenSSHServer()
    try await home.run(
      "snippet",
      "add",
      "--name",
      "ask",
      "--text",
      "echo got-{{who}}-{{what=it}}-$((40+2))"
    )
    try await save("web", server, "--snippet", "ask")
    let terminal = try await TmuxTerminal(home, ["open", "web"])
    let rows = try await terminal.wait(for: "This host runs the snippet first").joined()
    #expect(rows.contains("who") && rows.contains("what"))
    #expect(try await home.panes().first?.state == "up")
    try await terminal.type("me")
    try await terminal.press("Enter", "Enter")
    try await terminal.wait(for: "got-me-it-42")
    #expect(try await home.panes().first?.notes?.isEmpty != false)
    // The question of a shell that ends goes with it, and giving it up leaves a word.
    let second = try await TmuxTerminal(home, ["open", "web"], columns: 160)
    try await second.wait(for: "This host runs the snippet first")
    try await second.press("Escape")
    try await second.wait(for: "it was not filled in")
    try await second.type("echo shell-$((40+2))\n")
    try await second.wait(for: "shell-42")
    let third = try await TmuxTerminal(home, ["open", "web"])
    try await third.wait(for: "This host runs the snippet first")
    try server.signalSessions(SIGKILL)
    _ = try await home.poll("the loss", { try await $0.panes() }) {
      $0.contains { $0.state != "up" }
    }
    try await third.waitForConnection()
    try await third.type("echo again-$((40+2))\n")
    let left = try await third.wait(for: "again-42").joined()
    #expect(!left.contains("This host runs"))
  }

  @Test("ssh_config's variables and command count for a host that is not saved")
  func sshConfig() async throws {
    let server = try await OpenSSHServer(["AcceptEnv APP_*"])
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
    try home.folder.write(
      ".ssh/config",
      """
      Host alias
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile \(server.userKey)
        SetEnv APP_MODE=set
        RemoteCommand echo "mode [$APP_MODE] on %n"; cat
      """,
      mode: 0o600
    )
    let terminal = try await TmuxTerminal(home, ["ssh", "alias"])
    try await terminal.wait(for: "mode [set] on alias")
    try await terminal.press("C-d")
    try await terminal.wait(for: "The command has ended.")
  }

  @Test("a Telnet host is refused in words: as a command, in a pane beside others, and at a test")
  func telnet() async throws {
    let server = try await OpenSSHServer()
    try await save("web", server)
    try await home.run(
      "host",
      "add",
      "--name",
      "old",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--protocol",
      "telnet"
    )
    let alone = try await TmuxTerminal(home, ["open", "old"])
    try await alone.wait(for: "Telnet sessions cannot be opened yet")
    try await alone.wait(for: "[exit 1]")
    let terminal = try await TmuxTerminal(home, ["open", "old", "web"], columns: 180, rows: 40)
    try await terminal.wait(for: "is a Telnet host")
    _ = try await home.poll("one up, one refused", { try await $0.panes() }) {
      $0.map(\.state).sorted() == ["ended", "up"]
    }
    #expect(!server.log.contains("Bad protocol"))
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("@old")
    try await terminal.wait(for: "1/")
    try await terminal.press("Enter")
    _ = try await home.poll("a pane with the reason", { try await $0.panes() }) { $0.count == 3 }
    // Once it is an SSH host, its own key opens it.
    try await home.run(
      "host",
      "edit",
      "old",
      "--protocol",
      "ssh",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey
    )
    try await terminal.press("r")
    _ = try await home.poll("the host", { try await $0.panes() }) {
      $0.filter { $0.state == "up" }.count == 2
    }
  }

  @Test("hosts that jump in a circle are refused where they are saved")
  func cycle() async throws {
    let refused = try TestProgram(
      home.program,
      ["host", "add", "--name", "self", "--address", "127.0.0.1", "--jump", "self"],
      environment: home.variables
    )
    #expect(try await refused.waitForExit() != 0)
    #expect(refused.text.contains("self"))
    try await home.run("host", "add", "--name", "a", "--address", "127.0.0.1", "--jump", "b")
    let second = try TestProgram(
      home.program,
      ["host", "add", "--name", "b", "--address", "127.0.0.1", "--jump", "a"],
      environment: home.variables
    )
    #expect(try await second.waitForExit() != 0)
    #expect(second.text.contains("a"))
  }
}
