import Testing

@testable import TermindTerminal

@Suite("Guessed echoes") struct EchoPredictorTests {
  private static let prompt = "\(osc)133;A\(st)$ \(osc)133;B\(st)"
  private let test = TestTerminal(rows: 4, columns: 20)
  private let start = ContinuousClock.now

  private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  private func type(_ text: String, _ predictor: inout EchoPredictor, at milliseconds: Int = 0) {
    for character in text {
      predictor.typed(Array(String(character).utf8), on: test.terminal, at: time(milliseconds))
    }
  }

  private func echo(_ text: String, _ predictor: inout EchoPredictor, at milliseconds: Int) {
    test.feed(text)
    predictor.printed(on: test.terminal, at: time(milliseconds))
  }

  private func cells(_ predictor: EchoPredictor) -> [EchoPredictor.Guess.Cell] {
    predictor.guess(on: test.terminal)?.cells ?? []
  }

  /// The letters that are guessed; a dot for each that is to be gone.
  private func shown(_ predictor: EchoPredictor) -> String {
    String(
      String.UnicodeScalarView(cells(predictor).compactMap { Unicode.Scalar($0.scalar ?? 0x2E) })
    )
  }

  private func erase(_ predictor: inout EchoPredictor, at milliseconds: Int) {
    predictor.typed([0x7F], on: test.terminal, at: time(milliseconds))
  }

