@testable import TermindScreen

/// Draws anything anywhere.
struct RandomCanvas {
  var canvas: Canvas
  private var numbers: SeededNumbers
  private let styles: [ScreenStyle]
  private let clusters: [String]

  static let agreed = ["a", "b", "Z", "─", "│", "é", "漢", "字", "가", "x", "y", "#", " "]
  static let any =
    agreed + ["🙂", "👩‍👩‍👧", "❤️", "🇩🇪", "e\u{301}", "⚡", "1️⃣", "ﻻ", "नि", "\u{E0B0}", "👍🏽"]

  init(rows: Int, columns: Int, seed: UInt64, clusters: [String] = any, hasLinks: Bool = true) {
    canvas = Canvas(rows: rows, columns: columns)
    numbers = SeededNumbers(seed: seed)
    self.clusters = clusters
    var styles: [ScreenStyle] = [.plain]
    for _ in 0..<10 { styles.append(Self.style(&numbers, hasLinks: hasLinks)) }
    self.styles = styles
  }

  private static func color(_ numbers: inout SeededNumbers) -> ScreenColor {
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: .indexed(UInt8.random(in: 0...255, using: &numbers))
    case 1:
      .rgb(
        UInt8.random(in: 0...255, using: &numbers),
        UInt8.random(in: 0...255, using: &numbers),
        7
      )
    default: .standard
    }
  }

  private static func style(_ numbers: inout SeededNumbers, hasLinks: Bool) -> ScreenStyle {
    ScreenStyle(
      foreground: color(&numbers),
      background: color(&numbers),
      underlineColor: color(&numbers),
      underline: Bool.random(using: &numbers)
        ? .none : ScreenUnderline.allCases.randomElement(using: &numbers) ?? .none,
      attributes: ScreenAttributes(
        rawValue: UInt8.random(in: 0...255, using: &numbers)
          & UInt8.random(in: 0...255, using: &numbers)
      ),
      link: hasLinks && Int.random(in: 0..<6, using: &numbers) == 0 ? "https://example.com/a" : nil
    )
  }

  private mutating func number(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &numbers)
  }

  private mutating func area() -> (rows: Range<Int>, columns: Range<Int>) {
    let top = number(-1..<canvas.rows)
    let left = number(-1..<canvas.columns)
    return (
      top..<(top + number(1..<(canvas.rows + 1))), left..<(left + number(1..<(canvas.columns + 1)))
    )
  }

  /// Makes one change of a random kind.
  mutating func change() {
    let style = styles[number(0..<styles.count)]
    switch number(0..<12) {
    case 0:
      let area = area()
      canvas.fill(rows: area.rows, columns: area.columns, style: style)
    case 1:
      let area = area()
      canvas.fill(rows: area.rows, columns: area.columns, style: style, scalar: 0x2500)
    case 2:
      let area = area()
      canvas.restyle(rows: area.rows, columns: area.columns) { old in
        var new = old
        new.background = style.background
        return new
      }
    case 3...6:
      var text = ""
      for _ in 0..<number(1..<12) { text += clusters[number(0..<clusters.count)] }
      canvas.put(
        text,
        row: number(0..<canvas.rows),
        column: number(-2..<canvas.columns),
        limit: number(1..<(canvas.columns + 1)),
        style: style
      )
    case 7: scroll()
    case 8:
      canvas.cursor =
        Bool.random(using: &numbers)
        ? nil
        : CanvasCursor(
          row: number(0..<canvas.rows),
          column: number(0..<canvas.columns),
          shape: .bar
        )
    default:
      let cluster = clusters[number(0..<clusters.count)]
      let width = cluster.first.map { CellWidth.columns(of: $0) } ?? 1
      canvas.set(
        row: number(0..<canvas.rows),
        column: number(-1..<canvas.columns),
        cluster: cluster,
        width: width,
        style: canvas.intern(style)
      )
    }
  }

  /// Moves an area up or down, as a pane does.
  private mutating func scroll() {
    let area = area()
    let rows = area.rows.clamped(to: 0..<canvas.rows)
    let columns = area.columns.clamped(to: 0..<canvas.columns)
    let distance = number(1..<4)
    let isUp = Bool.random(using: &numbers)
    let old = canvas
    canvas.fill(rows: rows, columns: columns)
    for row in rows {
      let from = isUp ? row + distance : row - distance
      guard rows.contains(from) else { continue }
      for column in columns {
        guard let cell = old.cell(row: from, column: column), cell.width > 0 else { continue }
        guard column + cell.width <= columns.upperBound else { continue }
        canvas.set(
          row: row,
          column: column,
          cluster: cell.text,
          width: cell.width,
          style: canvas.intern(cell.style)
        )
      }
    }
  }
}
