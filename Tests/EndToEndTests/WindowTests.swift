import Glibc
import TermindTestSupport
import Testing

@Suite("Windows in a real terminal", .serialized) struct WindowTests {
  @Test("starts at Welcome, and the first shell is one key away")
  func welcome() async throws {
    let terminal = try await TmuxTerminal(try TerminalHome())
    try await terminal.wait(for: "connect to a host")
    try await terminal.press("C-t")
    try await terminal.wait(for: TerminalHome.prompt)
    try await terminal.type("echo one-$((1+1))\n")
    try await terminal.wait(for: "one-2")
  }

  @Test("two terminals show two windows of one server")
  func twoWindows() async throws {
    let home = try TerminalHome()
    let first = try await TmuxTerminal.withShell(home)
    let second = try await TmuxTerminal(home)
    try await second.wait(for: "connect to a host")
    let listing = try await home.run("ls").split(separator: "\n")
    #expect(listing.count == 2)
    #expect(try await home.windows().map(\.attached) == [true, true])
    // What is typed in one terminal stays in its window.
    try await second.press("C-t")
    try await second.wait(for: TerminalHome.prompt)
    try await second.type("echo second-$((2*2))\n")
    try await second.wait(for: "second-4")
    #expect(try await !first.screen().contains("second-"))
  }

