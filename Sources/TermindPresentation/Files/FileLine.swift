import TermindDomain
import TermindScreen
import TermindUnicode

/// A line of a file as it is drawn, from some column on.
enum FileLine {
  static func spans(
    _ bytes: [UInt8],
    from first: Int,
    columns: Int,
    _ plain: ScreenStyle,
    _ escape: ScreenStyle
  ) -> [TextSpan] {
    var spans: [TextSpan] = []
    var run = ""
    var isEscape = false
    var column = 0
    func close() {
      if !run.isEmpty { spans.append(TextSpan(run, isEscape ? escape : plain)) }
      run = ""
    }
    for item in DisplayText(bytes: bytes) {
      defer { column += item.columns }
      guard column + item.columns > first else { continue }
      guard column + item.columns <= first + columns else { break }
      if item.isEscape != isEscape { close() }
      isEscape = item.isEscape
      // What begins left of the edge is not drawn by halves.
      run +=
        column < first ? String(repeating: " ", count: column + item.columns - first) : item.text
    }
    close()
    return spans
  }
}

extension FilesScreen {
  /// Draws the lowest line of the pager.
  func drawPagerFooter(
    _ text: (left: String, right: String),
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    canvas.clear(line, look.style(.text, on: .bar))
    if let input { return draw(input, on: &canvas, in: line, look) }
    let right = TextSpan(text.right, look.style(.dim, on: .bar))
    let showsRight = TextLine.columns(text.left) + right.columns + 4 <= line.columns
    let room = line.columns - 2 - (showsRight ? right.columns + 1 : 0)
    canvas.put(
      [TextSpan(TextLine.clipped(text.left, max(room, 0)), look.style(.text, on: .bar))],
      row: line.row,
      column: line.column + 1,
      limit: max(room, 0)
    )
    if showsRight {
      canvas.put([right], row: line.row, endingAt: line.endColumn - 1, limit: right.columns)
    }
  }
}
