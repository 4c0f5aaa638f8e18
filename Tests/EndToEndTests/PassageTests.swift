import FoundationEssentials
import TermindTestSupport
import Testing

@Suite("What passes between programs and the terminal", .serialized) struct PassageTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(
      home,
      environment: ["COLORTERM=truecolor"]
    )
  }

  /// Runs a command of the shell in the first pane.
  private func enter(_ line: String) async throws { try await home.enter(1, line) }

  @Test("a paste is framed for the program that asked, and raw for the one that did not")
  func pastes() async throws {
    let script = try home.script(
      "bytes",
      "stty raw -echo; printf \"$1\"; echo up-and-running; exec cat -v"
    )
    try await enter("clear; \(script) '\\033[?2004h'")
    try await home.wait(1, for: "up-and-running")
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let raw = try await home.focus()
    try await home.enter(raw, "clear; \(script)")
    try await home.wait(raw, for: "up-and-running")
    try await terminal.paste("plain\ntext")
    try await home.wait(raw, for: "plain\\^M?")
    try await terminal.leader("h")
    try await terminal.paste("into it")
    try await home.wait(1, for: "\\^\\[\\[200~into it\\^\\[\\[201~")
    let framed = try await home.verb("capture", "--pane", "1")
    #expect(framed.ranges(of: "[201~").count == 1)
    #expect(try await !home.verb("capture", "--pane", "\(raw)").contains("200~"))
  }

  @Test("a paste of several megabytes arrives whole, and the server answers meanwhile")
  func largePaste() async throws {
    let file = home.folder.file("pasted")
    let text = (1...220_000).map { "\($0) äß漢\n" }.joined()
    let source = try home.folder.write("source", text)
    let size = text.utf8.count
    let go = home.folder.file("go")
    // The program takes a part, and the rest when it is told to: the paste is on its way meanwhile.
    let reader = try home.script(
      "reader",
      """
      stty raw -echo; echo taking; head -c 500000 > \(file); echo half-$((1+1))
      until [ -e \(go) ]; do sleep 0.05; done
      head -c \(size - 500_000) >> \(file); echo all-$((1+1))
      """
    )
    try await enter(reader)
    try await home.wait(1, for: "taking$")
    #expect(size > 3_000_000)
    try await terminal.pasteFile(source)
    try await home.wait(1, for: "half-2$")
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Quick Open")
    try await terminal.leader("|")
    _ = try await home.poll("a second pane", { try await $0.panes() }) { $0.count == 2 }
    try await home.enter(2, "echo beside-$((1+1))")
    try await terminal.wait(for: "beside-2")
    try home.folder.write("go", "")
    try await home.wait(1, for: "all-2$")
    // Line ends are those of the Enter key, as everywhere.
    #expect(try TemporaryFolder.read(file) == text.replacing("\n", with: "\r"))
  }

  @Test("a text that a program copies reaches the terminal's clipboard")
  func clipboard() async throws {
    try await enter("printf '\\033]52;c;Y29waWVkIHRleHQ=\\007'")
    _ = try await home.poll("the clipboard", { _ in try? await terminal.clipboard() }) {
      $0?.contains("copied text") == true
    }
  }

  @Test("a text that is too large to be copied is refused in sight")
  func clipboardTooLarge() async throws {
    try await enter(
      "(printf '\\033]52;c;'; head -c 2000000 /dev/zero | tr '\\0' A; printf '\\007')"
    )
    try await terminal.wait(for: "was not copied")
  }

  @Test("a bell in another workspace marks its tab, and looking there clears the mark")
  func bell() async throws {
    try await terminal.leader("c")
    _ = try await home.poll("two workspaces", { try await $0.workspaces() }) { $0.count == 2 }
    try await enter("printf '\\007'")
    try await terminal.wait("the bell") { $0[0].contains("!") }
    try await terminal.leader("1")
    try await terminal.wait("no bell") { !$0[0].contains("!") }
  }

  @Test("a program's title stands in the frame")
  func title() async throws {
    try await enter("printf '\\033]2;editing notes\\007'")
    try await terminal.wait("the title") { $0[1].contains("editing notes") }
  }

  @Test("hostile titles and names are shown as text and never sent raw")
  func hostileNames() async throws {
    let output = try await terminal.record()
    try await enter(
      "printf '\\033]2;bad\\302\\233 31m\\342\\200\\256txet\\007'; echo titled-$((1+1))"
    )
    try await terminal.wait(for: "titled-2")
    try await terminal.wait("the title") { $0[1].contains("bad") }
    try await home.verb("rename", "--pane", "1", "evil\u{1B}]0;pwned\u{07}\u{9B}6n\u{202E}")
    try await terminal.wait("the name") { $0[1].contains("evil") }
    try await terminal.leader("p")
    try await terminal.wait(for: "Quick Open")
    let bytes = try TemporaryFolder.read(output)
    #expect(!bytes.contains("\u{1B}]0;pwned"))
    for scalar in bytes.unicodeScalars {
      #expect(!(0x80...0x9F).contains(scalar.value))
      #expect(!(0x202A...0x202E).contains(scalar.value))
    }
    let listing = try await home.control("panes").text + home.control("panes", "--json").text
    #expect(
      !listing.unicodeScalars.contains { $0.value == 0x1B || (0x80...0x9F).contains($0.value) }
    )
  }

  @Test("24-bit colours are kept, and questions for colours are answered from the theme")
  func colours() async throws {
    try await enter("clear; printf '\\033[38;2;1;2;3;48;2;250;240;230mrich\\033[m'; echo -$((1+1))")
    try await terminal.wait(for: "rich-2")
    let styled = try await terminal.styledScreen()
    #expect(styled.contains("38;2;1;2;3"))
    #expect(styled.contains("48;2;250;240;230"))
    try await enter("stty -echo -icanon; printf '\\033]11;?\\033\\\\\\033]10;?\\007'; cat -v")
    try await home.wait(1, for: "\\^\\[\\]11;rgb:[0-9a-f]{4}/[0-9a-f]{4}/[0-9a-f]{4}")
    try await home.wait(1, for: "\\^\\[\\]10;rgb:")
  }

  @Test("curly and coloured underlines are kept in the capture, in the form with colons")
  func underlines() async throws {
    try await enter(
      "clear; printf '\\033[4:3;58:5:32mcurly\\033[m \\033[4;58:2::255:0:0mred\\033[m'; echo -$((1+1))"
    )
    try await terminal.wait(for: "red-2")
    let captured = try await home.verb("capture", "--ansi", "--pane", "1")
    #expect(captured.contains("4:3"))
    #expect(captured.contains("58:5:32"))
    #expect(captured.contains("58:2::255:0:0"))
  }

  @Test(
    "no text moves the border of its pane, whatever the terminal thinks of its width",
    arguments: [
      "\u{2601}\u{FE0F} cloud", "\u{644}\u{627}\u{644}\u{639}\u{631}\u{628}\u{64A}\u{629}",
      "\u{1F13C}letter", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} family", "漢字かな",
      "e\u{301}\u{323}a", "\u{1F1E9}\u{1F1EA} flag",
    ]
  )
  func widths(text: String) async throws {
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let rows = try await terminal.wait("two panes") { $0[1].contains("┬") }
    let border = try #require(rows.columns(of: "┬", row: 1).first)
    try await enter("clear; printf '%s\\n' '\(text)' && echo below-$((1+1))")
    let shown = try await terminal.wait(for: "below-2")
    let low = try #require(shown.place(of: "below-2"))
    // The row under it begins where every row begins, and the border's cell is where it was: tmux counts
    // wide characters as one here, so the row is asked for by its cells.
    #expect(try #require(shown.columns(of: "│", row: low.row).first) + 1 == low.column)
    let line = shown[low.row - 1]
    let cells = line.unicodeScalars.prefix { $0 != "│" }.count
    #expect(line.contains("│"))
    #expect(shown.columns(of: "│", row: low.row).last == border, "\(cells)")
    // What is typed afterwards stands where the cursor is.
    try await home.enter(1, "stty -echo; printf '%s' '\(text) '; read answer; echo got-$answer")
    try await terminal.leader("h")
    try await terminal.type("typed")
    try await terminal.press("Enter")
    try await terminal.wait(for: "got-typed")
  }
}
