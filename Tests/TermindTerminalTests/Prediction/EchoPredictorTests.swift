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

  private func shown(_ predictor: EchoPredictor) -> String {
    String(
      String.UnicodeScalarView(
        predictor.guesses(on: test.terminal).compactMap { Unicode.Scalar($0.scalar) }
      )
    )
  }

  @Test("at a marked prompt the first key is shown, until its echo has come")
  func prompt() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("ls", &predictor)
    #expect(shown(predictor) == "ls")
    #expect(predictor.guesses(on: test.terminal).map(\.column) == [2, 3])
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
    "Backspace, Enter, arrows and pastes end it until the line is quiet",
    arguments: ["\u{7F}", "\r", "\u{1B}[D", "pasted text", "\u{754C}"]
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
    type("d", &predictor, at: 2_000)
    #expect(shown(predictor) == "d")
    #expect(predictor.guesses(on: test.terminal).first?.column == 4)
  }

  @Test("Backspace past the prompt never guesses a cursor left of it")
  func backspaces() {
    var predictor = EchoPredictor(mode: .on)
    test.feed(Self.prompt)
    type("a", &predictor)
    for time in 0..<20 {
      predictor.typed([0x7F], on: test.terminal, at: self.time(time))
      #expect(predictor.guesses(on: test.terminal).isEmpty)
    }
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
