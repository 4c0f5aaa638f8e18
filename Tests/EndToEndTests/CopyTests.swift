import TermindTestSupport
import Testing

@Suite("Copying in a real terminal", .serialized) struct CopyTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(home)
    try await home.enter(1, "clear; for n in $(seq 1 60); do echo line-$n word; done; echo al''l")
    try await home.wait(1, for: "^all$")
  }

  private func clipboard(_ text: String) async throws {
    _ = try await home.poll("the clipboard", { _ in try? await terminal.clipboard() }) {
      $0 == text
    }
  }

  /// Puts the cursor of copy mode on a text.
  private func find(_ text: String) async throws {
    try await terminal.type("/\(text)")
    try await terminal.wait("the match") { $0[1].contains("1/1 ") }
    try await terminal.press("Enter")
    try await terminal.wait("the bar is gone") { !$0[1].contains("Find") }
  }

  @Test("keys move, select and copy lines, words and rectangles")
  func keys() async throws {
    try await terminal.leader("[")
    try await terminal.wait("copy mode") { $0[1].contains("COPY") }
    try await find("line-58")
    try await terminal.type("vey")
    try await clipboard("line")
    try await terminal.wait("left") { !$0[1].contains("COPY") }
    try await terminal.leader("[")
    try await find("line-57")
    try await terminal.type("Vjy")
    try await clipboard("line-57 word\nline-58 word\n")
    try await terminal.leader("[")
    try await find("line-57")
    try await terminal.press("C-v")
    try await terminal.type("jlly")
    try await clipboard("lin\nlin")
    try await terminal.type("echo typed-$((1+1))\n")
    try await terminal.wait("typing reaches the shell") { $0.contains("typed-2") }
  }

  @Test("the mouse selects words and lines by clicks, and a drag stays in its pane")
  func mouse() async throws {
    let place = try #require(try await terminal.screen().place(of: "line-59"))
    let (row, column) = (place.row, place.column)
    try await terminal.mouse(
      .press(row: row, column: column + 1),
      .release(row: row, column: column + 1),
      .press(row: row, column: column + 1),
      .release(row: row, column: column + 1)
    )
    try await terminal.leader("y", "y")
    try await clipboard("line")
    try await terminal.leader("|")
    let made = try await home.poll("the new pane", { try await $0.focus() }) { $0 != 1 }
    try await home.wait(made, for: TerminalHome.prompt)
    let again = try #require(try await terminal.screen().place(of: "line-59"))
    try await terminal.mouse(
      .press(row: again.row, column: again.column),
      .drag(row: again.row + 1, column: 95),
      .release(row: again.row + 1, column: 95)
    )
    try await terminal.leader("y", "y")
    try await clipboard("line-59 word\nline-60 word")
  }

  @Test("Ctrl-click on a link shows where it leads, told or written, and copies it")
  func links() async throws {
    try await home.enter(
      1,
      "clear; printf '\\033]8;;https://told.example/x\\033\\\\text\\033]8;;\\033\\\\ (https://written.example/y).\\n'"
    )
    let place = try #require(
      try await terminal.wait("the links") {
        $0.contains { $0.hasPrefix("text (https") || $0.contains("│text (https") }
      }
      .place(of: "text (https")
    )
    for (column, link) in [(1, "https://told.example/x"), (12, "https://written.example/y")] {
      let click = "\u{1B}[<16;\(place.column + column + 1);\(place.row + 1)"
      try await terminal.type(click + "M" + click + "m")
      try await terminal.wait("the question about \(link)") { rows in
        rows.contains { $0.contains(link) && !$0.contains("text (") }
          && rows.contains { $0.contains("Copy") }
      }
      try await terminal.press("Tab", "Enter")
      try await clipboard(link)
    }
  }

  @Test("several lines for a shell that would run them at once are asked about")
  func confirming() async throws {
    try await home.enter(1, "PS1='plain> ' exec sh")
    try await home.wait(1, for: "^plain> ?$")
    try await terminal.paste("echo o''ne\necho t''wo\n")
    try await terminal.wait(for: "Paste 2 lines?")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Paste 2 lines?")
    try await terminal.paste("echo si''ngle\n")
    try await home.wait(1, for: "^single$")
    #expect(try await !terminal.screen().contains("two"))
  }
}
