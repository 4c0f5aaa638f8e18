import TermindTestSupport
import Testing

@Suite("The configuration of a running server", .serialized) struct ConfigurationTests {
  @Test("reading it again reaches open panes, keys and looks, and says what is wrong")
  func reload() async throws {
    let home = try TerminalHome()
    try home.write(configuration: "scrollback-lines = 500\n")
    let terminal = try await TmuxTerminal.withShell(home)
    try await home.enter(1, "clear; for n in $(seq 1 400); do echo line-$n; done; echo al''l")
    try await home.wait(1, for: "^all$")
    func kept() async throws -> Int {
      try await home.verb("capture", "--scrollback").split(separator: "\n")
        .count { $0.hasPrefix("line-") }
    }
    #expect(try await kept() == 400)
    try home.write(configuration: "scrollback-lines = 50\nkeybind = leader>y>z=zoom\n")
    try await terminal.leader("C-r")
    try await terminal.wait(for: "The configuration was read again.")
    #expect(try await (50...80).contains(kept()))
    // The new key is in force.
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) { $0.count == 2 }
    try await terminal.leader("y", "z")
    _ = try await home.poll("the zoom", { try await $0.workspaces() }) {
      $0.contains(where: \.zoomed)
    }
    try home.write(configuration: "scrollback-lines = many\n")
    try await terminal.leader("C-r")
    try await terminal.wait(for: "'scrollback-lines' is a number from 0 to 1000000")
  }

  @Test("a setting is found in Quick Open, changed, written into the file and in force at once")
  func settings() async throws {
    let home = try TerminalHome()
    try home.write(configuration: "# mine\nscrollback-lines = 500\n")
    let terminal = try await TmuxTerminal.withShell(home)
    func expectFile(_ text: String) async throws {
      let file = home.folder.file("home/config/config")
      _ = try await home.poll("the file", { _ in try TemporaryFolder.read(file) }) { $0 == text }
    }
    try await home.enter(1, "clear; for n in $(seq 1 400); do echo line-$n; done; echo al''l")
    try await home.wait(1, for: "^all$")
    // One of a few values is chosen.
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("on-select settings")
    try await terminal.wait(for: "= copy-on-select")
    try await terminal.press("Enter")
    try await terminal.wait(for: "● false")
    try await terminal.type("true")
    try await terminal.wait(without: "● false")
    try await terminal.press("Enter")
    try await terminal.wait(for: "copy-on-select is true now.")
    try await expectFile("# mine\nscrollback-lines = 500\ncopy-on-select = true\n")
    let word = try #require(try await terminal.screen().place(of: "line-399"))
    try await terminal.mouse(
      .press(row: word.row, column: word.column),
      .drag(row: word.row, column: word.column + 7),
      .release(row: word.row, column: word.column + 7)
    )
    _ = try await home.poll("the clipboard", { _ in try? await terminal.clipboard() }) {
      $0 == "line-399"
    }
    // Any other is typed, and refused in its form when it is wrong.
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("scrollback-l")
    try await terminal.wait(for: "= scrollback-lines")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Lines kept above each screen")
    try await terminal.press("C-u")
    try await terminal.type("many")
    try await terminal.press("Enter")
    try await terminal.wait(for: "'scrollback-lines' is a number from 0 to 1000000.")
    try await expectFile("# mine\nscrollback-lines = 500\ncopy-on-select = true\n")
    try await terminal.press("C-u")
    try await terminal.type("50")
    try await terminal.press("Enter")
    try await terminal.wait(for: "scrollback-lines is 50 now.")
    try await expectFile("# mine\nscrollback-lines = 50\ncopy-on-select = true\n")
    let lines = try await home.verb("capture", "--scrollback").split(separator: "\n")
    #expect((50...80).contains(lines.count { $0.hasPrefix("line-") }))
  }
}
