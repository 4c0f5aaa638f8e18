import Testing

@testable import TermindScreen

@Suite("Frame writer") struct FrameWriterTests {
  /// The bytes of a second frame, after a first one that is not looked at.
  private func bytes(
    _ capabilities: ScreenCapabilities = .bare,
    rows: Int = 5,
    columns: Int = 40,
    from first: (inout Canvas) -> Void = { _ in },
    to second: (inout Canvas) -> Void
  ) -> String {
    var canvas = Canvas(rows: rows, columns: columns)
    first(&canvas)
    var writer = FrameWriter(capabilities: capabilities)
    _ = writer.frame(canvas)
    second(&canvas)
    return String(decoding: writer.frame(canvas), as: UTF8.self)
  }

  @Test("an unchanged canvas gives no bytes")
  func unchanged() {
    #expect(bytes(to: { _ in }).isEmpty)
  }

  @Test("one letter costs a move and the letter")
  func oneLetter() {
    #expect(bytes { $0.put("x", row: 2, column: 9, limit: 1) } == "\u{1B}[3;10Hx")
  }

  @Test("a short gap is drawn over, a long one is jumped")
  func gaps() {
    let text: (inout Canvas) -> Void = { $0.put("abcdefghijklmnop", row: 0, column: 0, limit: 40) }
    #expect(
      bytes(from: text) {
        $0.put("A", row: 0, column: 0, limit: 1)
        $0.put("D", row: 0, column: 3, limit: 1)
      } == "\rAbcD"
    )
    #expect(
      bytes(from: text) {
        $0.put("A", row: 0, column: 0, limit: 1)
        $0.put("P", row: 0, column: 15, limit: 1)
      } == "\rA\u{1B}[14CP"
    )
  }

  @Test("the start of a row is one byte away")
  func carriageReturn() {
    #expect(
      bytes {
        $0.cursor = CanvasCursor(row: 1, column: 0)
        $0.put("ab", row: 1, column: 0, limit: 2)
      } == "\u{1B}[Bab\r\u{1B}[?25h"
    )
  }

  @Test("the end of a row is erased, in its colour only where erasing takes colours")
  func eraseToEnd() {
    let text: (inout Canvas) -> Void = {
      $0.put(String(repeating: "ab", count: 20), row: 0, column: 0, limit: 40)
    }
    #expect(bytes(from: text) { $0.fill(rows: 0..<1, columns: 4..<40) } == "\u{1B}[5G\u{1B}[K")
    let blue = ScreenStyle(background: .indexed(4))
    var colored = ScreenCapabilities.bare
    #expect(
      bytes(colored, from: text) { $0.fill(rows: 0..<1, columns: 4..<40, style: blue) }
        == "\u{1B}[5G\u{1B}[44m" + String(repeating: " ", count: 36)
    )
    colored.backColorErase = true
    #expect(
      bytes(colored, from: text) { $0.fill(rows: 0..<1, columns: 4..<40, style: blue) }
        == "\u{1B}[5G\u{1B}[44m\u{1B}[K"
    )
  }

  @Test("a blank stretch before other text is erased by count")
  func eraseByCount() {
    var capabilities = ScreenCapabilities.bare
    capabilities.erasesCharacters = true
    let text: (inout Canvas) -> Void = {
      $0.put(String(repeating: "ab", count: 20), row: 0, column: 0, limit: 40)
    }
    #expect(
      bytes(capabilities, from: text) { $0.fill(rows: 0..<1, columns: 0..<30) }
        == "\r\u{1B}[30X"
    )
  }

  @Test("equal characters are repeated by count only where the terminal can")
  func repeats() {
    var capabilities = ScreenCapabilities.bare
    let line: (inout Canvas) -> Void = {
      $0.fill(rows: 0..<1, columns: 0..<30, scalar: 0x2500)
    }
    #expect(bytes(capabilities, to: line) == String(repeating: "─", count: 30))
    capabilities.repeats = true
    #expect(bytes(capabilities, to: line) == "─\u{1B}[29b")
  }

  @Test("a frame is wrapped for showing at once, or the cursor hides while it is drawn")
  func wrapping() {
    var capabilities = ScreenCapabilities.bare
    let cursor: (inout Canvas) -> Void = { $0.cursor = CanvasCursor(row: 0, column: 0) }
    let letter: (inout Canvas) -> Void = {
      $0.cursor = CanvasCursor(row: 0, column: 1)
      $0.put("x", row: 0, column: 0, limit: 1)
    }
    #expect(bytes(capabilities, from: cursor, to: letter) == "\u{1B}[?25lx\u{1B}[?25h")
    capabilities.synchronizedOutput = true
    #expect(bytes(capabilities, from: cursor, to: letter) == "\u{1B}[?2026hx\u{1B}[?2026l")
    // A cursor that only moves needs neither.
    #expect(
      bytes(capabilities, from: cursor) { $0.cursor = CanvasCursor(row: 0, column: 1) }
        == "\u{1B}[C"
    )
  }

  @Test("the cursor takes its form where the terminal has forms")
  func cursorForm() {
    var capabilities = ScreenCapabilities.bare
    let bar: (inout Canvas) -> Void = {
      $0.cursor = CanvasCursor(row: 0, column: 0, shape: .bar, blinks: true)
    }
    #expect(bytes(capabilities, to: bar) == "\u{1B}[?25h")
    capabilities.cursorShapes = true
    #expect(bytes(capabilities, to: bar) == "\u{1B}[5 q\u{1B}[?25h")
  }

  @Test("a cursor outside of the canvas is hidden")
  func cursorOutside() {
    let here: (inout Canvas) -> Void = { $0.cursor = CanvasCursor(row: 0, column: 0) }
    for (row, column) in [(-1, 0), (5, 0), (0, 40), (0, -1)] {
      #expect(
        bytes(from: here) { $0.cursor = CanvasCursor(row: row, column: column) } == "\u{1B}[?25l"
      )
    }
  }

  @Test("a link is opened once and closed, with everything but ASCII encoded")
  func links() {
    var capabilities = ScreenCapabilities.bare
    let style = ScreenStyle(link: "https://x/ü \u{1B}]")
    let text: (inout Canvas) -> Void = {
      $0.put("abc", row: 0, column: 0, limit: 3, style: style)
      $0.put("d", row: 0, column: 3, limit: 1)
    }
    #expect(bytes(capabilities, to: text) == "abcd")
    capabilities.hyperlinks = true
    #expect(
      bytes(capabilities, to: text)
        == "\u{1B}]8;id=1;https://x/%C3%BC%20%1B]\u{1B}\\abc\u{1B}]8;;\u{1B}\\d"
    )
  }

  @Test("a link that is too long is left out")
  func longLink() {
    var capabilities = ScreenCapabilities.bare
    capabilities.hyperlinks = true
    let style = ScreenStyle(link: "https://x/" + String(repeating: "a", count: 3_000))
    let text = bytes(capabilities) { $0.put("abc", row: 0, column: 0, limit: 3, style: style) }
    #expect(!text.contains("]8;"))
  }

  @Test("a new size clears and draws everything")
  func newSize() {
    var harness = FrameHarness(rows: 6, columns: 30)
    var canvas = Canvas(rows: 4, columns: 20)
    canvas.put("old", row: 3, column: 17, limit: 3)
    harness.show(canvas)
    canvas.beginFrame(rows: 6, columns: 30)
    canvas.put("new", row: 5, column: 27, limit: 3)
    harness.show(canvas)
    #expect(harness.difference(from: canvas) == nil)
    #expect(harness.lastText.contains("\u{1B}[2J"))
  }

  @Test("a change of what can be shown draws everything anew, any other change nothing")
  func newCapabilities() {
    var harness = FrameHarness(rows: 3, columns: 10)
    var canvas = Canvas(rows: 3, columns: 10)
    canvas.put("abc", row: 0, column: 0, limit: 3, style: ScreenStyle(foreground: .rgb(255, 0, 0)))
    harness.show(canvas)
    harness.writer.capabilities.defaultBackground = .rgb(1, 2, 3)
    harness.writer.capabilities.kittyKeyboard = true
    let unchanged = harness.show(canvas)
    #expect(unchanged == 0)
    harness.writer.capabilities.colorDepth = .indexed256
    harness.show(canvas)
    #expect(harness.terminal.cell(0, 0).style.foreground == .indexed(196))
  }

  @Test("without Unicode everything is ASCII and keeps its columns")
  func asciiFallback() {
    var capabilities = ScreenCapabilities.bare
    capabilities.unicode = false
    let text = bytes(capabilities, columns: 16) {
      $0.put("┌─┐│▌●漢é🙂⚡", row: 0, column: 0, limit: 16)
      $0.put("x", row: 0, column: 15, limit: 1)
    }
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text == "+-+||*?????!!  x")
  }

  @Test("a terminal whose cursor cannot be addressed gets nothing")
  func dumb() {
    var capabilities = ScreenCapabilities.bare
    capabilities.isAddressable = false
    let text = bytes(capabilities) { $0.put("x", row: 0, column: 0, limit: 1) }
    #expect(text.isEmpty)
  }
}
