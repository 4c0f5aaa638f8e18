import Testing

@testable import TermindScreen

@Suite("Canvas") struct CanvasTests {
  @Test("overwriting one half of a wide cell blanks the other")
  func halves() {
    var canvas = Canvas(rows: 1, columns: 6)
    canvas.put("漢字", row: 0, column: 1, limit: 5)
    #expect(canvas.text(row: 0) == " 漢字 ")
    canvas.set(row: 0, column: 2, scalar: 0x78, width: 1, style: .plain)
    #expect(canvas.text(row: 0) == "  x字 ")
    canvas.set(row: 0, column: 3, scalar: 0x79, width: 1, style: .plain)
    #expect(canvas.text(row: 0) == "  xy  ")
  }

  @Test("a wide cell over the left half of another leaves no half behind")
  func wideOverWide() {
    var canvas = Canvas(rows: 1, columns: 6)
    canvas.put("漢字", row: 0, column: 1, limit: 5)
    canvas.set(row: 0, column: 2, scalar: 0x6F22, width: 2, style: .plain)
    #expect(canvas.text(row: 0) == "  漢  ")
  }

  @Test("a fill that cuts wide cells blanks their other halves")
  func fillCuts() {
    var canvas = Canvas(rows: 1, columns: 8)
    canvas.put("漢字漢字", row: 0, column: 0, limit: 8)
    canvas.fill(rows: 0..<1, columns: 1..<7, scalar: 0x2D)
    #expect(canvas.text(row: 0) == " ------ ")
  }

  @Test("a wide character at an edge becomes blank, on either side", arguments: [-1, 3])
  func wideAtEdge(column: Int) {
    var canvas = Canvas(rows: 1, columns: 4)
    canvas.fill(rows: 0..<1, columns: 0..<4, scalar: 0x2E)
    canvas.set(row: 0, column: column, scalar: 0x6F22, width: 2, style: .plain)
    #expect(canvas.text(row: 0) == (column < 0 ? " ..." : "... "))
  }

  @Test("put says how many columns it took and stops before what does not fit")
  func put() {
    var canvas = Canvas(rows: 1, columns: 20)
    #expect(canvas.put("hello", row: 0, column: 0, limit: 3) == 3)
    #expect(canvas.put("漢字", row: 0, column: 5, limit: 3) == 2)
    #expect(canvas.put("ab", row: 0, column: 10, limit: 0) == 0)
    #expect(canvas.put("abc", row: 0, column: 18, limit: 9) == 3)
    #expect(canvas.put("x", row: 7, column: 0, limit: 9) == 1)
    #expect(canvas.text(row: 0) == "hel  漢           ab")
  }

  @Test("a mark joins the ASCII letter before it")
  func mark() throws {
    var canvas = Canvas(rows: 1, columns: 4)
    #expect(canvas.put("ae\u{301}b", row: 0, column: 0, limit: 4) == 3)
    #expect(try #require(canvas.cell(row: 0, column: 1)).text == "e\u{301}")
  }

  @Test(
    "nothing that acts on a terminal gets into a cell",
    arguments: [
      "\u{1B}[31m", "a\rb\nc\td", "\u{7}\u{8}\u{7F}", "\u{9B}31m\u{90}", "\u{202E}abc\u{2066}",
      "\u{200E}\u{200F}\u{61C}", "\u{2028}x\u{2029}", "\u{FEFF}\u{FFF9}", "a\u{1B}\u{301}", "\r\n",
    ]
  )
  func sanitised(text: String) {
    var canvas = Canvas(rows: 2, columns: 60)
    canvas.put(text, row: 0, column: 0, limit: 60)
    canvas.set(row: 1, column: 0, cluster: text, width: 1, style: .plain)
    for (column, scalar) in text.unicodeScalars.enumerated() {
      canvas.set(row: 1, column: 2 + column, scalar: scalar.value, width: 1, style: .plain)
    }
    let shown = canvas.rowsText.joined()
    #expect(shown.unicodeScalars.allSatisfy { ContentFilter.isShowable($0.value) })
    var writer = FrameWriter(capabilities: .full)
    var terminal = ReplayTerminal(rows: 2, columns: 60)
    terminal.feed(writer.frame(canvas))
    #expect(terminal.unknown.isEmpty)
  }

  @Test(
    "values that are no scalars become U+FFFD",
    arguments: [0xD800, 0xDFFF, 0x11_0000, UInt32.max]
  )
  func invalidScalars(value: UInt32) {
    var canvas = Canvas(rows: 1, columns: 2)
    canvas.set(row: 0, column: 0, scalar: value, width: 1, style: .plain)
    #expect(canvas.text(row: 0) == "\u{FFFD} ")
  }

