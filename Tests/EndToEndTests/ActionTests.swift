import TermindTestSupport
import Testing

@Suite("Actions on panes in a real terminal", .serialized) struct ActionTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  @Test("reconnect_all starts every dead pane of the window again, and leaves the others alone")
  func reconnectAll() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    let script = try home.script("once", "echo run-of-$$; read line; exit 3")
    try await home.verb("split", "--right", "--", script)
    try await home.verb("split", "--down", "--", "/bin/sh", "-l")
    // The third lives in another workspace of the window.
    try await home.verb("new-workspace")
    try await home.verb("split", "--right", "--", script)
    _ = try await home.poll("five panes", { try await $0.panes() }) { panes in
      panes.map(\.state) == ["up", "up", "up", "empty", "up"]
    }
    try await home.enter(3, "echo here-$((40+2))")
    try await home.wait(3, for: "here-42")
    for pane in [2, 5] {
      try await home.wait(pane, for: "^run-of-")
      try await home.enter(pane, "")
    }
    try await home.enter(1, "exit 4")
    _ = try await home.poll("three ends", { try await $0.panes() }) { panes in
      panes.map(\.state) == ["ended", "ended", "up", "empty", "ended"]
    }
    try await terminal.leader("R")
    _ = try await home.poll("all up again", { try await $0.panes() }) { panes in
      panes.map(\.state) == ["up", "up", "up", "empty", "up"]
    }
    try await home.wait(2, for: "^run-of-")
    try await home.wait(3, for: "here-42")
  }

  @Test("half a page is scrolled up and down by repeated keys after one leader")
  func halfPages() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.type("clear; seq 1 100\n")
    try await home.wait(for: "^100$")
    /// The numbers that are shown.
    func shown(_ rows: [String]) -> [Int] {
      rows.compactMap { Int($0.filter { !"│┃ ".contains($0) }) }.filter { $0 <= 100 }
    }
    // What the server has may not be drawn yet.
    try await terminal.wait("the end") { shown($0).contains(100) }
    let bottom = try #require(shown(try await terminal.screen()).first)
    let half = try #require(try await home.panes().first).rows / 2
    try await terminal.leader("u")
    try await terminal.wait("half a page up") { shown($0).first == bottom - half }
    try await terminal.press("u")
    try await terminal.wait("a page up") { shown($0).first == bottom - 2 * half }
    try await terminal.press("i")
    try await terminal.wait("half a page down") { shown($0).first == bottom - half }
    try await terminal.press("i", "i", "i")
    try await terminal.wait("the bottom, and no further") { shown($0).first == bottom }
  }

  @Test("the scrollback is forgotten, and the screen stays")
  func clearScrollback() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.type("clear; seq 1 100\n")
    try await home.wait(for: "^100$")
    #expect(try await home.verb("capture", "--scrollback").contains("\n20\n"))
    // Scrolled back at that moment, there is nothing left to be shown there.
    try await terminal.leader("u")
    try await terminal.wait("older lines") { !$0.contains("100") }
    try await terminal.leader("y", "c")
    try await terminal.wait(for: "100")
    let left = try await home.verb("capture", "--scrollback")
    #expect(!left.contains("\n20\n") && left.contains("\n100\n"))
    try await terminal.type("echo on-$((40+2))\n")
    try await home.wait(for: "on-42")
  }

  @Test("a terminal that a program left in disorder is reset, and its program goes on")
  func resetTerminal() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    // Line drawing, margins, wrong colours, a hidden cursor, mouse reports and an inverse screen.
    try await terminal.type(
      "printf '\\033(0\\033[5;9r\\033[31;44m\\033[?25l\\033[?1003h\\033[?5h\\033[4h'; echo lqk\n"
    )
    try await terminal.wait(for: "┌─┐")
    try await terminal.leader("y", "r")
    _ = try await home.poll("an empty screen", { try await $0.verb("capture") }) { $0.isEmpty }
    try await terminal.press("Enter")
    try await terminal.type("echo lqk-$((40+2))\n")
    try await home.wait(for: "lqk-42")
    let screen = try await home.verb("capture", "--ansi")
    #expect(!screen.contains("44"), "\(screen)")
    _ = try await home.poll("the cursor", { _ in try await terminal.value("cursor_flag") }) {
      $0 == "1"
    }
  }

  @Test("redraw brings back what something else wrote over the window")
  func redraw() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.type("echo kept-$((40+2))\n")
    try await terminal.wait(for: "kept-42")
    let before = try await terminal.screen()
    // As a message of the system, or of a program in the background, would.
    let tty = try await terminal.value("pane_tty")
    try await TestProgram.run("/bin/sh", ["-c", "printf '\\033[H\\033[2JSPOILT' > \(tty)"])
    try await terminal.wait("the damage") { $0.contains("SPOILT") && !$0.contains("kept-42") }
    try await terminal.leader("C-l")
    // The first row may tell the time.
    try await terminal.wait("the old picture") { $0.dropFirst() == before.dropFirst() }
    #expect(try await !terminal.screen().contains("SPOILT"))
  }
}
