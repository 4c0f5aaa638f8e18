import Testing

@testable import TermindScreen

@Suite("Keeping a part of the last frame") struct CanvasCopyTests {
  @Test("takes the cells of an area over, and nothing else")
  func copies() {
    var canvas = Canvas(rows: 3, columns: 6)
    canvas.put("abcdef", row: 1, column: 0, limit: 6, style: ScreenStyle(foreground: .indexed(3)))
    let last = canvas
    canvas.beginFrame(rows: 3, columns: 6)
    canvas.put("xxxxxx", row: 1, column: 0, limit: 6, style: .plain)
    #expect(canvas.copy(1..<2, 2..<4, from: last) == true)
    #expect(canvas.text(row: 1) == "xxcdxx")
    #expect(canvas.cell(row: 1, column: 2)?.style.foreground == .indexed(3))
  }

  @Test("refuses a frame of another size, and an area outside")
  func refuses() {
    var canvas = Canvas(rows: 3, columns: 6)
    let last = canvas
    #expect(canvas.copy(0..<4, 0..<2, from: last) == false)
    canvas.beginFrame(rows: 4, columns: 6)
    #expect(canvas.copy(0..<2, 0..<2, from: last) == false)
  }

  @Test("what is drawn over the last frame changes only that")
  func drawsOver() {
    var canvas = Canvas(rows: 3, columns: 20)
    var harness = FrameHarness(rows: 3, columns: 20)
    canvas.put("the first row", row: 0, column: 0, limit: 20, style: .plain)
    canvas.put("the second row", row: 1, column: 0, limit: 20, style: .plain)
    harness.show(canvas)
    #expect(!canvas.needsRenewal)
    canvas.put("x", row: 1, column: 4, limit: 20, style: ScreenStyle(foreground: .indexed(3)))
    canvas.cursor = CanvasCursor(row: 1, column: 5)
    #expect(harness.show(canvas) < 60)
    #expect(harness.difference(from: canvas) == nil)
    #expect(harness.show(canvas) == 0)
    #expect(canvas.text(row: 0).hasPrefix("the first row"))
  }

  @Test("styles without end call for a frame that begins anew")
  func renewal() {
    var canvas = Canvas(rows: 1, columns: 1)
    for number in 0..<17_000 {
      _ = canvas.intern(
        ScreenStyle(foreground: .rgb(UInt8(number >> 8 & 255), UInt8(number & 255), 1))
      )
    }
    #expect(canvas.needsRenewal)
    #expect(canvas.beginFrame(rows: 1, columns: 1) == false)
    #expect(!canvas.needsRenewal)
  }
}
