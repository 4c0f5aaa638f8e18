import TermindTestSupport
import Testing

@Suite("Cases from the field in a real terminal", .serialized) struct FieldCaseTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  /// The line with which a shell shows the next eight bytes that are typed.
  private let showEightBytes = "stty raw -echo; echo go-$((40+2)); od -An -tx1 -N8; stty sane\n"

  @Test("an emoji, typed and pasted, is four bytes for a program here and on a server")
  func emojiBytes() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await home.verb("split", "--right", "--", "/bin/sh", "-l")
    try await home.wait(2, for: TerminalHome.prompt)
    for pane in [1, 2] {
      try await home.verb("focus", "--pane", "\(pane)")
      try await terminal.type(showEightBytes)
      try await home.wait(pane, for: "go-42")
      try await terminal.type("\u{1F914}")
      try await terminal.paste("\u{1F914}")
      try await home.wait(pane, for: "f0 9f a4 94 f0 9f a4 94 *$")
    }
  }

  @Test(
    "a program's cursor stands where the characters that it printed end, and typing goes on there"
  )
  func widths() async throws {
    let terminal = try await TmuxTerminal.withShell(home, columns: 120)
    let script = try home.folder.write(
      "widths.py",
      #"""
      import re, sys, termios, tty
      before = termios.tcgetattr(0)
      tty.setraw(0)
      found = []
      for text in [c.encode().decode('unicode_escape') for c in sys.argv[1:]]:
          sys.stdout.write('\r' + text + '\033[6n')
          sys.stdout.flush()
          answer = ''
          while not answer.endswith('R'):
              answer += sys.stdin.read(1)
          found.append(re.search(r';(\d+)R', answer).group(1))
      termios.tcsetattr(0, termios.TCSANOW, before)
      print('\r\033[Kcolumns ' + ' '.join(found))

      """#
    )
    // Signs, a key cap and a screen that are emoji by their selector; a letter in a square with 40 dashes.
    let samples = [
      "\\u26a0\\ufe0f", "\\u2699\\ufe0f", "\\u2139\\ufe0f", "1\\ufe0f\\u20e3",
      "\\U0001f5a5\\ufe0f", "\\u2601\\ufe0f", "\\U0001f13c" + String(repeating: "-", count: 40),
    ]
    try await terminal.type(
      "python3 \(script) \(samples.map { "'\($0)'" }.joined(separator: " "))\n"
    )
    try await home.wait(for: "^columns 3 3 3 3 3 3 42$")
    // In a prompt, too: the cursor of the terminal outside is right behind what was typed.
    let pane = try #require(try await home.panes().first)
    try await terminal.type("clear; PS1='\u{2601}\u{FE0F} '\n")
    // A plain shell draws nothing again that was typed before its screen was cleared.
    try await home.wait(for: "^\u{2601}\u{FE0F} *$")
    try await terminal.type("abc")
    try await home.wait(for: "^\u{2601}\u{FE0F} abc$")
    _ = try await home.poll("the cursor", { _ in try await terminal.value("cursor_x") }) {
      $0 == "\(120 - pane.columns + 6)"
    }
  }

  @Test("a program here that died with its modes on leaves none to the shell after it")
  func modesOfADeadProgram() async throws {
    let script = try home.script(
      "modes",
      "[ -e \(home.folder.file("second")) ] && exec sh -c "
        + "'stty -echo -icanon; echo listening; exec cat -v'\n"
        + "printf '\\033[?1003h\\033[?1006h\\033[?1005h\\033[?1004h\\033[?2004h\\033[?1h"
        + "\\033[?25l\\033[>1u'; echo modes-on; : > \(home.folder.file("second")); kill -9 $$"
    )
    let terminal = try await TmuxTerminal(home, ["run", script])
    try await terminal.wait(for: "Press r")
    #expect(try await terminal.screen().contains("modes-on"))
    // The mouse moves over the dead pane: nobody is told, now or later.
    try await terminal.mouse(.move(row: 9, column: 30), .move(row: 10, column: 31))
    try await terminal.startAgain(home)
    try await terminal.wait(for: "listening")
    try await terminal.mouse(
      .press(row: 10, column: 40),
      .release(row: 10, column: 40),
      .move(row: 11, column: 41)
    )
    try await terminal.type("\u{1B}[I\u{1B}[O")
    try await terminal.press("Up")
    try await terminal.paste("pasted")
    try await home.wait(for: "^\\^\\[\\[Apasted$")
    #expect(try await terminal.value("cursor_flag") == "1")
    #expect(try await terminal.value("mouse_all_flag") == "0")
  }

  @Test("a prompt of several rows is repeated no more often than in a plain terminal")
  func promptRows() async throws {
    let start = try home.folder.write("bashrc", "PS1='top-of-the-prompt \\w\\nbottom> '\n")
    let words = ["/bin/bash", "--noprofile", "--rcfile", start, "-i"]
    let ours = try await TmuxTerminal(home, ["run"] + words)
    let plain = try await TmuxTerminal(
      home,
      command: "exec env -i TERM=tmux-256color LANG=C.UTF-8 HOME=\(home.folder.path) "
        + words.joined(separator: " "),
      columns: 100,
      rows: 30
    )
    for terminal in [ours, plain] {
      try await terminal.wait(for: "bottom>")
      try await terminal.type("echo typed-half")
      try await terminal.wait(for: "bottom> echo typed-half")
      for columns in [60, 34, 80, 30, 90, 40, 100] {
        try await terminal.resize(columns: columns, rows: 30)
      }
      // What was typed is still there to be finished, and is run once.
      try await terminal.type("-$((40+2))\n")
      try await terminal.wait(for: "typed-half-42")
      try await terminal.wait("the next prompt") { rows in
        rows.filter { $0.contains("bottom>") }.count > 1
      }
    }
    func count(_ terminal: TmuxTerminal) async throws -> Int {
      try await terminal.screen().filter { $0.contains("top-of-the-prompt") }.count
    }
    let most = try await count(plain)
    let found = try await count(ours)
    #expect((2...max(most, 2)).contains(found), "\(found) here, \(most) there")
  }
}
