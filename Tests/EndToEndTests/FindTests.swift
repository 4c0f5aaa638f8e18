import TermindTestSupport
import Testing

@Suite("Find in a real terminal", .serialized) struct FindTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(home)
    try await home.enter(1, "for n in $(seq 1 300); do echo line-$n-end; done; echo al''l")
    try await home.wait(1, for: "^all$")
  }

  /// The line of the find bar.
  private func bar(_ awaited: String, _ text: String) async throws {
    try await terminal.wait(awaited) { $0[1].contains("Find") && $0[1].contains(text) }
  }

  @Test("finds while typing, goes to older and newer matches, and escape gives the keys back")
  func incremental() async throws {
    try await terminal.leader("/")
    try await bar("the empty bar", "Find")
    try await terminal.type("line-1")
    try await bar("the matches of a part", "1/111")
    try await terminal.type("2-")
    try await bar("the one match", "1/1 ")
    try await terminal.wait("the match in view") { $0.contains("line-12-end") }
    try await terminal.press("BSpace", "BSpace")
    try await bar("the matches of a part again", "1/111")
    try await terminal.press("Enter", "F3")
    try await bar("two older", "3/111")
    try await terminal.press("S-F3")
    try await bar("one newer", "2/111")
    try await terminal.press("Down", "Down")
    try await bar("around the end", "111/111")
    try await terminal.wait("the oldest line") { $0.contains("line-1-end") }
    try await terminal.press("Escape")
    try await terminal.wait("the title again") { !$0[1].contains("Find") }
    try await terminal.type("echo back-$((1+1))\n")
    try await terminal.wait("typing reaches the shell") { $0.contains("back-2") }
  }

  @Test("letters beyond ASCII and wide ones are typed and found, and counted in columns")
  func wideText() async throws {
    try await home.enter(1, "clear; echo 'ab漢字é-Ü x'; echo 'ab漢字É-ü y'; echo do''ne")
    try await home.wait(1, for: "^done$")
    try await terminal.leader("/")
    try await terminal.type("字é-ü")
    try await bar("both, in either case", "1/2 ")
    // The match is marked from its own column on: the text before it keeps the pane's ground.
    let styled = try await home.poll("the marks", { _ in try await terminal.styledScreen() }) {
      $0.contains(/漢(?:\u{1B}\[[0-9;:]*m)+字/)
    }
    #expect(styled.contains("ab漢"))
    try await terminal.press("C-u")
    try await terminal.type("字É")
    try await bar("a capital letter counts", "1/1 ")
  }

  @Test("Escape goes to the program unless Find is open")
  func escape() async throws {
    try await home.enter(1, "stty -icanon -echo; echo rea''dy; cat -v")
    try await home.wait(1, for: "^ready$")
    try await terminal.press("Escape")
    try await home.wait(1, for: "^\\^\\[")
    try await terminal.leader("/")
    try await terminal.wait("the bar") { $0[1].contains("Find") }
    try await terminal.press("Escape")
    try await terminal.wait("the title") { !$0[1].contains("Find") }
    try await terminal.type("x")
    try await home.wait(1, for: "^\\^\\[x")
  }

  @Test("expressions, their errors, whole words and case are chosen by keys")
  func choices() async throws {
    try await terminal.leader("/")
    try await terminal.type("(line-2[0-9]")
    try await bar("no such text", "no match")
    try await terminal.press("M-r")
    try await bar("why it is wrong", "parenthesis")
    try await terminal.type(")-")
    try await bar("the matches", "1/10")
    try await terminal.press("C-u")
    try await terminal.type("LINE-7")
    try await bar("case counts", "no match")
    try await terminal.press("M-c", "M-c")
    try await bar("case is ignored", "1/11")
    try await terminal.press("M-w")
    try await bar("whole words", "1/1 ")
  }

  @Test("marks follow their text while output arrives, and what comes is found too")
  func following() async throws {
    try await home.enter(1, "while read x; do echo ma''rk-$x; done")
    try await home.enter(1, "one")
    try await home.wait(1, for: "^mark-one$")
    try await terminal.leader("/")
    try await terminal.type("mark-")
    try await bar("the first", "1/1 ")
    try await home.enter(1, "two")
    try await bar("a newer one is counted, and the shown one stays", "2/2")
  }

  @Test("the last pattern is there again, and what is typed replaces it")
  func remembering() async throws {
    try await terminal.leader("/")
    try await terminal.type("line-299")
    try await bar("the match", "1/1 ")
    try await terminal.press("Escape")
    try await terminal.wait("closed") { !$0[1].contains("Find") }
    try await terminal.leader("/")
    try await bar("the old pattern", "line-299")
    try await terminal.press("Enter")
    try await terminal.press("Right")
    try await terminal.type("-e")
    try await bar("the edited pattern", "line-299-e")
    try await bar("its match", "1/1 ")
    try await terminal.press("Escape")
    try await terminal.wait("closed again") { !$0[1].contains("Find") }
    try await terminal.leader("/")
    try await bar("the edited pattern again", "line-299-e")
    try await terminal.type("line-3")
    try await bar("another one", "1/12")
    try await terminal.leader("p")
    try await terminal.wait("Quick Open closed Find") { !$0[1].contains("line-3") }
  }

  @Test("Quick Open's slash finds in all panes and goes there")
  func everywhere() async throws {
    try await terminal.leader("|")
    let made = try await home.poll("the new pane", { try await $0.focus() }) { $0 != 1 }
    try await home.wait(made, for: TerminalHome.prompt)
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.type("/line-123-e")
    try await terminal.wait("the hit of the other pane") { rows in
      rows.contains { $0.contains("line-123-end") && $0.contains("›") }
    }
    try await terminal.press("Enter")
    _ = try await home.poll("the focus", { try await $0.focus() }) { $0 == 1 }
    try await bar("Find there", "1/1 ")
    try await terminal.wait("the line itself") { rows in
      rows.contains { $0.contains("line-123-end") && $0.contains("│") }
    }
  }
}
