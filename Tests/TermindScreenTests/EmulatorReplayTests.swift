import TermindTerminal
import Testing

@testable import TermindScreen

/// The outer side against our own emulator, which was written independently of it.
@Suite("Frames and sessions in the emulator") struct EmulatorReplayTests {
  @Test("the bytes of any changes give the canvas back", arguments: 0..<16)
  func randomChanges(seed: Int) {
    var random = RandomCanvas(
      rows: 10,
      columns: 36,
      seed: UInt64(seed) + 900,
      clusters: RandomCanvas.any
    )
    var capabilities = ScreenCapabilities.full
    if seed & 1 != 0 { capabilities.leftRightMargins = false }
    if seed & 2 != 0 { capabilities.repeats = false }
    if seed & 4 != 0 { capabilities.erasesCharacters = false }
    capabilities.graphemeClusters = seed & 8 != 0
    var writer = FrameWriter(capabilities: capabilities)
    let terminal = Terminal(size: TerminalSize(rows: 10, columns: 36))
    terminal.feed(ScreenSession.enter(capabilities))
    for step in 0..<40 {
      for _ in 0..<(1 + step % 5) { random.change() }
      let bytes = writer.frame(random.canvas)
      terminal.feed(bytes)
      if let difference = Self.difference(terminal, random.canvas) {
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        Issue.record("seed \(seed) step \(step): \(difference)\n\(text)")
        return
      }
    }
    #expect(terminal.takeReplies().isEmpty)
    #expect(!terminal.isSynchronizedUpdateActive)
  }

  private static func difference(_ terminal: Terminal, _ canvas: Canvas) -> String? {
    for row in 0..<canvas.rows {
      var wrong: String?
      terminal.visitRow(row) { cell in
        guard wrong == nil, let wanted = canvas.cell(row: row, column: cell.column) else { return }
        let text = terminal.clusterText(cell)
        let shown = text.isEmpty ? " " : text
        if shown != wanted.text || cell.width != wanted.width {
          wrong =
            "row \(row) column \(cell.column): \(shown.debugDescription) width \(cell.width)"
            + " not \(wanted.text.debugDescription) width \(wanted.width)"
        } else {
          wrong = FrameHarness.difference(
            style(terminal.style(cell.styleIndex)),
            wanted.style,
            isBlank: wanted.text == " "
          ).map { "row \(row) column \(cell.column): \($0)" }
        }
      }
      if let wrong { return wrong }
    }
    let cursor = canvas.cursor.map { CellPosition(row: $0.row, column: $0.column) }
    let found = terminal.cursor.isVisible ? terminal.cursor.position : nil
    return found == cursor ? nil : "cursor \(String(describing: found))"
  }

  private static func style(_ style: TerminalStyle) -> ScreenStyle {
    ScreenStyle(
      foreground: color(style.foreground),
      background: color(style.background),
      underlineColor: color(style.underlineColor),
      underline: ScreenUnderline(rawValue: style.underline.rawValue) ?? .none,
      attributes: ScreenAttributes(rawValue: UInt8(truncatingIfNeeded: style.attributes.rawValue)),
      link: style.hyperlink
    )
  }

  private static func color(_ color: TerminalColor) -> ScreenColor {
    switch color {
    case .standard: .standard
    case .indexed(let index): .indexed(index)
    case .rgb(let red, let green, let blue): .rgb(red, green, blue)
    }
  }

  @Test(
    "the emulator's answers to our queries are all understood, however they are cut",
    arguments: 1..<8
  )
  func queries(chunk: Int) {
    let terminal = Terminal(size: TerminalSize(rows: 24, columns: 80))
    var capabilities = ScreenCapabilities(environment: [
      "TERM": "xterm-256color", "LANG": "C.UTF-8",
    ])
    terminal.feed(ScreenSession.enter(capabilities) + ScreenSession.queries(capabilities))
    var decoder = InputDecoder(capabilities: capabilities)
    let answers = terminal.takeReplies()
    for start in stride(from: 0, to: answers.count, by: chunk) {
      for event in decoder.feed(Array(answers[start..<min(start + chunk, answers.count)])) {
        guard case .reply(let reply) = event else {
          Issue.record("not a reply: \(event)")
          continue
        }
        capabilities.apply(reply)
      }
    }
    #expect(decoder.pendingTimeout == nil)
    #expect(capabilities.hasAnswered)
    #expect(capabilities.kittyKeyboard)
    #expect(capabilities.synchronizedOutput)
    #expect(capabilities.graphemeClusters)
    #expect(capabilities.colorSchemeReports)
    #expect(capabilities.sizeReports)
    #expect(capabilities.leftRightMargins)
    #expect(capabilities.terminalVersion != nil)
  }

  @Test(
    "leaving gives the emulator back as it was, also when done twice or from the middle of a sequence"
  )
  func session() {
    let terminal = Terminal(size: TerminalSize(rows: 24, columns: 80))
    terminal.feed(Array("\u{1B}[>1u$ hello".utf8))
    let before = terminal.modes
    let position = terminal.cursor.position
    var capabilities = ScreenCapabilities.full
    capabilities.terminalName = "xterm-256color"
    capabilities.kittyKeyboard = true
    capabilities.sizeReports = true
    capabilities.colorSchemeReports = true
    terminal.feed(ScreenSession.enter(capabilities) + ScreenSession.mouse(.allMotion))
    #expect(terminal.modes.isAlternateScreen)
    #expect(terminal.modes.kittyKeyboardFlags == ScreenSession.KeyboardFlags.usual.rawValue)
    terminal.feed(Array("\u{1B}[?2026h\u{1B}]8;;https://x/".utf8))
    for _ in 0..<2 {
      terminal.feed(ScreenSession.leave(capabilities))
      #expect(terminal.modes == before)
      #expect(terminal.cursor.position == position)
      #expect(terminal.cursor.isVisible)
      #expect(!terminal.isSynchronizedUpdateActive)
      #expect(terminal.text(row: 0).hasPrefix("$ hello"))
    }
  }
}