  @Test("a mark without a base gets one, so that it stays in its cell")
  func loneMark() throws {
    var canvas = Canvas(rows: 1, columns: 4)
    canvas.set(row: 0, column: 1, scalar: 0x301, width: 1, style: .plain)
    #expect(try #require(canvas.cell(row: 0, column: 1)).text == " \u{301}")
  }

  @Test("a cluster without end is cut")
  func longCluster() throws {
    var canvas = Canvas(rows: 1, columns: 4)
    let pile = "a" + String(repeating: "\u{301}", count: 5_000)
    canvas.set(row: 0, column: 0, cluster: pile, width: 1, style: .plain)
    #expect(try #require(canvas.cell(row: 0, column: 0)).text.unicodeScalars.count == 32)
  }

  @Test("a clip keeps drawing inside, and the right pane out of the left one")
  func clip() {
    var canvas = Canvas(rows: 3, columns: 12)
    canvas.fill(rows: 0..<3, columns: 0..<6, scalar: 0x2E)
    canvas.clip(rows: 1..<2, columns: 6..<12)
    for column in -2..<14 {
      canvas.set(row: 1, column: column, scalar: 0x6F22, width: 2, style: .plain)
      canvas.set(row: 2, column: column, scalar: 0x78, width: 1, style: .plain)
      canvas.put("漢字", row: 1, column: column, limit: 4)
    }
    canvas.fill(rows: 0..<3, columns: 0..<12, scalar: 0x23)
    canvas.restyle(rows: 0..<3, columns: 0..<12) { _ in ScreenStyle(attributes: .bold) }
    #expect(canvas.rowsText == ["......      ", "......######", "......      "])
    #expect(canvas.cell(row: 0, column: 0)?.style == .plain)
    canvas.removeClip()
    canvas.set(row: 0, column: 0, scalar: 0x79, width: 1, style: .plain)
    #expect(canvas.text(row: 0).first == "y")
  }

  @Test("restyle changes wide cells as a whole and asks once a style")
  func restyle() {
    var canvas = Canvas(rows: 1, columns: 6)
    canvas.put("漢字ab", row: 0, column: 0, limit: 6)
    var calls = 0
    canvas.restyle(rows: 0..<1, columns: 1..<3) { style in
      calls += 1
      var style = style
      style.attributes.insert(.inverse)
      return style
    }
    #expect(calls == 1)
    let inverted = (0..<6).filter { canvas.cell(row: 0, column: $0)?.style.attributes == .inverse }
    #expect(inverted == [0, 1, 2, 3])
    #expect(canvas.text(row: 0) == "漢字ab")
  }

  @Test("sizes of zero and less are a canvas without cells")
  func empty() {
    for (rows, columns) in [(0, 0), (0, 80), (24, 0), (-3, -3)] {
      var canvas = Canvas(rows: rows, columns: columns)
      canvas.put("abc", row: 0, column: 0, limit: 3)
      canvas.fill(rows: 0..<10, columns: 0..<10)
      canvas.restyle(rows: -5..<10, columns: -5..<10) { $0 }
      canvas.clip(rows: 0..<4, columns: 0..<4)
      canvas.set(row: 0, column: 0, scalar: 0x6F22, width: 2, style: .plain)
      var writer = FrameWriter(capabilities: .full)
      #expect(writer.frame(canvas).isEmpty)
    }
  }

  @Test("a style index of elsewhere is plain")
  func strangeIndex() {
    var canvas = Canvas(rows: 1, columns: 1)
    canvas.set(row: 0, column: 0, scalar: 0x61, width: 1, style: StyleIndex(rawValue: 900))
    #expect(canvas.cell(row: 0, column: 0)?.style == .plain)
  }

  @Test("endless new styles do not grow the tables for ever")
  func renewal() {
    var canvas = Canvas(rows: 10, columns: 100)
    var harness = FrameHarness(rows: 10, columns: 100)
    var renewals = 0
    for frame in 0..<40 {
      if !canvas.beginFrame(rows: 10, columns: 100) { renewals += 1 }
      for spot in 0..<1_000 {
        let number = frame * 1_000 + spot
        let style = canvas.intern(
          ScreenStyle(foreground: .rgb(UInt8(number >> 12 & 255), UInt8(number >> 4 & 255), 9))
        )
        canvas.set(row: spot / 100, column: spot % 100, scalar: 0x61, width: 1, style: style)
      }
      canvas.put("e\u{301}", row: 0, column: 0, limit: 1)
      canvas.put(String(repeating: "x\u{301}", count: frame), row: 1, column: 0, limit: 100)
      harness.show(canvas)
    }
    #expect(harness.difference(from: canvas) == nil)
    #expect(canvas.styles.count < 20_000)
    #expect(renewals <= 3)
  }
}
