import TermindTerminal
import Testing

@Suite("Modes and resets") struct ModeTests {
  @Test("a list of private modes applies each of them")
  func lists() {
    let test = TestTerminal()
    test.feed("\(csi)?1;25;1002;1006;2004h")
    #expect(test.terminal.modes.applicationCursorKeys)
    #expect(test.terminal.modes.mouseTracking == .drag)
    #expect(test.terminal.modes.mouseEncoding == .sgr)
    #expect(test.terminal.modes.bracketedPaste)
    test.feed("\(csi)?1;25;1002;1006;2004l")
    #expect(test.terminal.modes == TerminalModes())
    #expect(!test.terminal.cursor.isVisible)
  }

  static let tracking: [(Int, TerminalMouseTracking)] = [
    (9, .press), (1000, .buttons), (1002, .drag), (1003, .motion),
  ]

  @Test("each mouse mode is on, reported, and off again", arguments: tracking.indices)
  func mouse(index: Int) {
    let (mode, tracking) = Self.tracking[index]
    let test = TestTerminal()
    test.feed("\(csi)?\(mode)h\(csi)?\(mode)$p")
    #expect(test.terminal.modes.mouseTracking == tracking)
    #expect(test.replies() == "␛[?\(mode);1$y")
    test.feed("\(csi)?\(mode)l")
    #expect(test.terminal.modes.mouseTracking == .off)
  }

  static let encodings: [(Int, TerminalMouseEncoding)] = [
    (1005, .utf8), (1006, .sgr), (1015, .urxvt), (1016, .sgrPixels),
  ]

  @Test("each mouse encoding is chosen and left", arguments: encodings.indices)
  func mouseEncoding(index: Int) {
    let (mode, encoding) = Self.encodings[index]
    let test = TestTerminal()
    test.feed("\(csi)?\(mode)h")
    #expect(test.terminal.modes.mouseEncoding == encoding)
    test.feed("\(csi)?\(mode)l")
    #expect(test.terminal.modes.mouseEncoding == .legacy)
  }

  @Test("keyboard flags are kept for each screen, and the stack is bounded")
  func keyboardFlags() {
    let test = TestTerminal()
    test.feed("\(csi)>1u\(csi)?1049h")
    #expect(test.terminal.modes.kittyKeyboardFlags == 0)
    test.feed("\(csi)>31u\(csi)?1049l")
    #expect(test.terminal.modes.kittyKeyboardFlags == 1)
    test.feed(String(repeating: "\(csi)>2u", count: 1_000) + "\(csi)<15u\(csi)?u")
    #expect(test.replies() == "␛[?2u")
  }

  @Test("synchronized update is on until the program or the owner ends it")
  func synchronizedUpdate() {
    let test = TestTerminal()
    test.feed("\(csi)?2026h")
    #expect(test.terminal.isSynchronizedUpdateActive)
    test.terminal.endSynchronizedUpdate()
    #expect(!test.terminal.isSynchronizedUpdateActive)
    test.feed("\(csi)?2026h\(csi)?2026l")
    #expect(!test.terminal.isSynchronizedUpdateActive)
  }

  @Test("the colour scheme and the size are reported when they change, where asked for")
  func changeReports() {
    let test = TestTerminal()
    test.terminal.setDarkScheme(false)
    #expect(test.replies() == "")
    test.feed("\(csi)?2031h")
    test.terminal.setDarkScheme(true)
    #expect(test.replies() == "␛[?997;1n")
    test.feed("\(csi)?2048h")
    _ = test.replies()
    test.terminal.resize(
      to: TerminalSize(rows: 5, columns: 20, pixelWidth: 160, pixelHeight: 80)
    )
    #expect(test.replies() == "␛[48;5;20;80;160t")
  }

  @Test("a soft reset keeps the screen and resets modes, margins and the saved cursor")
  func softReset() {
    let test = TestTerminal()
    test.feed(
      "text\(csi)?69h\(csi)2;5s\(csi)2;3r\(csi)?6h\(csi)?25l\(csi)4h\(csi)1m\(esc)7\(csi)!p"
    )
    #expect(test.screen[0] == "text")
    #expect(test.terminal.cursor.isVisible)
    test.feed("\(csi)99;99H\(csi)6n\(csi)4$p\(csi)?69$p\(esc)8\(csi)6n")
    #expect(test.replies() == "␛[4;10R␛[4;2$y␛[?69;2$y␛[1;1R")
  }

  @Test("a full reset clears the screen and keeps the scrollback")
  func fullReset() {
    let test = TestTerminal(rows: 2, columns: 5)
    test.feed("1\r\n2\r\n3\(csi)?1049h\(csi)?1;1003;2004h\(osc)2;title\(st)\(csi)>1u\(esc)c")
    #expect(test.screen == ["", ""])
    #expect(test.terminal.scrollbackRows == 1)
    #expect(test.terminal.modes == TerminalModes())
    #expect(test.terminal.title == "")
  }

  @Test("what a dead program left on is taken back")
  func resetProgramModes() {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed(
      "prompt\(csi)?1049h\(csi)?1;25l\(csi)?1;1003;1006;1004;2004;2026h\(csi)>31u\(csi)>4;2m\(csi)1mX\(esc)]2;unfini"
    )
    test.terminal.resetProgramModes()
    #expect(test.terminal.modes == TerminalModes())
    #expect(test.terminal.cursor.isVisible)
    #expect(!test.terminal.isSynchronizedUpdateActive)
    #expect(test.screen[0] == "prompt")
    test.feed("y")
    #expect(test.screen[0] == "prompty")
  }

