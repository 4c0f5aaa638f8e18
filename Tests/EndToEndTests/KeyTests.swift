import TermindTestSupport
import Testing

@Suite("Keys in a real terminal", .serialized) struct KeyTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(home)
  }

  /// Starts a program in the focused pane that shows the bytes it gets.
  private func showBytes(_ setup: String = "", pane: Int = 1) async throws {
    let script = try home.script(
      "bytes",
      "stty raw -echo; printf '\(setup)up-and-'; echo running; exec cat -vT"
    )
    try await home.enter(pane, "clear; \(script)")
    try await home.wait(pane, for: "up-and-running")
  }

  @Test("the leader pressed twice reaches the program")
  func leaderTwice() async throws {
    try await showBytes()
    try await terminal.leader("C-Space")
    try await terminal.type("end")
    try await home.wait(for: "\\^@end")
  }

  @Test("a key that is bound to nothing after the leader is named and goes nowhere")
  func unbound() async throws {
    try await showBytes()
    try await terminal.leader("F9")
    try await terminal.wait(for: "is not bound")
    try await terminal.type("end")
    try await home.wait(for: "^ *end")
  }

  @Test("a pause after the leader shows what may follow, and Escape leaves it")
  func whichKey() async throws {
    try await terminal.leader()
    let rows = try await terminal.wait(for: "esc leave")
    #expect(rows.contains("split down"))
    try await terminal.press("Escape")
    try await terminal.wait(without: "esc leave")
    try await terminal.type("echo typed-$((1+1))\n")
    try await terminal.wait(for: "typed-2")
  }

  @Test("locked, every key is the program's, the leader too")
  func lock() async throws {
    try await showBytes("\\033[>1u")
    try await terminal.leader("\\")
    try await terminal.wait(for: "LOCKED")
    // Control with Tab, comma, period and semicolon, as terminals with the keyboard protocol send them.
    for code in [9, 44, 46, 59] { try await terminal.type("\u{1B}[\(code);5u") }
    for code in [9, 44, 46, 59] { try await home.wait(for: "\\^\\[\\[\(code);5u") }
    try await terminal.leader("z")
    try await home.wait(for: "z$")
    #expect(try await home.workspaces().first?.zoomed == false)
    try await terminal.leader("\\")
    try await terminal.wait(without: "LOCKED")
  }

  @Test("extended keys arrive as such where a program asked, and as of old where none did")
  func extendedKeys() async throws {
    try await showBytes()
    try await terminal.type("\u{1B}[105;5u\u{1B}[13;2u.")
    try await home.wait(for: "^ *\\^I\\^M\\.")
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let pane = try await home.focus()
    try await showBytes("\\033[>1u", pane: pane)
    try await terminal.type("\u{1B}[105;5u\u{1B}[13;2u\u{1B}[13;5u.")
    try await home.wait(pane, for: "\\^\\[\\[105;5u\\^\\[\\[13;2u\\^\\[\\[13;5u\\.")
  }

  @Test("a broadcast carries what is typed, but neither the leader nor its key")
  func broadcast() async throws {
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let focus = try await home.focus()
    try await showBytes(pane: 1)
    try await showBytes(pane: focus)
    try await terminal.leader("e", "w")
    try await terminal.wait(for: "broadcast to 2")
    try await terminal.type("both")
    try await terminal.leader("z")
    try await terminal.leader("z")
    try await terminal.leader("C-Space")
    try await terminal.type("end")
    try await home.wait(1, for: "^ *bothend")
    try await home.wait(focus, for: "^ *both\\^@end")
    try await terminal.paste("pasted")
    try await home.wait(1, for: "bothendpasted")
    try await home.wait(focus, for: "endpasted")
    try await terminal.leader("e", "o")
    try await terminal.wait(without: "broadcast to")
    try await terminal.type("alone")
    try await home.wait(focus, for: "endpastedalone")
    #expect(try await !home.verb("capture", "--pane", "1").contains("alone"))
  }

  @Test("a broadcast carries neither the mouse nor what a terminal answers by itself")
  func broadcastCarriesKeysOnly() async throws {
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let focus = try await home.focus()
    try await home.wait(focus, for: TerminalHome.prompt)
    // Both ask for the mouse and the focus; the one with the focus asks where the cursor is, and what answers.
    try await showBytes("\\033[?1000h\\033[?1006h\\033[?1004h", pane: 1)
    try await terminal.leader("e", "w")
    try await terminal.wait(for: "broadcast to 2")
    try await showBytes("\\033[?1000h\\033[?1006h\\033[6n\\033[c\\033[?996n", pane: focus)
    try await home.wait(focus, for: "R\\^\\[\\[\\?.*c\\^\\[\\[\\?997;1n")
    let row = try #require(try await home.panes().first { $0.id == focus })
    let column = 100 - row.columns / 2
    try await terminal.mouse(.press(row: 10, column: column), .release(row: 10, column: column))
    try await terminal.mouse(.wheelUp(row: 10, column: column))
    try await terminal.type("end")
    try await home.wait(focus, for: "\\[<0;.*M.*m.*\\[<64;.*Mend")
    try await home.wait(1, for: "end")
    let other = try await home.verb("capture", "--pane", "1")
    #expect(!other.contains("<0;") && !other.contains("<64;"), "\(other)")
    #expect(!other.contains("R^[") && !other.contains("997"), "\(other)")
  }

  @Test("files take no part in a broadcast, by workspace or by themselves")
  func broadcastOfShellsOnly() async throws {
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let shell = try await home.focus()
    try await terminal.leader("F")
    _ = try await home.poll("the files", { try await $0.panes() }) { $0.count == 3 }
    try await terminal.leader("e", "w")
    try await terminal.wait(for: "⚡2")
    // The focus is in the files: keys there move its cursor and are no input of shells.
    try await terminal.leader("e", "e")
    try await terminal.type("q")
    try await terminal.leader("e", "e")
    try await home.verb("focus", "--pane", "\(shell)")
    try await terminal.wait(for: "broadcast to 2")
    try await terminal.type("echo only-$((40+2))\n")
    try await home.wait(1, for: "^only-42")
    try await home.wait(shell, for: "^only-42")
    #expect(try await !home.verb("capture", "--pane", "1").contains("q"))
  }

  @Test("every binding is listed, searchable, and can be chosen")
  func help() async throws {
    try await terminal.leader("?")
    try await terminal.wait(for: "Keys")
    try await terminal.type("split do")
    try await terminal.wait("the match on top") { $0.contains("ctrl+space -") }
    try await terminal.press("Enter")
    _ = try await home.poll("the action", { try await $0.panes() }) { $0.count == 2 }
  }

  @Test("a theme is shown while it is chosen from, and Escape brings the old one back")
  func themePreview() async throws {
    /// The frame's title in its colours; the row above it tells the time.
    func look() async throws -> Substring {
      try await terminal.styledScreen().split(separator: "\n")[1]
    }
    let before = try await look()
    try await terminal.leader("T")
    try await terminal.wait(for: "Theme")
    let first = try await look()
    try await terminal.press("Down")
    _ = try await home.poll("another look", { _ in try await look() }) { $0 != first }
    try await terminal.press("Escape")
    _ = try await home.poll("the old look", { _ in try await look() }) { $0 == before }
    try await terminal.leader("T")
    try await terminal.wait(for: "Theme")
    try await terminal.type("dracula")
    try await terminal.press("Enter")
    try await terminal.wait(without: "Dracula")
    _ = try await home.poll("the new look", { _ in try await look() }) { $0 != before }
  }

  @Test(
    "Ctrl-Shift-P opens Quick Open where the keyboard protocol tells it, and Ctrl-P is the program's"
  )
  func quickOpenChord() async throws {
    try await showBytes()
    try await terminal.press("C-p")
    try await home.wait(for: "\\^P")
    #expect(try await !terminal.screen().contains("Quick Open"))
    try await terminal.type("\u{1B}[112;6u")
    try await terminal.wait(for: "Quick Open")
  }

  @Test("Quick Open takes the keys and gives them back")
  func quickOpen() async throws {
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let focus = try await home.focus()
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("zoom")
    try await terminal.wait(for: "› zoom")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Quick Open")
    #expect(try await home.focus() == focus)
    try await terminal.type("echo back-$((1+1))\n")
    try await home.wait(focus, for: "back-2")
    // Choosing a pane goes there.
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("pane 1")
    try await terminal.press("Enter")
    _ = try await home.poll("the chosen pane", { try await $0.focus() }) { $0 == 1 }
  }
}
