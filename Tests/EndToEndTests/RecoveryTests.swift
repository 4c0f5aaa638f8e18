import Foundation
import TermindTestSupport
import Testing

@Suite("Lost connections in a real terminal", .serialized) struct RecoveryTests {
  let home: TerminalHome
  let server: OpenSSHServer
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    server = try await OpenSSHServer()
    terminal = try await TmuxTerminal.connected(home, to: server)
  }

  /// Kills the server's process behind the session from inside it, as a crash would.
  private let killSession = "sleep 0.1; kill -9 $PPID\n"

  @Test("a lost connection comes back by itself, with the old lines above a mark and no old modes")
  func reconnects() async throws {
    try await terminal.type("echo before-$((6*7))\n")
    try await terminal.wait(for: "before-42")
    try await terminal.type(
      "printf '\\033[?1003h\\033[?1006h\\033[?1004h\\033[?2004h\\033[?1h\\033[?25l\\033[>1u'; "
        + "echo modes-$((1+1))\n"
    )
    try await terminal.wait(for: "modes-2")
    try await terminal.type(killSession)
    try await terminal.wait("the old lines above a mark, and a new connection") { rows in
      guard let old = rows.place(of: "before-42"), let mark = rows.place(of: "was lost") else {
        return false
      }
      return old.row < mark.row && rows.contains("● up")
    }
    // The new shell's program gets no report and no key of the old form.
    try await terminal.type("clear; stty -echo -icanon; echo listening-$((1+1)); cat -v\n")
    try await terminal.wait(for: "listening-2")
    try await terminal.mouse(
      .press(row: 10, column: 40),
      .release(row: 10, column: 40),
      .move(row: 11, column: 41)
    )
    try await terminal.type("\u{1B}[I\u{1B}[O")
    try await terminal.press("Up")
    try await terminal.paste("pasted")
    try await home.wait(for: "^ *\\^\\[\\[Apasted")
    #expect(try await terminal.value("cursor_flag") == "1")
  }

  @Test("counts down while the server is away, and r tries at once")
  func countdown() async throws {
    // What it left on counts no longer: the mouse that moves over the dead pane is told to nobody, now or later.
    try await terminal.type("printf '\\033[?1003h\\033[?1006h'; echo modes-$((1+1))\n")
    try await terminal.wait(for: "modes-2")
    _ = try await home.poll("the mouse", { _ in try await terminal.value("mouse_all_flag") }) {
      $0 == "1"
    }
    server.stop()
    try await terminal.type(killSession)
    try await terminal.wait(for: "retry in")
    _ = try await home.poll("no mouse", { _ in try await terminal.value("mouse_all_flag") }) {
      $0 == "0"
    }
    try await terminal.mouse(.move(row: 9, column: 30), .move(row: 10, column: 31))
    #expect(try await home.panes().first?.state == "lost")
    // After the first attempts the pause is long enough to be seen going down.
    try await terminal.wait(for: "retry in 4 s")
    try await terminal.wait(for: "retry in 3 s")
    let second = try await OpenSSHServer(
      [
        "AuthorizedKeysFile \(server.userKey).pub", "HostKey \(server.folder.file("host_ed25519"))",
      ],
      hostKeyTypes: [],
      port: server.port
    )
    try await terminal.press("r")
    try await terminal.waitForConnection()
    try await terminal.mouse(.move(row: 11, column: 32))
    try await terminal.type("clear; echo listening-$((1+1)); cat -v\n")
    try await terminal.wait(for: "listening-2")
    try await terminal.type("typed-alone\n")
    try await home.wait(for: "^typed-alone$")
    #expect(try await !home.verb("capture").contains("[<"))
    withExtendedLifetime(second) {}
  }

  @Test("the last picture of a full-screen program stays while the server is away")
  func lastPicture() async throws {
    let file = home.folder.file("pages")
    try (1...200).map { "page line \($0)\n" }.joined()
      .write(toFile: file, atomically: true, encoding: .utf8)
    try await terminal.type("(sleep 2; kill -9 $PPID) & less \(file)\n")
    try await terminal.wait(for: "page line 5")
    server.stop()
    try await terminal.wait(for: "retry in")
    // Some attempts have failed by then.
    let rows = try await terminal.wait(for: "retry in 4 s")
    #expect(rows.contains("page line 5"))
  }

  @Test("a retry that would need the person stops, and says what to press")
  func stopsForThePerson() async throws {
    server.stop()
    let second = try await OpenSSHServer(
      ["AuthorizedKeysFile \(server.userKey).pub"],
      port: server.port
    )
    try await terminal.type(killSession)
    _ = try await home.poll("the end", { try await $0.panes() }) { $0.first?.state == "ended" }
    let rows = try await terminal.wait(for: "ress r")
    #expect(!rows.contains("THE HOST KEY HAS CHANGED"))
    try await terminal.press("r")
    try await terminal.wait(for: "THE HOST KEY HAS CHANGED")
    withExtendedLifetime(second) {}
  }

  @Test("Escape neither stops the recovery nor closes the pane; Ctrl-d gives the recovery up")
  func givesUp() async throws {
    server.stop()
    try await terminal.type(killSession)
    try await terminal.wait(for: "retry in 4 s")
    // Pressed twice, as in an editor that does not answer.
    try await terminal.press("Escape", "Escape")
    try await terminal.wait(for: "retry in 3 s")
    #expect(try await home.panes().map(\.state) == ["lost"])
    try await terminal.press("C-d")
    _ = try await home.poll("the end", { try await $0.panes() }) { $0.first?.state == "ended" }
    try await terminal.wait(for: "Press r")
    try await terminal.press("Escape")
    try await terminal.resize(columns: 90, rows: 28)
    try await terminal.wait("the new size") { $0.count == 28 && $0.contains("Press r") }
    #expect(try await home.panes().map(\.state) == ["ended"])
  }
}
