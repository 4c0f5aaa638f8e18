import Glibc
import TermindTestSupport
import Testing

@Suite("Looks and the configuration file in a real terminal", .serialized) struct LooksTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  @Test("the keymap of the file is in force, with its changes")
  func keymap() async throws {
    try home.write(configuration: "keymap = tmux\nkeybind = leader>g=new_split:down\n")
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.press("C-b", "%")
    try await terminal.wait("a split") { $0[1].contains("┬") }
    try await terminal.press("C-b", "g")
    _ = try await home.poll("the third pane", { try await $0.panes() }) { $0.count == 3 }
    // The default leader is the program's now.
    try await terminal.type("stty raw -echo; echo raw; cat -vT\n")
    try await home.wait(for: "raw$")
    try await terminal.press("C-Space", "z")
    try await home.wait(for: "\\^@z")
  }

  @Test("keys that only the keyboard protocol carries can be bound")
  func modernKeys() async throws {
    try home.write(configuration: "keybind = ctrl+tab=focus_next\nkeybind = ctrl+,=rename_pane\n")
    let terminal = try await TmuxTerminal.withShell(home)
    try await home.verb("split", "--right")
    #expect(try await home.focus() == 2)
    try await terminal.type("\u{1B}[9;5u")
    _ = try await home.poll("the next pane", { try await $0.focus() }) { $0 == 1 }
    try await terminal.type("\u{1B}[44;5u")
    try await terminal.wait(for: "Rename pane")
  }

  @Test(
    "a fault in a file is shown with file, line and reason, and the rest is in force",
    arguments: [
      ("keymap = tmux\nkeybind = leader>%=no_such_action\n", "config:2"),
      ("keymap = no-such-map\n", "no-such-map"),
      ("# fine\ntheme = No Such Theme\n", "No Such Theme"),
    ]
  )
  func faults(text: String, said: String) async throws {
    try home.write(configuration: text)
    let terminal = try await TmuxTerminal(home, columns: 160)
    try await terminal.wait(for: said)
    try await terminal.press("C-t")
    try await terminal.wait(for: TerminalHome.prompt)
  }

  @Test("the terminal's change between dark and light reaches the programs that asked for it")
  func colorScheme() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await home.verb("split", "--right")
    for (pane, setup) in [(1, "\\033[?2031h"), (2, "")] {
      let script = try home.script(
        "scheme-\(pane)",
        "stty raw -echo; printf '\(setup)'; echo running; exec cat -v"
      )
      try await home.wait(pane, for: TerminalHome.prompt)
      try await home.enter(pane, "clear; \(script)")
      try await home.wait(pane, for: "^running")
    }
    let before = try await terminal.styledScreen()
    // Light, told as mode 2031 tells it; and dark again.
    try await terminal.type("\u{1B}[?997;2n")
    try await home.wait(1, for: "\\^\\[\\[\\?997;2n$")
    #expect(try await terminal.styledScreen() != before)
    try await terminal.type("\u{1B}[?997;1n")
    try await home.wait(1, for: "\\^\\[\\[\\?997;2n\\^\\[\\[\\?997;1n$")
    // The other one did not ask to be told.
    #expect(try await !home.verb("capture", "--pane", "2").contains("997"))
  }

  @Test("a program that asks for the colour scheme is told the one in force")
  func colorSchemeQuestion() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    let script = try home.script(
      "ask",
      "stty raw -echo; printf '\\033[?996n'; dd bs=1 count=9 2>/dev/null | cat -v; stty sane; echo"
    )
    try await terminal.type("clear; \(script)\n")
    try await home.wait(for: "\\^\\[\\[\\?997;1n")
    try await terminal.type("\u{1B}[?997;2n")
    try await terminal.type("clear; \(script)\n")
    try await home.wait(for: "\\^\\[\\[\\?997;2n")
  }

  @Test("NO_COLOR leaves every colour out")
  func monochrome() async throws {
    let terminal = try await TmuxTerminal.withShell(home, environment: ["NO_COLOR=1"])
    try await terminal.type("printf '\\033[31;44mred\\033[m\\n'; echo -$((1+1))\n")
    try await terminal.wait(for: "-2")
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    let styled = try await terminal.styledScreen()
    #expect(!styled.contains(/\e\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]/))
    #expect(styled.contains("\u{1B}["))
  }

  @Test("a terminal without UTF-8 gets a picture of plain characters")
  func plainCharacters() async throws {
    let terminal = try await TmuxTerminal.withShell(home, environment: ["LANG=C", "LC_ALL=C"])
    let output = try await terminal.record()
    try await terminal.leader("|")
    try await terminal.leader("-")
    _ = try await home.poll("three panes", { try await $0.panes() }) { $0.count == 3 }
    try await terminal.leader("?")
    let rows = try await terminal.wait(for: "Keys")
    #expect(rows.allSatisfy { $0.unicodeScalars.allSatisfy(\.isASCII) })
    try await terminal.press("Escape")
    try await terminal.wait(without: "Keys")
    #expect(try TemporaryFolder.read(output).unicodeScalars.allSatisfy(\.isASCII))
  }

  @Test("the sidebar is hidden, narrow and wide in turn, and gives its columns back")
  func sidebar() async throws {
    let terminal = try await TmuxTerminal.withShell(home, columns: 140)
    var seen: Set<Int> = []
    for _ in 0..<3 {
      let before = try #require(try await home.panes().first?.columns)
      seen.insert(before)
      try await terminal.leader("b")
      _ = try await home.poll("another width", { try await $0.panes() }) {
        $0.first?.columns != before
      }
    }
    #expect(seen.count == 3 && seen.contains(140))
  }

  @Test("the terminal's title says what is in front")
  func title() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await home.verb("rename", "--workspace", "1", "deploys")
    _ = try await home.poll("the title", { _ in try await terminal.value("pane_title") }) {
      $0.contains("deploys")
    }
  }
}
