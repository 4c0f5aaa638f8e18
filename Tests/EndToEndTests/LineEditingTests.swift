import TermindTestSupport
import Testing

/// What a shell's line editor and the terminal have to agree on: how wide characters are.
@Suite("Line editing in a real terminal", .serialized) struct LineEditingTests {
  /// An enclosed letter and as many dashes as fill a row of 80 columns beside it.
  private static let line = "\u{1F13C}" + String(repeating: "-", count: 79)

  @Test(
    "after a line of an enclosed letter and 79 dashes, Up and Down come back to the prompt's row"
  )
  func enclosedLetter() async throws {
    let home = try TerminalHome()
    try home.write(configuration: "sidebar = hidden\n")
    let terminal = try await TmuxTerminal.withShell(home, columns: 80, rows: 24)
    #expect(try await home.panes().map(\.columns) == [80])
    try await terminal.type("PS1='edit> ' exec bash --norc --noprofile\n")
    try await terminal.wait(for: "edit>")
    try await terminal.type("clear\n")
    try await terminal.wait("an empty screen") { rows in
      rows.filter { $0.contains("edit>") }.count == 1 && !rows.contains("clear")
    }
    try await terminal.type("echo \(Self.line)\n")
    // The letter takes one column, as the outer terminal draws it: the text fills its row and no more.
    let rows = try await terminal.wait("the text, and the prompt right below") { rows in
      guard let text = rows.firstIndex(of: Self.line), text + 1 < rows.count else { return false }
      return rows[text + 1].hasPrefix("edit>")
    }
    let text = try #require(rows.firstIndex(of: Self.line))
    let prompt = (row: "\(text + 1)", column: "6")
    #expect(try await terminal.value("cursor_y") == prompt.row)
    #expect(try await terminal.value("cursor_x") == prompt.column)
    try await terminal.press("Up")
    // The recalled command takes its row and a part of the next one.
    try await terminal.wait("the recalled command") { rows in
      rows[text + 1].hasPrefix("edit> echo \u{1F13C}-") && rows[text + 2].hasPrefix("-")
    }
    try await terminal.press("Down")
    try await terminal.wait("the empty prompt") { rows in
      rows[text + 1].hasSuffix("edit>") && rows[text + 2].allSatisfy { $0 != "-" }
    }
    #expect(try await terminal.value("cursor_y") == prompt.row)
    #expect(try await terminal.value("cursor_x") == prompt.column)
    #expect(try await terminal.screen()[text] == Self.line)
  }

  @Test("the same in a prompt of its own, which fills its row")
  func enclosedLetterInPrompt() async throws {
    let home = try TerminalHome()
    try home.write(configuration: "sidebar = hidden\n")
    let terminal = try await TmuxTerminal.withShell(home, columns: 80, rows: 24)
    try await terminal.type("exec bash --norc --noprofile\n")
    try await terminal.type("echo first\n")
    try await terminal.wait("its output") { $0.contains { $0.hasPrefix("first") } }
    try await terminal.type("clear; PS1='\(Self.line)'\n")
    let rows = try await terminal.wait("the prompt alone") { rows in
      rows.contains(Self.line) && !rows.contains("first")
    }
    let row = try #require(rows.firstIndex(of: Self.line))
    // The shell goes to the next row, where typing continues.
    for _ in 0..<2 {
      try await terminal.press("Up")
      try await terminal.wait("the recalled command") { $0[row + 1].hasPrefix("clear;") }
      try await terminal.press("Down")
      try await terminal.wait("the empty line") { $0[row] == Self.line && $0[row + 1].isEmpty }
      #expect(try await terminal.value("cursor_y") == "\(row + 1)")
      #expect(try await terminal.value("cursor_x") == "0")
    }
  }
}
