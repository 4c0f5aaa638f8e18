import FoundationEssentials
import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

/// Compares a canvas with a picture in `Golden/`, which `TERMIND_RECORD=1` writes anew.
enum GoldenScreen {
  /// The sizes of layouts: always 80 by 24, and a small and a large one.
  static let sizes = [(24, 80), (12, 40), (60, 200)]

  static let dark = Appearance(theme: ThemeLibrary.standard(dark: true), depth: .trueColor)

  static func window(_ rows: Int, _ columns: Int) -> CellRectangle {
    CellRectangle(rows: rows, columns: columns)
  }

  /// Draws into a canvas on the pane's ground and compares it.
  static func expect(
    _ name: String,
    rows: Int,
    columns: Int,
    look: Appearance = dark,
    location: SourceLocation = #_sourceLocation,
    draw: (inout Canvas, CellRectangle) -> Void
  ) throws {
    var canvas = Canvas(rows: rows, columns: columns)
    let window = window(rows, columns)
    canvas.fill(rows: window.rowRange, columns: window.columnRange, style: look.paneStyle)
    draw(&canvas, window)
    let picture = picture(of: canvas)
    let path = "Tests/TermindPresentationTests/Golden/\(name)-\(columns)x\(rows).screen"
    if Checkout.records { try Checkout.write(picture, to: path) }
    let golden = try Checkout.text(path)
    if golden != picture {
      let lines = zip(golden.split(separator: "\n"), picture.split(separator: "\n"))
      let first = lines.first { $0 != $1 }.map { "\($0)\n\($1)" } ?? "other length"
      Issue.record("\(path) differs:\n\(first)", sourceLocation: location)
    }
  }

  /// Text rows inside a frame, the cursor, then style runs as `row:first-last style`.
  static func picture(of canvas: Canvas) -> String {
    let edge = "+" + String(repeating: "-", count: canvas.columns) + "+"
    var lines = [edge]
    lines += canvas.rowsText.map { "|\($0)|" }
    lines.append(edge)
    if let cursor = canvas.cursor { lines.append("cursor \(cursor.row):\(cursor.column)") }
    for row in 0..<canvas.rows {
      var start = 0
      var style = canvas.cell(row: row, column: 0)?.style ?? .plain
      for column in 1...canvas.columns {
        let next = canvas.cell(row: row, column: column)?.style
        guard next != style else { continue }
        lines.append("\(row):\(start)-\(column - 1) \(words(style))")
        start = column
        style = next ?? .plain
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ style: ScreenStyle) -> String {
    var words = [color(style.foreground), "on", color(style.background)]
    let names: [(ScreenAttributes, String)] = [
      (.bold, "bold"), (.faint, "faint"), (.italic, "italic"), (.inverse, "inverse"),
    ]
    words += names.filter { style.attributes.contains($0.0) }.map(\.1)
    if style.underline != .none { words.append("underlined") }
    return words.joined(separator: " ")
  }

  private static func color(_ color: ScreenColor) -> String {
    switch color {
    case .standard: "standard"
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue):
      ThemeColor(red: red, green: green, blue: blue).hex
    }
  }
}
