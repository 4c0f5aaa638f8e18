import Testing

@testable import TermindScreen

@Suite("Scrolling") struct ScrollingTests {
  private static let rows = 20
  private static let columns = 60

  /// A pane of numbered lines beside a pane that stands still.
  private static func picture(
    first: Int,
    paneColumns: Range<Int>,
    other: Bool = true,
    clock: String = ""
  ) -> Canvas {
    var canvas = Canvas(rows: rows, columns: columns)
    for row in 1..<(rows - 1) {
      if other {
        canvas.put("still \(row * 7)", row: row, column: 0, limit: 18)
        canvas.put("│", row: row, column: paneColumns.lowerBound - 1, limit: 1)
      }
      let line = first + row
      canvas.put(
        "line \(line) " + String(repeating: "\(line % 7)ab", count: 9),
        row: row,
        column: paneColumns.lowerBound,
        limit: paneColumns.count,
        style: ScreenStyle(foreground: .indexed(UInt8(line % 5)))
      )
    }
    canvas.put(clock, row: 0, column: columns - 8, limit: 8)
    return canvas
  }

  @Test("a full-width pane that scrolled is scrolled by the terminal", arguments: [1, 3, -1, -4])
  func fullWidth(distance: Int) {
    var capabilities = ScreenCapabilities.full
    capabilities.leftRightMargins = false
    var harness = FrameHarness(
      rows: Self.rows,
      columns: Self.columns,
      capabilities: capabilities
    )
    harness.show(Self.picture(first: 100, paneColumns: 0..<60, other: false))
    let next = Self.picture(
      first: 100 + distance,
      paneColumns: 0..<60,
      other: false,
      clock: "10:00:01"
    )
    let bytes = harness.show(next)
    #expect(harness.difference(from: next) == nil)
    #expect(harness.lastText.contains(distance > 0 ? "S" : "T"))
    #expect(bytes < 60 + 60 * abs(distance))
  }

  @Test("a pane beside another is scrolled between margins where the terminal has them")
  func sideBySide() {
    var harness = FrameHarness(rows: Self.rows, columns: Self.columns)
    harness.show(Self.picture(first: 100, paneColumns: 20..<60))
    let next = Self.picture(first: 102, paneColumns: 20..<60, clock: "10:00:02")
    let bytes = harness.show(next)
    #expect(harness.difference(from: next) == nil)
    #expect(harness.lastText.contains("\u{1B}[?69h"))
    #expect(bytes < 250)
  }

  @Test("without margins a pane beside another is drawn again")
  func noMargins() {
    var capabilities = ScreenCapabilities.full
    capabilities.leftRightMargins = false
    var harness = FrameHarness(
      rows: Self.rows,
      columns: Self.columns,
      capabilities: capabilities
    )
    harness.show(Self.picture(first: 100, paneColumns: 20..<60))
    let next = Self.picture(first: 102, paneColumns: 20..<60)
    harness.show(next)
    #expect(harness.difference(from: next) == nil)
  }

  @Test("the best run of neighbours is found")
  func bestRun() throws {
    let run = try #require(ScrollPlanner.bestRun([1, -5, 3, -1, 4, -9, 2]))
    #expect(run.range == 2...4)
    #expect(run.gain == 6)
    #expect(ScrollPlanner.bestRun([-1, 0, -2]) == nil)
    #expect(ScrollPlanner.bestRun([]) == nil)
  }
}
