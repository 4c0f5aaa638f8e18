import Testing

@testable import TermindScreen

@Suite("Screen session") struct SessionTests {
  private static var modern: ScreenCapabilities {
    var capabilities = ScreenCapabilities.full
    capabilities.terminalName = "xterm-256color"
    capabilities.kittyKeyboard = true
    capabilities.colorSchemeReports = true
    capabilities.sizeReports = true
    capabilities.graphemeClusters = true
    capabilities.turnsGraphemeClustersOn = true
    return capabilities
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The private modes that a string leaves on.
  private func modesOn(_ bytes: [UInt8]) -> Set<Int> {
    var modes: Set<Int> = []
    for part in text(bytes).split(separator: "\u{1B}[?") {
      let digits = part.prefix { $0.isNumber }
      guard let mode = Int(digits), let final = part.dropFirst(digits.count).first else { continue }
      if final == "h" { modes.insert(mode) }
      if final == "l" { modes.remove(mode) }
    }
    return modes
  }

  @Test("entering turns on what the terminal has")
  func enter() {
    let modes = modesOn(ScreenSession.enter(Self.modern))
    #expect(modes == [1049, 2004, 1004, 1002, 1006, 2027, 2031, 2048])
    #expect(text(ScreenSession.enter(Self.modern)).contains("\u{1B}[>7u"))
    #expect(!text(ScreenSession.enter(.bare)).contains("u"))
  }

  @Test("leaving turns off everything, whatever mouse reports were on")
  func leave() {
    let motion = ScreenSession.mouse(.allMotion)
    let whole = ScreenSession.enter(Self.modern) + motion + ScreenSession.leave(Self.modern)
    #expect(modesOn(whole) == [7, 25])
    #expect(modesOn(ScreenSession.leave(Self.modern)) == [7, 25])
  }

  @Test("the keyboard is popped on the alternate screen, so a second time pops nothing else")
  func leaveTwice() throws {
    let leave = text(ScreenSession.leave(Self.modern))
    let alternate = try #require(leave.firstRange(of: "\u{1B}[?1049h"))
    let pop = try #require(leave.firstRange(of: "\u{1B}[<u"))
    let back = try #require(leave.firstRange(of: "\u{1B}[?1049l"))
    #expect(alternate.upperBound <= pop.lowerBound)
    #expect(pop.upperBound <= back.lowerBound)
  }

  @Test("answers that come later turn on only what is new")
  func change() {
    #expect(ScreenSession.change(from: Self.modern, to: Self.modern).isEmpty)
    var old = Self.modern
    old.kittyKeyboard = false
    old.modifyOtherKeys = true
    #expect(text(ScreenSession.change(from: old, to: Self.modern)) == "\u{1B}[>4m\u{1B}[>7u")
  }

  @Test("a terminal that always measures by cluster is left to it")
  func clustersAlreadyOn() {
    var capabilities = Self.modern
    capabilities.apply(.mode(2027, .set))
    let whole = ScreenSession.enter(capabilities) + ScreenSession.leave(capabilities)
    #expect(capabilities.graphemeClusters)
    #expect(!text(whole).contains("2027"))
  }

  @Test("the last question is the one that everyone answers")
  func queries() {
    #expect(text(ScreenSession.queries()).hasSuffix("\u{1B}[c"))
    var console = ScreenCapabilities.bare
    console.terminalName = "linux"
    #expect(text(ScreenSession.queries(console)) == "\u{1B}[c")
  }

  @Test("a plain console gets no sequence that it would print")
  func console() {
    var console = ScreenCapabilities.bare
    console.terminalName = "linux"
    for bytes in [ScreenSession.enter(console), ScreenSession.leave(console)] {
      #expect(!text(bytes).contains("\u{1B}[>"))
      #expect(!text(bytes).contains("\u{1B}[<"))
      #expect(!text(bytes).contains("\u{1B}]"))
    }
  }

  @Test("keyboard flags are set only where the protocol is")
  func keyboard() {
    #expect(
      text(ScreenSession.keyboard([.disambiguate, .allKeys, .text], Self.modern)) == "\u{1B}[=25;1u"
    )
    #expect(ScreenSession.keyboard(.usual, .bare).isEmpty)
  }

  @Test("a title cannot end its own sequence and is bounded")
  func title() {
    let title = text(ScreenSession.title("a\u{1B}\\\u{7}b\u{9C}\u{202E}c", Self.modern))
    #expect(title == "\u{1B}]2;a\\bc\u{1B}\\")
    #expect(ScreenSession.title(String(repeating: "x", count: 9_000), Self.modern).count < 300)
    var console = ScreenCapabilities.bare
    console.terminalName = "linux"
    #expect(ScreenSession.title("x", console).isEmpty)
  }

  @Test("a size of nothing is not usable, and absurd ones are cut")
  func sizes() {
    #expect(!ScreenSize(rows: 0, columns: 80).isUsable)
    #expect(!ScreenSize(rows: 24, columns: -1).isUsable)
    #expect(ScreenSize(rows: 24, columns: 80).isUsable)
    #expect(ScreenSize(rows: 1_000_000, columns: 1_000_000).columns == 10_000)
  }
}
