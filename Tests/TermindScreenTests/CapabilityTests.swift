import Testing

@testable import TermindScreen

@Suite("Capabilities") struct CapabilityTests {
  private func detect(
    _ environment: [String: String],
    _ replies: [TerminalReply] = [],
    colors: Int = 256
  ) -> ScreenCapabilities {
    var terminfo = TerminfoDescription(name: environment["TERM"] ?? "xterm-256color")
    terminfo.colors = colors
    terminfo.repeats = true
    var capabilities = ScreenCapabilities(terminfo: terminfo, environment: environment)
    for reply in replies { capabilities.apply(reply) }
    return capabilities
  }

  @Test("the colour depth follows terminfo, COLORTERM and NO_COLOR")
  func colorDepth() {
    #expect(detect([:]).colorDepth == .indexed256)
    #expect(detect([:], colors: 8).colorDepth == .indexed16)
    #expect(detect([:], colors: 0).colorDepth == .monochrome)
    #expect(detect(["COLORTERM": "truecolor"], colors: 8).colorDepth == .trueColor)
    #expect(detect(["COLORTERM": "yes"]).colorDepth == .indexed256)
    #expect(detect(["COLORTERM": "24bit", "NO_COLOR": "1"]).colorDepth == .monochrome)
    #expect(detect(["COLORTERM": "24bit", "NO_COLOR": ""]).colorDepth == .trueColor)
    #expect(detect(["TERM": "xterm-kitty"]).colorDepth == .trueColor)
  }

  @Test("a terminal that names itself gets its colours, but not against NO_COLOR")
  func version() {
    let name = TerminalReply.version("foot(1.16.2)")
    #expect(detect([:], [name]).colorDepth == .trueColor)
    #expect(detect([:], [name]).hyperlinks)
    #expect(detect(["NO_COLOR": "1"], [name]).colorDepth == .monochrome)
    #expect(detect([:], [.version("nobody 1.0")]).colorDepth == .indexed256)
  }

  @Test("the locale decides about Unicode, in the C library's order")
  func locale() {
    #expect(detect(["LANG": "de_DE.UTF-8"]).unicode)
    #expect(detect(["LC_CTYPE": "C.utf8", "LANG": "C"]).unicode)
    #expect(!detect(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]).unicode)
    #expect(!detect(["LANG": "de_DE.ISO-8859-1"]).unicode)
    #expect(!detect([:]).unicode)
    #expect(detect(["LC_ALL": "", "LANG": "C.UTF-8"]).unicode)
    // A modern terminal outweighs a locale that says nothing, not one that says otherwise.
    #expect(detect([:], [.version("ghostty 1.2")]).unicode)
    #expect(!detect(["LANG": "C"], [.version("ghostty 1.2")]).unicode)
  }

  @Test("mode answers turn features on and off")
  func modes() {
    let answers: [TerminalReply] = [
      .mode(2026, .reset), .mode(2027, .permanentlySet), .mode(2031, .set), .mode(2048, .unknown),
      .mode(69, .permanentlyReset),
    ]
    let capabilities = detect([:], answers)
    #expect(capabilities.synchronizedOutput)
    #expect(capabilities.graphemeClusters)
    #expect(capabilities.colorSchemeReports)
    #expect(!capabilities.sizeReports)
    #expect(!capabilities.leftRightMargins)
  }

  @Test("any answer about keyboard flags means the protocol, which replaces xterm's own")
  func keyboard() {
    let capabilities = detect(
      [:],
      [.version("XTerm(390)"), .keyboardFlags(0), .primaryAttributes([64, 52])]
    )
    #expect(capabilities.kittyKeyboard)
    #expect(!capabilities.modifyOtherKeys)
    #expect(capabilities.clipboardWrite)
    #expect(capabilities.hasAnswered)
    #expect(detect([:], [.version("XTerm(390)")]).modifyOtherKeys)
  }

  @Test("apply says whether anything changed")
  func changes() {
    var capabilities = detect([:])
    let replies: [(TerminalReply, Bool)] = [
      (.mode(2026, .set), true), (.mode(2026, .set), false),
      (.cursorPosition(row: 1, column: 1), false),
      (.color(.background, red: 1, green: 2, blue: 3), true),
    ]
    for (reply, expected) in replies {
      let isChange = capabilities.apply(reply)
      #expect(isChange == expected)
    }
    #expect(capabilities.defaultBackground == .rgb(1, 2, 3))
  }

  @Test("a terminal that only calls itself xterm repeats nothing until it names itself")
  func repeats() {
    #expect(!detect(["TERM": "xterm-256color"]).repeats)
    #expect(detect(["TERM": "xterm-256color"], [.version("kitty(0.36)")]).repeats)
    #expect(detect(["TERM": "foot"]).repeats)
  }

  @Test("tmux is not asked to repeat, since it drops what is not ASCII, whatever TERM claims")
  func repeatsInTmux() {
    for term in ["xterm", "xterm-256color", "tmux-256color"] {
      #expect(!detect(["TERM": term], [.version("tmux 3.3a")]).repeats)
    }
  }

  @Test("inside a multiplexer the variables of the terminal outside say nothing")
  func multiplexer() {
    let inner = detect(["TERM": "tmux-256color", "TERM_PROGRAM": "ghostty", "VTE_VERSION": "7000"])
    #expect(!inner.hyperlinks)
    #expect(inner.colorDepth == .indexed256)
  }
}

@Suite("Terminfo") struct TerminfoTests {
  @Test("the entry of xterm-256color is read")
  func xterm() {
    let terminfo = TerminfoDescription.load(name: "xterm-256color")
    #expect(terminfo.entry == "xterm-256color")
    #expect(terminfo.colors == 256)
    #expect(terminfo.backColorErase)
    #expect(terminfo.erasesCharacters)
    #expect(terminfo.scrollRegions)
    #expect(terminfo.isAddressable)
    #expect(terminfo.keys[Array("\u{1B}OA".utf8)]?.code == .up)
  }

  @Test("the console's entry has eight colours and its own keys")
  func linux() {
    let terminfo = TerminfoDescription.load(name: "linux")
    #expect(terminfo.colors == 8)
    #expect(terminfo.keys[Array("\u{1B}[[A".utf8)]?.code == .function(1))
    #expect(!terminfo.cursorShapes)
  }

  @Test(
    "a new name is looked up as what it is like",
    arguments: ["xterm-ghostty", "foot-extra", "tmux-new"]
  )
  func relatives(name: String) {
    let terminfo = TerminfoDescription.load(name: name)
    #expect(terminfo.entry != nil)
    #expect(terminfo.isAddressable)
    #expect(terminfo.name == name)
  }

  @Test(
    "what is no terminal name is not looked up",
    arguments: ["", "../../etc/passwd", "a b", "x\u{1B}"]
  )
  func badNames(name: String) {
    let terminfo = TerminfoDescription.load(name: name)
    #expect(terminfo.entry == nil)
    #expect(!terminfo.isAddressable)
  }

  @Test("a terminal without an address for the cursor is not drawn on")
  func dumb() {
    #expect(!ScreenCapabilities(environment: ["TERM": "dumb"]).isAddressable)
  }

  @Test("entries can be read from several threads at once")
  func concurrent() async {
    let names = ["xterm-256color", "linux", "dumb", "vt100", "xterm-256color", "linux"]
    await withTaskGroup(of: Bool.self) { group in
      for name in names + names + names {
        group.addTask {
          let terminfo = TerminfoDescription.load(name: name)
          let colors = ["xterm-256color": 256, "linux": 8][name] ?? 0
          return terminfo.entry == name && terminfo.colors == colors
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
