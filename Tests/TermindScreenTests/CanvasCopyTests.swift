import TermindScreen
import Testing

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
}
