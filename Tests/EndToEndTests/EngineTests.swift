import Glibc
import TermindTestSupport
import Testing

@Suite("The engine of a connection in a real terminal", .serialized) struct EngineTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  @Test(
    "a server beyond libssh2 is reached with OpenSSH by itself; frame, details, ctl and doctor say so and why"
  )
  func other() async throws {
    let server = try await OpenSSHServer(["KexAlgorithms sntrup761x25519-sha512@openssh.com"])
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.wait(for: "● up · OpenSSH")
    try await terminal.type("echo remote-$((6*7))\n")
    try await terminal.wait(for: "remote-42")
    try await terminal.leader("I")
    let details = try await terminal.wait(for: "Engine")
    #expect(details.contains("\(OpenSSHServer.user)@127.0.0.1:\(server.port)"))
    #expect(details.contains { $0.contains("Engine") && $0.contains("OpenSSH") })
    #expect(details.contains("key exchange"))
    try await terminal.press("Escape")
    try await terminal.wait(without: "Engine")
    let panes = try await home.verb("panes", "--json")
    #expect(panes.contains("\"engine\":\"OpenSSH "))
    #expect(panes.contains("\"engineReason\":\"") && panes.contains("key exchange"))
    let doctor = try await TmuxTerminal(home, ["doctor"], columns: 160, rows: 60)
    let told = try await doctor.wait(for: ", since ")
    #expect(told.contains { $0.contains("127.0.0.1") && $0.contains("OpenSSH") })
    // What was learned is kept: the next server does not try in vain, and asks nothing.
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    let again = try await TmuxTerminal(home, TmuxTerminal.words(server))
    try await again.wait(for: "● up · OpenSSH")
  }

  @Test("the usual engine is named in the details alone, with the way")
  func usual() async throws {
    let (jump, server) = (try await OpenSSHServer(), try await OpenSSHServer())
    // As with OpenSSH, the way to the jump host is what is usual here: the key in the home.
    try home.install(key: jump.userKey)
    let words = ["ssh", "-J", "\(OpenSSHServer.user)@127.0.0.1:\(jump.port)"]
    let terminal = try await TmuxTerminal(home, words + TmuxTerminal.words(server).dropFirst())
    for hop in ["hop 1 of 2: ", "hop 2 of 2: "] {
      try await terminal.wait(for: hop)
      try await terminal.trust()
    }
    let rows = try await terminal.wait(for: "● up")
    #expect(!rows.contains("up ·"))
    try await terminal.leader("I")
    let details = try await terminal.wait(for: "Engine")
    #expect(details.contains { $0.contains("Engine") && $0.contains("libssh2") })
    #expect(details.contains("127.0.0.1:\(jump.port) › 127.0.0.1:\(server.port)"))
    try await terminal.press("Enter")
    try await terminal.wait(without: "Engine")
  }

  @Test("a server that is killed leaves no ssh behind, and the next one removes its sockets")
  func killed() async throws {
    let server = try await OpenSSHServer(["KexAlgorithms sntrup761x25519-sha512@openssh.com"])
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.wait(for: "● up · OpenSSH")
    let folders = { (home: TerminalHome) in
      home.folder.names("home/run").filter { $0.hasPrefix("ssh-") }
    }
    #expect(folders(home).count == 1)
    let masters = { (home: TerminalHome) async throws -> [Substring] in
      let found = try TestProgram("/usr/bin/pgrep", ["-f", home.folder.file("home/run/ssh-")])
      _ = try await found.waitForExit()
      return found.text.split(separator: "\n")
    }
    #expect(try await !masters(home).isEmpty)
    kill(try home.serverProcess(), SIGKILL)
    _ = try await home.poll("the end of ssh", masters) { $0.isEmpty }
    try await terminal.wait(for: "[exit ")
    // What is in front depends on whether the session was written down already.
    let next = try await TmuxTerminal(home)
    try await next.wait(for: "ctrl+space: p quick open")
    _ = try await home.poll("no sockets of the dead", { folders($0) }) { $0.isEmpty }
  }
}
