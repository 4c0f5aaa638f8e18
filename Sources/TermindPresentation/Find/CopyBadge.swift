public import TermindDomain
public import TermindScreen

/// Says at the end of a pane's title that keys move about in its text, and where.
public struct CopyBadge: Hashable, Sendable {
  /// The row and how many there are.
  public var position: String

  /// Makes a badge.
  public init(position: String) { self.position = position }

  /// Draws it over the end of the title.
  public func draw(on canvas: inout Canvas, in line: CellRectangle, _ look: Appearance) {
    let style = look.style(.accent, on: .selection, bold: true)
    let candidates = [" COPY \(position) ", " COPY "]
    guard let text = candidates.first(where: { $0.utf8.count + 4 <= line.columns }) else { return }
    canvas.put(
      [TextSpan(text, style)],
      row: line.row,
      endingAt: line.endColumn - 1,
      limit: line.columns
    )
  }
}
