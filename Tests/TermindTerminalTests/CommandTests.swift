import TermindTerminal
import Testing

/// What the terminal knows of the commands of a shell that marks them.
@Suite("Commands of a shell") struct CommandTests {
  private static let a = "\(osc)133;A\(st)"
  private static let b = "\(osc)133;B\(st)"

  private func command(
    _ text: String,
    prints output: String,
    status: Int = 0,
    told: String = "",
    milliseconds: Int? = nil
  ) -> String {
    let time = milliseconds.map { ";duration_ms=\($0)" } ?? ""
    return "\(Self.a)$ \(Self.b)\(text)\r\n\(osc)133;C\(told)\(st)\(output)"
      + "\(osc)133;D;\(status)\(time)\(st)"
  }

  private func commands(_ test: TestTerminal) -> [TerminalEvent] {
    test.terminal.takeEvents().filter {
      switch $0 {
      case .commandStarted, .commandEnded: true
      default: false
      }
    }
  }

  @Test("the shell's own word for the command is taken, lines and all, without control characters")
  func told() {
    let test = TestTerminal(rows: 6, columns: 20)
    test.feed(
      command(
        "x",
        prints: "",
        status: 3,
        told: ";cmdline_url=echo%20a%0Ab%3B%1b%C3%A9",
        milliseconds: 1_500
      )
    )
    #expect(
      commands(test) == [
        .commandStarted("echo a\nb;\u{E9}"),
        .commandEnded(CommandResult(status: 3, duration: .milliseconds(1_500))),
      ]
    )
  }

  @Test("else what stands between prompt and output, also when it is wrapped")
  func cells() {
    let test = TestTerminal(rows: 8, columns: 10)
    test.feed(command("ls  -l wide-\u{754C}-name", prints: "out\r\n"))
    #expect(commands(test).first == .commandStarted("ls  -l wide-\u{754C}-name"))
  }

  @Test(
    "a command of several lines that nobody told is not guessed; neither is one without a prompt"
  )
  func unknown() {
    let test = TestTerminal(rows: 8, columns: 10)
    test.feed("\(Self.a)$ \(Self.b)for\r\n> x\r\n\(osc)133;C\(st)")
    #expect(commands(test) == [.commandStarted(nil)])
    test.feed("\(osc)133;D\(st)\(osc)133;C\(st)")
    #expect(commands(test) == [.commandEnded(CommandResult()), .commandStarted(nil)])
  }

  @Test("an end without a command, and one on the alternate screen, say nothing")
  func strayEnds() {
    let test = TestTerminal()
    test.feed("\(osc)133;D;1\(st)\(csi)?1049h\(osc)133;C\(st)\(osc)133;D;1\(st)")
    #expect(commands(test).isEmpty)
  }

  @Test(
    "what a command came to stays with its prompt on a screen of more and of fewer rows",
    arguments: [(10, 10), (10, 14), (2, 10), (2, 7), (4, 7)],
    [false, true]
  )
  func otherHeight(size: (rows: Int, columns: Int), isAlternate: Bool) {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed(command("bad", prints: "", status: 2) + "\(Self.a)$ ")
    if isAlternate { test.feed("\(csi)?1049h") }
    test.terminal.resize(to: TerminalSize(rows: size.rows, columns: size.columns))
    test.terminal.resize(to: TerminalSize(rows: 4, columns: 10))
    if isAlternate { test.feed("\(csi)?1049l") }
    #expect(test.terminal.commandResult(row: 0)?.status == 2)
  }

  @Test("what a command came to stays with its prompt, in the scrollback and at another width")
  func results() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed(command("bad", prints: "long text of it\r\n", status: 2))
    test.feed(command("good", prints: "") + "\(Self.a)$ ")
    #expect(test.terminal.commandResult(row: 0, scrolledBack: 1)?.status == 2)
    #expect(test.terminal.commandResult(row: 0)?.status == nil)
    #expect(test.terminal.commandResult(row: 2)?.status == 0)
    #expect(test.terminal.commandResult(row: 3) == nil)
    for columns in [5, 30, 10] {
      test.terminal.resize(to: TerminalSize(rows: 4, columns: columns))
      let found = (0..<4).map { row in test.terminal.commandResult(row: row)?.status }
      let above = (1...max(test.terminal.scrollbackRows, 1)).map { back in
        test.terminal.commandResult(row: 0, scrolledBack: back)?.status
      }
      #expect((found + above).compactMap(\.self).sorted() == [0, 2], "\(columns) columns")
    }
  }

  @Test("a prompt that is drawn again over a row takes its result away")
  func cleared() {
    let test = TestTerminal()
    test.feed(command("bad", prints: "", status: 1) + "\(csi)H\(csi)2J\(Self.a)$ ")
    #expect(test.terminal.commandResult(row: 0) == nil)
  }

  @Test(
    "the last output ends where the command did, with or without a newline",
    arguments: [
      ("one\r\ntwo\r\n", "one\ntwo"), ("no newline", "no newline"), ("1234567890", "1234567890"),
    ]
  )
  func output(printed: String, text: String) throws {
    let test = TestTerminal(rows: 6, columns: 10)
    test.feed(command("x", prints: printed) + "\(Self.a)$ \(Self.b)next")
    let output = try #require(test.terminal.lastOutput)
    #expect(test.terminal.text(of: output) == text)
  }

  @Test("at another width the marks of rows tell it")
  func outputAfterResize() throws {
    let test = TestTerminal(rows: 6, columns: 10)
    test.feed(command("x", prints: "one and more of it\r\ntwo\r\n") + "\(Self.a)$ \(Self.b)next")
    test.terminal.resize(to: TerminalSize(rows: 6, columns: 30))
    let output = try #require(test.terminal.lastOutput)
    #expect(test.terminal.text(of: output) == "one and more of it\ntwo")
  }

  @Test("there is no output of a command that printed nothing, and none without marks")
  func noOutput() {
    let test = TestTerminal()
    test.feed("text\r\n")
    #expect(test.terminal.lastOutput == nil)
    test.feed(command("true", prints: ""))
    #expect(test.terminal.lastOutput == nil)
  }

  @Test("a command that runs has output so far")
  func running() throws {
    let test = TestTerminal()
    test.feed("\(Self.a)$ \(Self.b)x\r\n\(osc)133;C\(st)so\r\nfar")
    #expect(test.terminal.isRunningCommand)
    let output = try #require(test.terminal.lastOutput)
    #expect(test.terminal.text(of: output) == "so\nfar")
  }

  @Test("results are bounded")
  func bounded() {
    let test = TestTerminal()
    for number in 0..<1_500 { test.feed(command("\(number)", prints: "", status: 1)) }
    let found = (1...test.terminal.scrollbackRows).count {
      test.terminal.commandResult(row: 0, scrolledBack: $0) != nil
    }
    #expect((990...1_000).contains(found))
  }
}
