import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("A restart, in a real terminal", .serialized) struct RestoringTests {
  let home: TerminalHome
  private var session: String { home.folder.file("home/state/session.json") }

  init() throws { home = try TerminalHome() }

  /// A window with two shells of a server beside each other, and a local one in a workspace behind.
  private func started(_ server: OpenSSHServer) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await home.enter(1, "echo first-$((6*7))")
    try await home.wait(1, for: "^first-42")
    try await terminal.leader("|")
    try await up(2)
    try await home.enter(2, "echo second-$((6*7))")
    try await home.wait(2, for: "^second-42")
    try await home.verb("rename", "--workspace", "1", "two shells")
    try await terminal.leader("Enter")
    _ = try await home.poll("the local shell", { try await $0.panes() }) { $0.count == 3 }
    try await home.wait(3, for: TerminalHome.prompt)
    try await home.enter(3, "cd /usr/share; echo local-$((6*7))")
    try await home.wait(3, for: "^local-42")
    try await terminal.leader("1")
    return terminal
  }

  private func up(_ count: Int) async throws {
    _ = try await home.poll("\(count) live panes", { try await $0.panes() }) { panes in
      panes.count { $0.state == "up" } == count
    }
  }

  private func expectRestored(_ terminal: TmuxTerminal) async throws {
    try await terminal.wait("the last session") { rows in
      let text = rows.joined(separator: "\n")
      return text.contains("two shells") && text.contains("first-42") && text.contains("second-42")
        && text.contains("not connected")
    }
    let panes = try await home.panes()
    #expect(panes.map(\.kind).sorted() == ["shell", "ssh", "ssh"])
    #expect(panes.map(\.state) == ["ended", "ended", "ended"])
    #expect(try await home.workspaces().map(\.name) == ["two shells", "2"])
  }

  @Test("after quit, windows are back with their text, and one key starts each pane")
  func quit() async throws {
    let server = try await OpenSSHServer()
    let old = try await started(server)
    try await home.verb("quit", "--force")
    try await old.wait(for: "[exit 0]")
    let terminal = try await TmuxTerminal(home)
    try await expectRestored(terminal)
    // The workspace behind: Enter starts its shell, in the directory where it was.
    try await terminal.leader("2")
    try await terminal.wait(for: "not started")
    try await terminal.press("Enter")
    try await terminal.wait(for: "what is above comes from the last session")
    try await terminal.type("pwd\n")
    try await home.wait(3, for: "^(ready> )?/usr/share$")
    // One key connects all, under their old text.
    try await terminal.leader("1")
    try await terminal.leader("R")
    try await up(3)
    try await terminal.wait(for: "second-42")
    // A second terminal opens a window of its own: the restored one is in use.
    let second = try await TmuxTerminal(home)
    try await second.wait(for: "connect to a host, or open a shell")
  }

  @Test("behind a full-screen program the shell's text comes back, whole lines at another width")
  func behindAProgram() async throws {
    let long = "start" + String(repeating: "-abcdefgh", count: 14) + "-end"
    let old = try await TmuxTerminal.withShell(home, columns: 80, rows: 24)
    try await home.enter(1, "echo '\(long)'; echo before-$((6*7))")
    try await home.wait(1, for: "^before-42$")
    try await old.type("vim -u NONE -N -n\n")
    try await old.wait("vim") { $0.count { $0.contains("~") } > 5 }
    try await home.verb("quit", "--force")
    try await old.wait(for: "[exit 0]")
    let terminal = try await TmuxTerminal(home, columns: 200, rows: 50)
    try await terminal.wait("the shell's text, in one line") { rows in
      rows.contains { $0.contains(long) } && rows.contains("before-42")
    }
    #expect(try await terminal.screen().count { $0.contains("│~") } == 0)
  }

  @Test("what says that nothing runs hides no text, of a program that ended or of the last session")
  func newestRows() async throws {
    let lines = "seq -f row-%g 1 60; [ -e again ] || exit 3; stty size; read end"
    let old = try await TmuxTerminal(
      home,
      ["run", "--", "/bin/sh", "-c", "cd \(home.folder.path); \(lines)"],
      columns: 80,
      rows: 24
    )
    try await old.wait("the newest rows above the notice") { isAbove($0, "row-60", "Press r") }
    try await home.verb("quit", "--force")
    try await old.wait(for: "[exit 0]")
    let terminal = try await TmuxTerminal(home, columns: 80, rows: 24)
    try await terminal.wait("the newest rows above the notice") {
      isAbove($0, "row-60", "Press r") && isAbove($0, "row-60", "the last session")
    }
    // What is above can be scrolled to.
    try await terminal.leader("Home")
    try await terminal.wait("the first row") { rows in
      rows.contains { $0.contains(/row-1(?!\d)/) }
    }
    try await terminal.leader("End")
    // A program that starts has the whole place, from its beginning on.
    try home.folder.write("again", "")
    try await terminal.press("r")
    try await terminal.wait(without: "Press r")
    let size = try #require(try await home.panes().first)
    try await home.wait(1, for: "^\(size.rows) \(size.columns)$")
    #expect(size.rows > 18)
  }

  /// Whether both are shown, the one above the other.
  private func isAbove(_ rows: [String], _ upper: String, _ lower: String) -> Bool {
    guard let first = rows.place(of: upper), let second = rows.place(of: lower) else {
      return false
    }
    return first.row < second.row
  }

  @Test("a server that was killed is back as it was a moment before")
  func killed() async throws {
    let server = try await OpenSSHServer()
    let old = try await started(server)
    _ = try await home.poll(
      "the session on the disk",
      { _ in
        (try? String(contentsOfFile: session, encoding: .utf8)) ?? ""
      }
    ) { $0.contains("two shells") && $0.contains("local-42") && $0.contains("\"front\":0") }
    kill(try home.serverProcess(), SIGKILL)
    try await old.wait(for: "[exit ")
    let terminal = try await TmuxTerminal(home)
    try await expectRestored(terminal)
  }

  @Test("a damaged record leads to the one before, and is told")
  func damaged() async throws {
    let server = try await OpenSSHServer()
    let old = try await started(server)
    try await home.verb("quit", "--force")
    try await old.wait(for: "[exit 0]")
    let whole = try Data(contentsOf: URL(filePath: session))
    try whole.write(to: URL(filePath: session + ".old"))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: session))
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait("the problem, and the session before") { rows in
      let text = rows.joined(separator: "\n")
      return text.contains("could not be read") && text.contains("two shells")
    }
  }

  @Test("a record that cannot be read is told, and kept beside the new one")
  func unread() async throws {
    for name in ["home", "home/state"] { mkdir(home.folder.file(name), 0o700) }
    let newer = #"{"form":99,"windows":[]}"#
    try home.folder.write("home/state/session.json", newer)
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "The last session could not be read")
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    #expect(try TemporaryFolder.read(session + ".unread") == newer)
  }

  @Test("servers that only run commands end by themselves and leave the last session as it was")
  func commandsOnly() async throws {
    let server = try await OpenSSHServer()
    try home.install(key: server.userKey)
    let old = try await started(server)
    try await home.verb("quit", "--force")
    try await old.wait(for: "[exit 0]")
    let kept = try Data(contentsOf: URL(filePath: session))
    try home.folder.write("small", "small")
    let place = "[\(OpenSSHServer.user)@127.0.0.1:\(server.port)]:\(home.folder.file("copy"))"
    // More of them than may bring back a window that no terminal shows; the last one is left alone.
    for round in 1...5 {
      try await home.run("put", "--overwrite", home.folder.file("small"), place)
      #expect(try await home.panes().count == 3)
      let process = try home.serverProcess()
      if round < 5 { try await home.verb("quit", "--force") }
      try await waitForEnd(process)
      #expect(try Data(contentsOf: URL(filePath: session)) == kept)
    }
    let terminal = try await TmuxTerminal(home)
    try await expectRestored(terminal)
  }

  /// Waits until a server has ended, which it does a minute after its last command when nothing else ends it.
  private func waitForEnd(_ process: pid_t) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(100)
    while kill(process, 0) == 0 {
      guard clock.now < deadline else { throw TestFailure("the server \(process) does not end") }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  @Test("a removed host leaves an empty pane with its name; without the setting nothing is kept")
  func settings() async throws {
    let server = try await OpenSSHServer()
    try home.install(key: server.userKey)
    try await home.run(
      "host",
      "add",
      "web1",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user
    )
    let old = try await TmuxTerminal(home, ["open", "web1"])
    try await old.trust()
    try await old.waitForConnection()
    try await home.verb("quit", "--force")
    try await old.wait(for: "[exit 0]")
    try await home.run("host", "rm", "web1")
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "Empty pane")
    #expect(try await home.panes().map(\.title) == ["web1"])
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    try home.write(configuration: "restore-session = off\n")
    let plain = try await TmuxTerminal(home)
    try await plain.wait(for: "connect to a host, or open a shell")
    try await plain.press("C-t")
    try await plain.wait(for: TerminalHome.prompt)
    try await home.verb("quit", "--force")
    try await plain.wait(for: "[exit 0]")
    #expect(!FileManager.default.fileExists(atPath: session))
    // The layout alone is kept without a word of what was on the screen.
    try home.write(configuration: "restore-session = layout\n")
    let quiet = try await TmuxTerminal.withShell(home)
    try await quiet.type("echo secret-$((6*7))\n")
    try await quiet.wait(for: "secret-42")
    try await home.verb("quit", "--force")
    try await quiet.wait(for: "[exit 0]")
    let kept = try String(contentsOfFile: session, encoding: .utf8)
    #expect(!kept.contains("secret-42"))
    let last = try await TmuxTerminal(home)
    try await last.wait(for: "not started")
  }
}
