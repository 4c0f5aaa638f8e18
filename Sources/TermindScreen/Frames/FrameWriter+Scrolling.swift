extension FrameWriter {
  /// Scrolls what only moved up or down, so that it need not be drawn again.
  ///
  /// - Returns: Whether anything was scrolled, so that the changes have to be found anew.
  mutating func scroll(towards canvas: Canvas, _ changes: [RowChange]) -> Bool {
    guard capabilities.scrollRegions else { return false }
    let planner = ScrollPlanner(
      rows: rows,
      columns: columns,
      hasSideMargins: capabilities.leftRightMargins
    )
    guard let plan = planner.plan(changes, from: shown.span, to: canvas.cells.span) else {
      return false
    }
    beginDrawing()
    // What comes in is erased, and an erased cell may take the pen's background.
    takeBlankPen(.plain)
    let isNarrow = plan.columns.count < columns
    if isNarrow {
      output.text("\u{1B}[?69h")
      pair(plan.columns, 0x73)
    }
    pair(plan.rows, 0x72)
    output.csi(abs(plan.distance), plan.distance > 0 ? 0x53 : 0x54)
    output.text("\u{1B}[r")
    if isNarrow { output.text("\u{1B}[?69l") }
    cursorRow = -1
    cursorColumn = -1
    remember(plan)
    return true
  }

  private mutating func pair(_ range: ClosedRange<Int>, _ final: UInt8) {
    output.csi()
    output.number(range.lowerBound + 1)
    output.byte(0x3B)
    output.number(range.upperBound + 1)
    output.byte(final)
  }

  /// Moves what is known of the screen in the same way.
  private mutating func remember(_ plan: ScrollPlan) {
    let up = plan.distance > 0
    let order = up ? Array(plan.rows) : plan.rows.reversed()
    for row in order {
      let source = row + plan.distance
      for column in plan.columns {
        shown[row * columns + column] =
          plan.rows.contains(source) ? shown[source * columns + column] : .blank(0)
      }
    }
  }
}
