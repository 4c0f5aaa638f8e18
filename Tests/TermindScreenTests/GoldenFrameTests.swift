import Testing

@testable import TermindScreen

@Suite("Golden frames") struct GoldenFrameTests {
  @Test("the bytes of any changes give the canvas back", arguments: 0..<24)
  func randomChanges(seed: Int) {
    var random = RandomCanvas(rows: 8, columns: 24, seed: UInt64(seed) + 1)
    var harness = FrameHarness(
      rows: 8,
      columns: 24,
      capabilities: seed.isMultiple(of: 2) ? .full : Self.partial(seed)
    )
    for step in 0..<60 {
      for _ in 0..<(1 + step % 5) { random.change() }
      harness.show(random.canvas)
      if let difference = harness.difference(from: random.canvas) {
        Issue.record(
          "seed \(seed) step \(step): \(difference)\n\(harness.lastText.debugDescription)"
        )
        return
      }
      let again = harness.show(random.canvas)
      #expect(again == 0)
    }
  }

  /// A terminal that lacks some things.
  private static func partial(_ seed: Int) -> ScreenCapabilities {
    var capabilities = ScreenCapabilities.full
    capabilities.backColorErase = seed & 2 != 0
    capabilities.erasesCharacters = seed & 4 != 0
    capabilities.repeats = seed & 8 != 0
    capabilities.leftRightMargins = false
    capabilities.scrollRegions = seed & 16 == 0
    return capabilities
  }

  @Test("a canvas made anew for each frame is diffed as well", arguments: 0..<6)
  func freshTables(seed: Int) {
    var harness = FrameHarness(rows: 6, columns: 20)
    for step in 0..<20 {
      var random = RandomCanvas(rows: 6, columns: 20, seed: UInt64(seed * 100 + step + 1))
      for _ in 0..<20 { random.change() }
      harness.show(random.canvas)
      #expect(harness.difference(from: random.canvas) == nil)
    }
  }

  @Test("copies that went different ways are told apart")
  func divergedCopies() {
    var first = Canvas(rows: 1, columns: 4)
    first.put("ab", row: 0, column: 0, limit: 4)
    var second = first
    first.put("x", row: 0, column: 0, limit: 1, style: ScreenStyle(foreground: .indexed(1)))
    second.put("x", row: 0, column: 0, limit: 1, style: ScreenStyle(foreground: .indexed(2)))
    var harness = FrameHarness(rows: 1, columns: 4)
    for canvas in [first, second, first] {
      harness.show(canvas)
      #expect(harness.difference(from: canvas) == nil)
    }
  }

  @Test("a redraw after invalidate gives the canvas back")
  func invalidated() {
    var random = RandomCanvas(rows: 5, columns: 20, seed: 77)
    for _ in 0..<40 { random.change() }
    var harness = FrameHarness(rows: 5, columns: 20)
    harness.show(random.canvas)
    harness.terminal.feed(Array("\u{1B}[2J\u{1B}[31mrubbish".utf8))
    harness.writer.invalidate()
    harness.show(random.canvas)
    #expect(harness.difference(from: random.canvas) == nil)
  }
}
