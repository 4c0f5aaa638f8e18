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
}
