import TermindTestSupport
import Testing

@Suite("Other keymaps in a real terminal", .serialized) struct KeymapTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func expectPanes(_ count: Int, after keys: String) async throws {
    _ = try await home.poll("\(count) panes after \(keys)", { try await $0.panes() }) {
      $0.count == count
    }
  }

  private func expectFocus(_ pane: Int, after keys: String) async throws {
    _ = try await home.poll("pane \(pane) after \(keys)", { try await $0.focus() }) { $0 == pane }
  }

  private func expectWorkspace(_ place: Int, of count: Int, after keys: String) async throws {
    _ = try await home.poll("workspace \(place) after \(keys)", { try await $0.workspaces() }) {
      $0.map(\.active) == (1...count).map { $0 == place }
    }
  }

  private func columns(_ pane: Int) async throws -> Int {
    try #require(try await home.panes().first { $0.id == pane }).columns
  }

  @Test("zellij's modes split, focus, resize, zoom, scroll, lock and detach")
  func zellij() async throws {
    try home.write(configuration: "keymap = zellij\n")
    let terminal = try await TmuxTerminal(home, ["run", "--", "/bin/sh", "-l"])
    try await terminal.wait(for: TerminalHome.prompt)
    try await terminal.press("C-p", "n")
    try await expectPanes(2, after: "ctrl+p n")
    let right = try await home.focus()
    try await terminal.press("M-h")
    try await expectFocus(1, after: "alt+h")
    try await terminal.press("C-p", "l")
    try await expectFocus(right, after: "ctrl+p l")
    // A mode goes on for as long as its keys come.
    let before = try await columns(right)
    try await terminal.press("C-n", "h", "h")
    _ = try await home.poll("a border that moved twice", { _ in try await columns(right) }) {
      $0 == before + 4
    }
    try await terminal.press("C-p", "f")
    _ = try await home.poll("the zoom", { try await $0.workspaces() }) { $0[0].zoomed }
    try await terminal.press("C-p", "f")
    try await terminal.press("C-t", "n")
    try await expectWorkspace(2, of: 2, after: "ctrl+t n")
    try await terminal.press("C-t", "h")
    try await expectWorkspace(1, of: 2, after: "ctrl+t h")
    // Locked, the keys of the modes are the program's.
    try await terminal.press("C-g")
    try await terminal.wait(for: "LOCKED")
    try await home.enter(right, "stty raw -echo; echo raw-$((1+1)); exec cat -vT")
    try await home.wait(right, for: "raw-2")
    try await terminal.press("C-p", "n", "C-t", "x")
    try await home.wait(right, for: "\\^Pn\\^Tx")
    try await expectPanes(3, after: "keys that are locked")
    try await terminal.press("C-g")
    try await terminal.wait(without: "LOCKED")
    try await terminal.press("C-p", "x")
    try await expectPanes(2, after: "ctrl+p x")
    try await home.enter(1, "clear; seq 1 100")
    try await home.wait(1, for: "^100$")
    try await terminal.press("C-s", "u")
    try await terminal.wait("older lines") { $0.contains("↑") && !$0.contains("100") }
    try await terminal.press("C-o", "d")
    try await terminal.wait(for: "detached from window 1")
  }

  @Test("a Mac's Command keys split, focus, zoom, go to workspaces and close")
  func macos() async throws {
    try home.write(configuration: "keymap = macos\n")
    let terminal = try await TmuxTerminal.withShell(home)
    /// A key with Super, as the keyboard protocol carries it; the sum of Shift, 1, Alt, 2, and Super, 8.
    func command(_ key: Character, _ modifiers: Int = 8) async throws {
      let code = key.unicodeScalars.first?.value ?? 0
      try await terminal.type("\u{1B}[\(code);\(modifiers + 1)u")
    }
    try await command("d")
    try await expectPanes(2, after: "super+d")
    try await command("d", 9)
    try await expectPanes(3, after: "super+shift+d")
    let low = try await home.focus()
    try await terminal.type("\u{1B}[1;11D")
    try await expectFocus(1, after: "super+alt+left")
    try await command("[")
    try await expectFocus(low, after: "super+[")
    try await command("\r", 9)
    _ = try await home.poll("the zoom", { try await $0.workspaces() }) { $0[0].zoomed }
    try await command("w")
    try await expectPanes(2, after: "super+w")
    // The one that was used before it.
    try await expectFocus(1, after: "super+w")
    try await command("t")
    try await expectWorkspace(2, of: 2, after: "super+t")
    try await command("1")
    try await expectWorkspace(1, of: 2, after: "super+1")
    try await command("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Quick Open")
    // The leader of the default keymap is there for terminals that keep these keys.
    try await terminal.leader("|")
    try await expectPanes(4, after: "the leader")
  }
}
