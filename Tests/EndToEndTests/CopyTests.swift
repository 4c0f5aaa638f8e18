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
    // What the pane holds is drawn a moment later.
    try await terminal.wait(for: "line-60 word")
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

  @Test("a selection goes on when the view comes down to the live screen, and copy mode stays")
  func selectionToTheEnd() async throws {
    try await terminal.leader("[")
    try await find("line-3 word")
    try await terminal.type("0V")
    for _ in 0..<6 { try await terminal.press("C-d") }
    try await terminal.press("NPage", "NPage")
    try await terminal.wait("the live screen, still in copy mode") { rows in
      rows[1].contains("COPY") && rows.contains { $0.contains("line-60 word") }
    }
    try await terminal.press("G")
    try await terminal.type("y")
    let copied = try await home.poll("the text", { _ in try? await terminal.clipboard() }) {
      $0?.hasPrefix("line-3 word\nline-4 word\n") == true
    }
    #expect(copied?.contains("line-60 word\nall\n") == true)
  }

  @Test("a drag held beyond the upper edge scrolls, and takes what comes into view")
  func beyondTheEdge() async throws {
    let rows = try await terminal.screen()
    let place = try #require(rows.place(of: "line-59"))
    let top = try #require(
      rows.indices.first { $0 > 1 && rows[$0].contains("line-") }.map { row in
        rows[row].split { !$0.isNumber }.last.flatMap { Int($0) }
      } ?? nil
    )
    try await terminal.mouse(
      .press(row: place.row, column: place.column),
      .drag(row: 1, column: place.column)
    )
    try await terminal.wait("lines that were above") { rows in
      rows.contains { $0.contains("line-\(top - 3) ") }
    }
    try await terminal.mouse(.release(row: 1, column: place.column))
    try await terminal.leader("y", "y")
    _ = try await home.poll("the text", { _ in try? await terminal.clipboard() }) {
      $0?.contains("line-\(top - 1) word\nline-\(top) word\n") == true
    }
  }

  @Test("a drag held beyond the lower edge scrolls back to the newest line, and takes what comes")
  func beyondTheLowerEdge() async throws {
    try await terminal.leader("PPage")
    try await terminal.wait("what was above") { !$0.contains("line-60 word") }
    let rows = try await terminal.screen()
    let place = try #require(rows.indices.first { $0 > 2 && rows[$0].contains("line-") })
    let column = try #require(rows[place...].first.flatMap { [$0].place(of: "line-")?.column })
    let first = try #require(
      rows[place].split { !$0.isNumber }.last.flatMap { Int($0) }
    )
    try await terminal.mouse(
      .press(row: place, column: column),
      .drag(row: rows.count - 1, column: column)
    )
    // The prompt is the lowest line: it has scrolled to its end.
    try await terminal.wait(for: "ready>")
    try await terminal.mouse(.release(row: rows.count - 1, column: column))
    try await terminal.leader("y", "y")
    let copied = try await home.poll("the text", { _ in try? await terminal.clipboard() }) {
      $0?.hasPrefix("line-\(first) word\n") == true
    }
    #expect(copied?.contains("\nline-59 word\nline-60 word\n") == true)
  }

  @Test("a drag beyond the left or right edge takes the row to its end, and stays in its pane")
  func sideways() async throws {
    try await terminal.leader("|")
    let made = try await home.poll("the new pane", { try await $0.focus() }) { $0 != 1 }
    try await home.enter(made, "clear; printf 'right-%s word\\n' 1 2; echo do''ne")
    try await home.wait(made, for: "^done$")
    let other = try #require(try await terminal.screen().place(of: "right-1 word"))
    for (begins, end, text) in [
      (other.column + 4, other.column - 12, "right"), (other.column + 8, 99, "word"),
    ] {
      try await terminal.mouse(
        .press(row: other.row, column: begins),
        .drag(row: other.row, column: end),
        .release(row: other.row, column: end)
      )
      try await terminal.leader("y", "y")
      try await clipboard(text)
    }
    #expect(try await home.focus() == made)
  }

  @Test("a selection is given to a command of this machine, row numbers and the place are shown")
  func pipeAndNumbers() async throws {
    try await terminal.leader("[")
    try await find("line-57")
    try await terminal.wait("the place of the cursor") { $0[1].contains(/[0-9]+\/[0-9]+/) }
    try await terminal.type("#")
    try await terminal.wait("numbers of rows") { rows in
      rows.contains { $0.contains("line-57 word") && $0.contains(/[0-9]+$/) }
    }
    try await terminal.type("Vj|")
    try await terminal.wait(for: "Give the selection to a program")
    // The command has the environment of the person's session.
    try await terminal.type("tr a-z A-Z > \"$HOME/piped\"")
    try await terminal.press("Enter")
    _ = try await home.poll(
      "the program's file",
      { try? TemporaryFolder.read($0.folder.file("piped")) }
    ) { $0 == "LINE-57 WORD\nLINE-58 WORD\n" }
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
    let widths = try await home.panes().map(\.columns)
    try await terminal.mouse(
      .press(row: again.row, column: again.column),
      .drag(row: again.row + 1, column: 95),
      .release(row: again.row + 1, column: 95)
    )
    try await terminal.leader("y", "y")
    try await clipboard("line-59 word\nline-60 word")
    // The border that was crossed with the button held is where it was.
    #expect(try await home.panes().map(\.columns) == widths)
  }

  @Test(
    "with Alt the mouse takes a rectangle; where it is wished, a selection is copied and a right click pastes"
  )
  func mouseSettings() async throws {
    try home.write(configuration: "copy-on-select = true\nright-click-paste = true\n")
    try await terminal.leader("C-r")
    try await terminal.wait(for: "The configuration was read again.")
    let place = try #require(try await terminal.screen().place(of: "line-58"))
    func report(_ code: Int, _ row: Int, _ column: Int, _ end: String = "M") -> String {
      "\u{1B}[<\(code);\(column + 1);\(row + 1)\(end)"
    }
    try await terminal.type(
      report(8, place.row, place.column) + report(40, place.row + 1, place.column + 2)
        + report(8, place.row + 1, place.column + 2, "m")
    )
    try await clipboard("lin\nlin")
    let word = try #require(try await terminal.screen().place(of: "line-60 word"))
    try await terminal.mouse(
      .press(row: word.row, column: word.column + 8),
      .drag(row: word.row, column: word.column + 11),
      .release(row: word.row, column: word.column + 11)
    )
    try await clipboard("word")
    try await terminal.type("echo got-")
    try await terminal.type(
      report(2, word.row, word.column) + report(2, word.row, word.column, "m")
    )
    try await terminal.wait(for: "echo got-word")
    try await terminal.press("Enter")
    try await home.wait(1, for: "^got-word$")
  }

  @Test("what was copied before can be chosen and pasted")
  func buffers() async throws {
    for line in ["line-57", "line-59"] {
      try await terminal.leader("[")
      try await find(line)
      try await terminal.type("v6ly")
      try await clipboard(line)
    }
    try await terminal.type("echo old-")
    try await terminal.leader("y", "b")
    try await terminal.wait("the list") { $0.contains("Paste") && $0.contains("7 bytes") }
    try await terminal.press("Down", "Enter")
    try await terminal.wait(for: "echo old-line-57")
    try await terminal.leader("]")
    try await terminal.wait(for: "echo old-line-57line-59")
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
