import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("The pager") struct FilePagerTests {
  private static func key(_ text: String) throws -> KeyEvent { try KeyChord(text: text).event }

  private static func draw(_ pager: inout FilePager, rows: Int = 5, columns: Int = 20) -> [String] {
    var canvas = Canvas(rows: rows, columns: columns)
    pager.draw(
      on: &canvas,
      in: CellRectangle(rows: rows, columns: columns),
      GoldenScreen.dark
    )
    return canvas.rowsText.dropLast().map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  @Test("moves by lines, pages and to both ends, and stops there")
  func moves() throws {
    var pager = FilePager(title: "f", lines: (1...20).map { "line \($0)" })
    check(Self.draw(&pager).first == "line 1")
    for (key, first) in [
      ("j", "line 2"), ("space", "line 6"), ("k", "line 5"), ("b", "line 1"), ("k", "line 1"),
      ("G", "line 17"), ("j", "line 17"), ("g", "line 1"),
    ] {
      check(pager.handle(try Self.key(key)))
      check(Self.draw(&pager).first == first)
    }
    check(!pager.handle(try Self.key("q")))
  }

  @Test("finds in either case, on and back, and says when there is nothing")
  func finds() throws {
    var pager = FilePager(title: "f", lines: (1...40).map { $0 % 10 == 0 ? "Needle \($0)" : "hay" })
    _ = Self.draw(&pager)
    check(pager.find("needle"))
    check(Self.draw(&pager).contains("Needle 10"))
    check(pager.handle(try Self.key("n")))
    check(Self.draw(&pager).contains("Needle 20"))
    check(pager.handle(try Self.key("N")))
    check(Self.draw(&pager).contains("Needle 10"))
    check(!pager.find("pin"))
  }

  @Test("breaks a line without an end, and draws a file of nothing")
  func odd() throws {
    var long = FilePager(title: "f", bytes: [UInt8](repeating: 0x61, count: 100_000))
    check(Self.draw(&long).first == String(repeating: "a", count: 20))
    var empty = FilePager(title: "f", bytes: [])
    check(Self.draw(&empty).first == " Empty file")
    check(empty.handle(try Self.key("x")))
    check(Self.draw(&empty).first == " Empty file")
    check(!empty.find("a"))
  }

  @Test("no byte of a file reaches the terminal as a control")
  func controls() {
    var pager = FilePager(title: "f\u{1B}", bytes: Array(1...255))
    for line in Self.draw(&pager, rows: 12, columns: 300) {
      #expect(
        line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
      )
    }
  }
}

/// Expects something of a mutating call, which the macro itself cannot take.
func check(_ value: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(value, sourceLocation: sourceLocation)
}