  @Test("keeps a detached window's shell and brings it back")
  func detachAndAttach() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.type("echo kept-$((3+4))\n")
    try await terminal.wait(for: "kept-7")
    try await terminal.leader("d")
    let rows = try await terminal.wait(for: "[exit 0]")
    #expect(rows.contains("detached from window 1"))
    #expect(try await home.windows().map(\.attached) == [false])
    let again = try await TmuxTerminal(home, ["attach"], columns: 80, rows: 24)
    try await again.wait(for: "kept-7")
    let third = try await TmuxTerminal(home, ["attach", "1"])
    let refused = try await third.wait(for: "[exit 1]")
    #expect(refused.contains("another terminal"))
    #expect(refused.joined().contains("termind ctl detach --window 1"))
    let fourth = try await TmuxTerminal(home, ["attach", "99"])
    #expect(try await fourth.wait(for: "[exit 1]").contains("no window 99"))
  }

  @Test("a terminal that is killed detaches its window")
  func killedTerminal() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.type("echo alive-$((5+5))\n")
    try await terminal.wait(for: "alive-10")
    try await terminal.kill()
    _ = try await home.poll("the detached window", { try await $0.windows() }) {
      $0.map(\.attached) == [false]
    }
    let again = try await TmuxTerminal(home, ["attach"])
    try await again.wait(for: "alive-10")
  }

  @Test("a client that is killed at once leaves the terminal as it was, and its window detached")
  func killedClient() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(
      home,
      command: "env \(home.environment.joined(separator: " ")) sh",
      columns: 100,
      rows: 30
    )
    try await terminal.wait(for: "#")
    let before = try await terminal.modes()
    try await terminal.type("\(home.program)\n")
    try await terminal.wait(for: "connect to a host")
    #expect(try await terminal.modes() != before)
    #expect(try await terminal.value("alternate_on") == "1")
    try await terminal.press("C-t")
    try await terminal.wait(for: TerminalHome.prompt)
    kill(try await terminal.clientProcess(), SIGKILL)
    _ = try await home.poll("the line settings of before", { _ in try await terminal.modes() }) {
      $0 == before
    }
    _ = try await home.poll("the main screen", { _ in try await terminal.value("alternate_on") }) {
      $0 == "0"
    }
    #expect(try await terminal.value("mouse_any_flag") == "0")
    #expect(try await terminal.value("cursor_flag") == "1")
    try await terminal.type("echo given-back-$((1+1))\n")
    try await terminal.wait(for: "given-back-2")
    #expect(try await home.windows().map(\.attached) == [false])
  }

  @Test("a client that is asked to end detaches its window and gives the terminal back")
  func endedClient() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    kill(try await terminal.clientProcess(), SIGTERM)
    try await terminal.wait(for: "[exit 143]")
    #expect(try await terminal.value("alternate_on") == "0")
    #expect(try await home.windows().map(\.attached) == [false])
  }

  @Test("a new window takes the terminal over, and the old one is there to come back to")
  func newWindow() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("O")
    try await terminal.wait(for: "connect to a host")
    #expect(try await home.windows().map(\.attached) == [false, true])
    let again = try await TmuxTerminal(home, ["attach", "1"])
    try await again.wait(for: TerminalHome.prompt)
  }

  @Test("a server that dies gives the terminal back and says so")
  func serverKilled() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    kill(try home.serverProcess(), SIGKILL)
    let rows = try await terminal.wait(for: "[exit 1]")
    #expect(rows.contains("the server ended unexpectedly"))
    #expect(try await terminal.value("alternate_on") == "0")
    #expect(try await terminal.value("mouse_any_flag") == "0")
    try await terminal.type("typed\n")
    try await terminal.wait(for: "typed")
  }

  @Test("stops as other programs do, and goes on with the whole screen")
  func stopAndContinue() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(
      home,
      command: "env \(home.environment.joined(separator: " ")) bash --norc -i",
      columns: 100,
      rows: 30
    )
    try await terminal.wait(for: "bash-")
    try await terminal.type("\(home.program)\n")
    try await terminal.wait(for: "connect to a host")
    try await terminal.press("C-t")
    try await terminal.wait(for: TerminalHome.prompt)
    // By the key, and by a signal from outside.
    for round in ["key", "signal"] {
      if round == "key" {
        try await terminal.leader("C-z")
      } else {
        kill(try await terminal.clientProcess(), SIGTSTP)
      }
      try await terminal.wait(for: "Stopped")
      #expect(try await terminal.value("alternate_on") == "0")
      try await terminal.type("clear; echo out-$((6*7))\n")
      try await terminal.wait(for: "out-42")
      try await terminal.type("fg\n")
      try await terminal.wait(for: TerminalHome.prompt)
      try await terminal.type("echo again-\(round)-$((4+4))\n")
      try await terminal.wait(for: "again-\(round)-8")
    }
  }

  @Test("asks before a window with a workspace closes, and Escape keeps it")
  func closeConfirmation() async throws {
    let terminal = try await TmuxTerminal.withShell(try TerminalHome())
    try await terminal.leader("q")
    try await terminal.wait(for: "Close this window?")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Close this window?")
    try await terminal.leader("q")
    try await terminal.wait(for: "Close this window?")
    // Enter alone keeps the window, too: its first button is the harmless one.
    try await terminal.press("Enter")
    try await terminal.wait(without: "Close this window?")
    try await terminal.leader("q")
    try await terminal.wait(for: "Close this window?")
    try await terminal.press("Tab", "Enter")
    let rows = try await terminal.wait(for: "[exit 0]")
    #expect(rows.contains("window closed"))
  }

  @Test("no chord answers a question: the leader with another key, or alone, presses no button")
  func chordsOverQuestion() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("q")
    try await terminal.wait(for: "Close this window?")
    // The dangerous button has the focus.
    try await terminal.press("Tab")
    for keys in ["t", "C-Space", "F9"] { try await terminal.leader(keys) }
    try await terminal.press("M-Enter", "S-Tab", "Tab")
    try await terminal.leader("Escape")
    // By itself it is a key only when nothing has followed it for a while.
    try await Task.sleep(for: .milliseconds(300))
    #expect(try await terminal.screen().contains("Close this window?"))
    #expect(try await home.panes().map(\.state) == ["up"])
    try await terminal.press("Enter")
    try await terminal.wait(for: "[window closed]")
  }

  @Test("a window without a workspace closes without a question")
  func closeEmptyWindow() async throws {
    let terminal = try await TmuxTerminal(try TerminalHome())
    try await terminal.wait(for: "connect to a host")
    try await terminal.leader("q")
    try await terminal.wait(for: "[exit 0]")
  }

  @Test("quit names what would end and ends every window")
  func quit() async throws {
    let home = try TerminalHome()
    let other = try await TmuxTerminal.withShell(home)
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("Q")
    try await terminal.wait(for: "Window 2: 1 workspace")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "[exit 0]")
    try await other.wait(for: "[exit 0]")
    #expect(try await home.refusal("panes") == (3, "no-server"))
  }

  @Test("survives a storm of sizes and ends at the last one", arguments: [(80, 24), (150, 50)])
  func resizeStorm(columns: Int, rows: Int) async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home, columns: columns, rows: rows)
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) { $0.count == 2 }
    for step in 0..<20 {
      try await terminal.resize(columns: 2 + step * 9, rows: 1 + step * 3)
    }
    try await terminal.resize(columns: columns, rows: rows)
    let focus = try await home.focus()
    let pane = try await home.poll("the last size", { try await $0.panes() }) { panes in
      panes.map(\.rows) == [rows - 3, rows - 3]
    }
    let last = try #require(pane.first { $0.id == focus })
    try await home.enter(focus, "clear; stty size")
    try await home.wait(focus, for: "^\(last.rows) \(last.columns)$")
    let screen = try await terminal.wait(for: "\(last.rows) \(last.columns)")
    #expect(screen.count == rows)
  }

  @Test("a terminal without a size for a while does no harm")
  func noSize() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    let device = try await terminal.value("pane_tty")
    for size in [(0, 0), (0, 100), (30, 0), (30, 100)] {
      try await TestProgram.run(
        "/usr/bin/stty",
        ["-F", device, "rows", "\(size.0)", "cols", "\(size.1)"]
      )
      try await home.verb("wait", "--text", TerminalHome.prompt)
    }
    try await terminal.type("echo sized-$((8*8))\n")
    try await terminal.wait(for: "sized-64")
  }

  @Test("the first picture has the size that the terminal got right after the start")
  func sizeChangesAtStart() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, columns: 60, rows: 15)
    try await terminal.resize(columns: 120, rows: 40)
    try await terminal.wait("the status line in the last row") { rows in
      rows.count == 40 && rows[39].contains("ctrl+space")
    }
    let window = try #require(try await home.windows().first)
    #expect((window.rows, window.columns) == (40, 120))
  }
}
