public import TermindDomain
public import TermindScreen

/// The lines between panes, drawn once, with each pane's title in the line above it.
public enum PaneFrames {
  /// Draws all borders of a layout; the cells around the focused pane stand out.
  ///
  /// - Parameters:
  ///   - layout: Where panes and borders are.
  ///   - faces: What the panes show of themselves; a pane without a face has a plain border.
  ///   - canvas: Where to draw.
  ///   - look: The looks.
  public static func draw(
    _ layout: SplitLayout,
    faces: [PaneFace],
    on canvas: inout Canvas,
    _ look: Appearance
  ) {
    let plain = look.style(.border, on: .pane)
    for border in layout.borders {
      let place = border.rectangle
      let glyph: Unicode.Scalar = border.isVertical ? "│" : "─"
      canvas.line(glyph, rows: place.rowRange, columns: place.columnRange, style: plain)
    }
    for junction in layout.junctions {
      canvas.mark(glyph(junction.arms), row: junction.row, column: junction.column, style: plain)
    }
    // The focused pane is the last, so that its colour wins where two meet.
    let marked = faces.filter { $0.isFocused || $0.isBroadcasting || $0.isRoot }
      .sorted { !$0.isFocused && $1.isFocused }
    for face in marked {
      guard let place = layout.rectangle(of: face.pane) else { continue }
      let style = look.style(face.borderInk, on: .pane)
      for border in layout.borders {
        let rows = border.rectangle.rowRange.clamped(to: (place.row - 1)..<(place.endRow + 1))
        let columns = border.rectangle.columnRange
          .clamped(to: (place.column - 1)..<(place.endColumn + 1))
        canvas.restyle(rows: rows, columns: columns) { _ in style }
      }
    }
    for face in faces {
      guard let line = layout.titleRectangle(of: face.pane) else { continue }
      drawTitle(face, on: &canvas, in: line, look)
    }
  }

  /// Draws a pane's title into a border row: name, host and path at the left, state at the right.
  public static func drawTitle(
    _ face: PaneFace,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    guard line.columns >= 4 else { return }
    let room = line.columns - 2
    // The name and its signs matter more than the state, the state more than its hint, and all more
    // than host and path.
    let badges = [
      face.hasBell, face.isBroadcasting, face.isZoomed, face.isRecording,
    ].count { $0 }
    let nameColumns = min(TextLine.columns(face.title), 10) + 2 + 3 * badges
    let candidates = [true, false].map { stateSpans(face, withHint: $0, look) }
    var right = candidates.first { TextLine.columns($0) + 1 + nameColumns <= room } ?? candidates[1]
    let rightRoom = max(room - nameColumns - 1, 0)
    if rightRoom < 6 { right = [] }
    let rightColumns = min(TextLine.columns(right), rightRoom)
    let leftRoom = rightColumns > 0 ? room - rightColumns - 1 : room
    let left = titleSpans(face, leftRoom, look)
    canvas.put(left, row: line.row, column: line.column + 1, limit: leftRoom)
    canvas.put(
      right,
      row: line.row,
      column: line.endColumn - 1 - rightColumns,
      limit: rightColumns
    )
  }

  private static func titleSpans(
    _ face: PaneFace,
    _ room: Int,
    _ look: Appearance
  ) -> [TextSpan] {
    let isWarning = face.isBroadcasting || face.isRoot
    let ink: Ink = isWarning ? .warning : face.isFocused ? .accent : .dim
    let title = look.style(ink, on: .pane, bold: face.isFocused)
    let dim = look.style(.dim, on: .pane)
    let mark = face.color.flatMap { look.mark($0, on: .pane) }
    var spans = [mark.map { TextSpan("▎", $0) } ?? TextSpan(" ", title)]
    spans.append(TextSpan(TextLine.clipped(face.title, max(room - 2, 1)), title))
    var used = TextLine.columns(spans) + 1
    func add(_ text: String, _ style: ScreenStyle) {
      let columns = TextLine.columns(text)
      guard used + columns <= room else { return }
      spans.append(TextSpan(text, style))
      used += columns
    }
    if face.hasBell { add(" !", look.style(.warning, on: .pane, bold: true)) }
    if face.isBroadcasting { add(" ⚡", look.style(.warning, on: .pane, bold: true)) }
    if face.isRecording { add(" ●rec", look.style(.danger, on: .pane, bold: true)) }
    if face.isZoomed { add(" Z", look.style(.accent, on: .pane, bold: true)) }
    if !face.host.isEmpty { add(" · " + face.host, dim) }
    if !face.path.isEmpty {
      let left = room - used - 1
      if left >= 8 || left >= TextLine.columns(face.path) {
        add(" " + TextLine.clippedAtStart(face.path, left), dim)
      }
    }
    spans.append(TextSpan(" ", dim))
    return spans
  }

  private static func stateSpans(
    _ face: PaneFace,
    withHint: Bool,
    _ look: Appearance
  ) -> [TextSpan] {
    var spans: [TextSpan] = []
    if face.scrolledBack > 0 {
      spans.append(TextSpan(" ↑\(face.scrolledBack)", look.style(.accent, on: .pane, bold: true)))
    }
    switch face.state {
    case .quiet: break
    case .up(let word): spans.append(TextSpan(" ● \(word)", look.style(.success, on: .pane)))
    case .waiting(let word):
      spans.append(TextSpan(" … \(word)", look.style(.warning, on: .pane)))
    case .dead(let word):
      spans.append(TextSpan(" × \(word)", look.style(.danger, on: .pane)))
    }
    if withHint, !face.stateHint.isEmpty {
      spans.append(TextSpan(" · ", look.style(.dim, on: .pane)))
      spans.append(TextSpan(face.stateHint, look.style(.accent, on: .pane)))
    }
    return spans.isEmpty ? [] : spans + [TextSpan(" ", look.style(.dim, on: .pane))]
  }

  /// The glyph of a border cell.
  static func glyph(_ arms: BorderArms) -> Unicode.Scalar {
    switch arms {
    case [.up, .down]: "│"
    case [.left, .right]: "─"
    case [.up, .down, .right]: "├"
    case [.up, .down, .left]: "┤"
    case [.left, .right, .down]: "┬"
    case [.left, .right, .up]: "┴"
    case [.up, .down, .left, .right]: "┼"
    case [.down, .right]: "┌"
    case [.down, .left]: "┐"
    case [.up, .right]: "└"
    case [.up, .left]: "┘"
    case [.up], [.down]: "│"
    default: "─"
    }
  }
}
