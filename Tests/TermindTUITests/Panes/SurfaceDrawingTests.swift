import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal
import Testing

@testable import TermindTUI

@MainActor
@Suite("Drawing a pane's screen over the last frame") struct SurfaceDrawingTests {
  private let size = TerminalSize(rows: 6, columns: 20)
  /// Beside others on the canvas.
  private let area = CellRectangle(row: 1, column: 3, rows: 6, columns: 20)
  private static let pieces = [
    "text", "漢字", "e\u{301}", "👍🏽", "\r\n", "\n", "\u{1B}[31m", "\u{1B}[4;58;2;1;2;3m",
    "\u{1B}[48;5;17m",
    "\u{1B}[0m", "\u{1B}[7m", "\u{1B}[2;5H", "\u{1B}[6;20H", "\u{1B}[K", "\u{1B}[1J", "\u{1B}[L",
    "\u{1B}[3M", "\u{1B}M", "\u{1B}#6", "\u{1B}#5", "\u{1B}[?5h", "\u{1B}[?5l", "\u{1B}[?1049h",
    "\u{1B}[?1049l", "\u{1B}]4;1;#123456\u{07}", "\u{1B}]104\u{07}", "\u{1B}]11;#010203\u{07}",
    "\u{1B}]111\u{07}", "\u{1B}]8;;https://example.org/\u{07}", "\u{1B}]8;;\u{07}", "\u{1B}[?25l",
    "\u{1B}[?25h", "\u{1B}[4@", "\u{1B}[2P", "\u{1B}c",
  ]

  private func frame() -> Canvas {
    var canvas = Canvas(rows: 8, columns: 26)
    canvas.fill(rows: 0..<8, columns: 0..<26, style: .plain)
    for row in 0..<8 {
      canvas.put("|||", row: row, column: 0, limit: 3)
      canvas.put("|||", row: row, column: 23, limit: 3)
    }
    return canvas
  }

  @Test("gives what drawing everything gives", arguments: 0..<30)
  func alike(seed: Int) throws {
    var random = Numbers(seed: UInt64(seed) + 1)
    let surface = Surface(size: size, configuration: TerminalConfiguration()) {}
    let feed = surface.feedOfNextProgram()
    var kept = frame()
    var drawn = SurfacePainter.Drawn()
    let capabilities = ScreenCapabilities(
      environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
    )
    var writer = FrameWriter(capabilities: capabilities)
    for round in 0..<120 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
        Array(piece.utf8).withUnsafeBytes { feed.received($0) }
      }
      kept.cursor = SurfacePainter.redraw(
        surface,
        in: area,
        theme: nil,
        over: &drawn,
        on: &kept
      )
      var whole = frame()
      whole.cursor = SurfacePainter.draw(
        surface,
        in: area,
        scrolledBack: 0,
        theme: nil,
        on: &whole
      )
      _ = writer.frame(kept)
      let difference = writer.frame(whole)
      #expect(difference.isEmpty, "seed \(seed), round \(round)")
      guard difference.isEmpty else { return }
    }
  }

  @Test("draws anew when the theme's colours are others")
  func theme() throws {
    let surface = Surface(size: size, configuration: TerminalConfiguration()) {}
    Array("text".utf8).withUnsafeBytes { surface.feedOfNextProgram().received($0) }
    var drawn = SurfacePainter.Drawn()
    var canvas = frame()
    for theme in [nil, ThemeLibrary.standard(dark: true), nil] {
      _ = SurfacePainter.redraw(surface, in: area, theme: theme, over: &drawn, on: &canvas)
      let cell = try #require(canvas.cell(row: 1, column: 3))
      #expect(cell.text == "t")
      #expect((cell.style.foreground == .standard) == (theme == nil))
    }
  }
}

/// The same numbers for the same seed.
private struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