  @Test("resetting without the alternate screen, or leaving it unentered, moves nothing")
  func leaveUnentered() {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed("a\r\nb")
    test.terminal.resetProgramModes()
    #expect(test.cursor == CellPosition(row: 1, column: 1))
    test.feed("\(csi)?1049l")
    #expect(test.cursor == CellPosition(row: 1, column: 1))
  }

  @Test("a notice stands on a row of its own, without control characters")
  func notice() {
    let test = TestTerminal(rows: 4, columns: 20)
    test.feed("\(csi)31mpartial")
    test.terminal.writeNotice("── lost \u{1B}[2J ──")
    #expect(test.screen == ["partial", "── lost \u{FFFD}[2J ──", "", ""])
    #expect(test.cursor == CellPosition(row: 2, column: 0))
    #expect(test.style(row: 1, column: 0) == TerminalStyle())
  }

  @Test("lines of the past are faint, without control characters, and read back as the last lines")
  func past() {
    let test = TestTerminal(rows: 3, columns: 20)
    test.terminal.showPast(["one", "", "t\u{1B}[31mo", "three"])
    #expect(test.screen == ["t\u{FFFD}[31mo", "three", ""])
    #expect(test.style(row: 1, column: 0).attributes == .faint)
    #expect(test.terminal.lastLines(10) == ["one", "", "t\u{FFFD}[31mo", "three"])
    #expect(test.terminal.lastLines(3) == ["", "t\u{FFFD}[31mo", "three"])
    test.feed("now\(csi)?1049halt")
    #expect(test.style(row: 2, column: 0).attributes.isEmpty)
    // Behind a program on the alternate screen it is the shell's text that lasts.
    #expect(test.terminal.lastLines(10) == ["one", "", "t\u{FFFD}[31mo", "three", "now"])
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 12))
    #expect(test.terminal.lastLines(2) == ["three", "now"])
  }

  @Test("lines of the past are whole lines, so that they wrap anew at another width")
  func wrappedPast() {
    let line = "one two three four five six seven"
    let test = TestTerminal(rows: 3, columns: 10)
    test.terminal.showPast(["first", line, "last"])
    #expect(test.terminal.lastLines(10) == ["first", line, "last"])
    test.terminal.resize(to: TerminalSize(rows: 5, columns: 40))
    #expect(test.screen.filter { !$0.isEmpty } == ["first", line, "last"])
  }

  @Test("alternate screens: 47 keeps its text, 1047 clears on leaving, 1049 on entering")
  func alternateScreens() {
    let test = TestTerminal(rows: 2, columns: 8)
    test.feed("main\(csi)?47h\(csi)Halt\(csi)?47l\(csi)?47h")
    #expect(test.screen[0] == "alt")
    test.feed("\(csi)?1047l\(csi)?1047h")
    #expect(test.screen[0] == "")
    test.feed("\(csi)Hx\(csi)?1047l\(csi)?1049h")
    #expect(test.screen[0] == "")
    test.feed("\(csi)?1049l")
    #expect(test.screen[0] == "main")
    #expect(test.terminal.scrollbackRows == 0)
  }

  @Test("modes are saved and restored")
  func saveModes() {
    let test = TestTerminal()
    test.feed("\(csi)?1h\(csi)?1;7s\(csi)?1;7l\(csi)?1;7r\(csi)?1$p\(csi)?7$p")
    #expect(test.replies() == "␛[?1;1$y␛[?7;1$y")
  }

  @Test("without autowrap text stays on the last column")
  func noAutowrap() {
    let test = TestTerminal(rows: 2, columns: 4)
    test.feed("\(csi)?7labcdef漢")
    #expect(test.screen == ["ab漢", ""])
  }

  static let shapes: [(Int, TerminalCursorShape, Bool)] = [
    (0, .block, true), (1, .block, true), (2, .block, false), (3, .underline, true),
    (4, .underline, false), (5, .bar, true), (6, .bar, false),
  ]

  @Test("each cursor form", arguments: shapes.indices)
  func cursorShape(index: Int) {
    let (code, shape, blinks) = Self.shapes[index]
    let test = TestTerminal()
    test.feed("\(csi)\(code) q")
    #expect(test.terminal.cursor.shape == shape)
    #expect(test.terminal.cursor.blinks == blinks)
  }

  @Test("character sets: designated, locked and shifted once")
  func characterSets() {
    let test = TestTerminal(rows: 1, columns: 12)
    test.feed("\(esc)(0q\(esc)(Bq\(esc))0\u{0E}x\u{0F}x\(esc)*A\(esc)N##\(esc)+0\(esc)Oaa\(esc)n#")
    #expect(test.screen == ["─q│x£#▒a£"])
  }

  @Test("line feed mode returns the carriage")
  func newLineMode() {
    let test = TestTerminal(rows: 2, columns: 4)
    test.feed("\(csi)20hab\nc")
    #expect(test.screen == ["ab", "c"])
    #expect(test.terminal.modes.newLine)
  }
}
