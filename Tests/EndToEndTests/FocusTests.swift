import TermindTestSupport
import Testing

@Suite("The focus in a real terminal", .serialized) struct FocusTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(home)
  }

  /// Starts a program in a pane that asks for focus reports and shows what it gets.
  private func listen(_ pane: Int) async throws {
    let script = try home.script(
      "focus",
      "stty raw -echo; printf '\\033[?1004hlisten'; echo ing; exec cat -v"
    )
    try await home.enter(pane, "clear; \(script)")
    try await home.wait(pane, for: "listening")
  }

  private func reports(_ pane: Int) async throws -> String {
    let text = try await home.verb("capture", "--pane", "\(pane)")
    return String(text.split(separator: "listening").last ?? "").filter { !$0.isWhitespace }
  }

  private func expect(_ pane: Int, _ wanted: String) async throws {
    _ = try await home.poll("\(wanted) in pane \(pane)", { _ in try await reports(pane) }) {
      $0 == wanted
    }
  }

  @Test("programs hear of the focus by key, tab, split, control, sheet and the terminal itself")
  func reports() async throws {
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let right = try await home.focus()
    try await home.wait(right, for: TerminalHome.prompt)
    try await listen(1)
    try await listen(right)
    let into = "^[[I"
    let out = "^[[O"
    try await terminal.leader("h")
    try await expect(1, into)
    try await expect(right, out)
    try await home.verb("focus", "--pane", "\(right)")
    try await expect(1, into + out)
    try await expect(right, out + into)
    // A sheet has the focus while it is there.
    try await terminal.leader("p")
    try await expect(right, out + into + out)
    try await terminal.press("Escape")
    try await expect(right, out + into + out + into)
    // The terminal loses and gets it.
    try await terminal.type("\u{1B}[O")
    try await expect(right, out + into + out + into + out)
    try await terminal.leader("h")
    try await terminal.type("\u{1B}[I")
    try await expect(1, into + out + into)
    try await expect(right, out + into + out + into + out)
    // Another workspace, and back by its tab.
    try await terminal.leader("c")
    try await expect(1, into + out + into + out)
    try await terminal.mouse(.press(row: 0, column: 1), .release(row: 0, column: 1))
    try await expect(1, into + out + into + out + into)
    // A split takes it away, the end of the new pane gives it back.
    try await terminal.leader("-")
    try await expect(1, into + out + into + out + into + out)
    try await terminal.leader("w")
    try await expect(1, into + out + into + out + into + out + into)
  }

  @Test("the keys that close a pane take a sheet away first, and close nothing")
  func closeKeys() async throws {
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) { $0.count == 2 }
    for (open, shown) in [("p", "Quick Open"), ("?", "Keys"), (",", "Rename pane")] {
      try await terminal.leader(open)
      try await terminal.wait(for: shown)
      try await terminal.leader("w")
      try await terminal.wait(without: shown)
    }
    #expect(try await home.panes().count == 2)
    // The leader with another key, or twice, reaches no sheet.
    try await terminal.leader(",")
    try await terminal.wait(for: "Rename pane")
    try await terminal.press("C-u")
    try await terminal.type("w")
    try await terminal.leader("z")
    try await terminal.leader("C-Space")
    try await terminal.type("x")
    try await terminal.press("Enter")
    _ = try await home.poll("the name", { try await $0.panes() }) { rows in
      rows.contains { $0.title == "wx" }
    }
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "Hosts")
    try await terminal.leader("w")
    try await terminal.wait(without: "Hosts")
    #expect(try await home.panes().count == 2)
  }

  @Test("the frame shows the directory as the program told it, else as the kernel knows it")
  func directories() async throws {
    try await home.enter(1, "cd /usr/lib; echo there-$((1+1))")
    try await home.wait(1, for: "there-2")
    try await terminal.wait("the directory") { $0[1].contains("local /usr/lib") }
    try await home.enter(1, "cd; echo home-$((1+1))")
    try await home.wait(1, for: "home-2")
    try await terminal.wait("the home directory") { $0[1].contains("local ~ ") }
    let script = try home.script(
      "told",
      "printf '\\033]7;file://%s/var/lib\\007' \"$(hostname)\"; echo told; exec cat"
    )
    try await home.enter(1, script)
    try await home.wait(1, for: "told")
    try await terminal.wait("what was told") { $0[1].contains("/var/lib") }
    // A new pane starts there, and not where another machine is.
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) { $0.count == 2 }
    let right = try await home.focus()
    try await home.wait(right, for: TerminalHome.prompt)
    try await home.enter(right, "pwd")
    try await home.wait(right, for: "^/var/lib$")
    try await home.enter(right, "printf '\\033]7;file://elsewhere.example/srv\\007'; echo sent")
    try await home.wait(right, for: "^sent")
    try await terminal.leader("-")
    _ = try await home.poll("three panes", { try await $0.panes() }) { $0.count == 3 }
    let low = try await home.focus()
    try await home.wait(low, for: TerminalHome.prompt)
    try await home.enter(low, "pwd")
    try await home.wait(low, for: "^/var/lib$")
  }
}