  @Test("at a marked prompt the first key is shown, until its echo has come")
  func prompt() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("ls", &predictor)
    #expect(shown(predictor) == "ls")
    #expect(cells(predictor).map(\.column) == [2, 3])
    #expect(predictor.guess(on: test.terminal)?.cursorColumn == 4)
    echo("l", &predictor, at: 200)
    #expect(shown(predictor) == "s")
    echo("s", &predictor, at: 210)
    #expect(shown(predictor).isEmpty)
  }

  @Test("without marks it is shown from the first echo on")
  func unmarked() {
    var predictor = EchoPredictor(mode: .on)
    test.feed("> ")
    type("a", &predictor)
    #expect(shown(predictor).isEmpty)
    echo("a", &predictor, at: 200)
    type("bc", &predictor, at: 300)
    #expect(shown(predictor) == "bc")
  }

  @Test("a password is never shown: nothing of it is echoed")
  func password() {
    var predictor = EchoPredictor(mode: .on)
    test.feed("\(Self.prompt)sudo\r\n\(osc)133;C\(st)Password: ")
    type("secret", &predictor, at: 1_000)
    #expect(shown(predictor).isEmpty)
    echo("", &predictor, at: 1_200)
    #expect(shown(predictor).isEmpty)
    echo("\r\n", &predictor, at: 1_300)
    type("x", &predictor, at: 9_000)
    #expect(shown(predictor).isEmpty)
  }

  @Test("stars in place of letters end the guessing")
  func stars() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("se", &predictor)
    echo("*", &predictor, at: 200)
    #expect(shown(predictor).isEmpty)
    type("cret", &predictor, at: 900)
    #expect(shown(predictor).isEmpty)
  }

  @Test("there is none on the alternate screen")
  func alternate() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("v", &predictor)
    echo("\(csi)?1049h", &predictor, at: 100)
    type("jj", &predictor, at: 5_000)
    #expect(shown(predictor).isEmpty)
  }

  @Test(
    "Enter, arrows and pastes end it until the line is quiet",
    arguments: ["\r", "\u{1B}[D", "pasted text", "\u{754C}"]
  )
  func otherKeys(key: String) {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("ab", &predictor)
    predictor.typed(Array(key.utf8), on: test.terminal, at: time(10))
    #expect(shown(predictor).isEmpty)
    type("c", &predictor, at: 50)
    #expect(shown(predictor).isEmpty)
    echo("ab", &predictor, at: 100)
    // Nobody knows what reads now, until it has echoed something.
    type("d", &predictor, at: 2_000)
    #expect(shown(predictor).isEmpty)
    echo("d", &predictor, at: 2_100)
    type("e", &predictor, at: 2_200)
    #expect(shown(predictor) == "e")
    #expect(cells(predictor).first?.column == 5)
  }

  @Test(
    "a password is not shown either where the shell marks prompts, but not the start of commands"
  )
  func passwordBelowMark() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("sudo", &predictor)
    #expect(shown(predictor) == "sudo")
    predictor.typed([0x0D], on: test.terminal, at: time(10))
    echo("sudo\r\nPassword: ", &predictor, at: 200)
    for place in 0..<6 {
      type("s", &predictor, at: 2_000 + place * 300)
      #expect(shown(predictor).isEmpty)
    }
    test.feed("\r\n\(Self.prompt)")
    type("l", &predictor, at: 9_000)
    #expect(shown(predictor) == "l")
  }

  @Test("Backspace takes guesses back, and guessing goes on behind it, however the echoes come")
  func backspace() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("ab", &predictor)
    erase(&predictor, at: 10)
    #expect(shown(predictor) == "a")
    type("cd", &predictor, at: 20)
    #expect(shown(predictor) == "acd")
    #expect(predictor.guess(on: test.terminal)?.cursorColumn == 5)
    // Between its letter and the Backspace what is to stand there is shown over what does.
    echo("ab", &predictor, at: 200)
    #expect(shown(predictor) == "cd")
    #expect(cells(predictor).map(\.column) == [3, 4])
    echo("\u{8}\(csi)K", &predictor, at: 210)
    echo("c", &predictor, at: 220)
    #expect(shown(predictor) == "d")
    echo("d", &predictor, at: 230)
    #expect(shown(predictor).isEmpty)
    type("e", &predictor, at: 240)
    #expect(shown(predictor) == "e")
  }

  @Test("Backspace takes letters back that were echoed, and blanks them until the program does")
  func backspaceOverEchoes() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("abc", &predictor)
    echo("abc", &predictor, at: 200)
    erase(&predictor, at: 300)
    erase(&predictor, at: 310)
    #expect(shown(predictor) == "..")
    #expect(cells(predictor).map(\.column) == [3, 4])
    #expect(predictor.guess(on: test.terminal)?.cursorColumn == 3)
    type("x", &predictor, at: 320)
    #expect(shown(predictor) == "x.")
    // All in one piece, the way other line editors erase.
    echo("\u{8} \u{8}\u{8} \u{8}x", &predictor, at: 500)
    #expect(shown(predictor).isEmpty)
    #expect(predictor.guess(on: test.terminal) == nil)
  }

  @Test(
    "a letter and its Backspace whose echoes come as one leave nothing behind, also not distrust"
  )
  func cancelledOut() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("a", &predictor)
    erase(&predictor, at: 10)
    echo("a\u{8}\(csi)K", &predictor, at: 200)
    #expect(shown(predictor).isEmpty)
    type("b", &predictor, at: 9_000)
    #expect(shown(predictor) == "b")
  }

  @Test("Backspace past the prompt never guesses a cursor left of it, and typing goes on there")
  func backspaces() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("a", &predictor)
    for time in 0..<20 {
      erase(&predictor, at: time)
      #expect(shown(predictor).isEmpty)
      #expect((predictor.guess(on: test.terminal)?.cursorColumn ?? 2) == 2)
    }
    type("b", &predictor, at: 30)
    #expect(shown(predictor) == "b")
    #expect(cells(predictor).map(\.column) == [2])
  }

  @Test("Backspace into text that was not typed here is not guessed")
  func foreignText() {
    var predictor = EchoPredictor(mode: .on)
    test.feed("\(Self.prompt)recalled")
    erase(&predictor, at: 0)
    #expect(predictor.guess(on: test.terminal) == nil)
    type("x", &predictor, at: 10)
    #expect(shown(predictor).isEmpty)
    echo("\u{8}\(csi)K", &predictor, at: 200)
    type("y", &predictor, at: 2_000)
    #expect(shown(predictor).isEmpty)
    echo("y", &predictor, at: 2_200)
    type("z", &predictor, at: 2_300)
    #expect(shown(predictor) == "z")
  }

  @Test("a Backspace that the program echoes otherwise ends the guessing")
  func otherErasing() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("ab", &predictor)
    echo("ab", &predictor, at: 200)
    erase(&predictor, at: 300)
    echo("^?", &predictor, at: 500)
    type("c", &predictor, at: 510)
    #expect(shown(predictor).isEmpty)
  }

  @Test("nothing is guessed beside text, or at the edge")
  func places() {
    var predictor = EchoPredictor(mode: .on)
    test.feed("\(Self.prompt)word\(csi)4D")
    type("x", &predictor)
    #expect(shown(predictor).isEmpty)
    var other = EchoPredictor(mode: .on)
    test.feed("\r\n\(Self.prompt)12345678901234567")
    type("x", &other)
    #expect(shown(other).isEmpty)
  }

  @Test("what does not come true in time is taken back, and the next prompt begins anew")
  func expiry() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("d", &predictor)
    let early = predictor.expire(at: time(4_000))
    let late = predictor.expire(at: time(6_000))
    #expect(!early && late)
    #expect(shown(predictor).isEmpty)
    type("w", &predictor, at: 6_100)
    #expect(shown(predictor).isEmpty)
    test.feed("\r\n\(Self.prompt)")
    type("l", &predictor, at: 9_000)
    #expect(shown(predictor) == "l")
  }

  @Test("auto shows none until echoes were seen to be slow")
  func auto() {
    var predictor = EchoPredictor(mode: .auto)
    test.feed(Self.prompt)
    type("a", &predictor)
    #expect(shown(predictor).isEmpty)
    echo("a", &predictor, at: 30)
    type("b", &predictor, at: 40)
    #expect(shown(predictor).isEmpty)
    echo("b", &predictor, at: 640)
    type("c", &predictor, at: 700)
    #expect(shown(predictor) == "c")
  }

  @Test("off is off")
  func off() {
    var predictor = EchoPredictor(mode: .off)
    test.feed(Self.prompt)
    type("a", &predictor)
    #expect(shown(predictor).isEmpty)
  }
}
