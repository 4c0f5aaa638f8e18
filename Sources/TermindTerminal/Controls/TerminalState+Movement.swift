extension TerminalState {
  // MARK: Relative; the margins stop the cursor when it starts inside them

  mutating func moveUp(_ count: Int) {
    pendingWrap = false
    let edge = cursorRow >= topMargin ? topMargin : 0
    cursorRow = max(cursorRow - count, edge)
    stayOnLine()
  }

  /// Moves down; CUD stops at the bottom margin, VPR at the screen's edge.
  mutating func moveDown(_ count: Int, stops: Bool) {
    pendingWrap = false
    let last = settings.origin ? bottomMargin : size.rows - 1
    let edge = stops && cursorRow <= bottomMargin ? bottomMargin : last
    cursorRow = min(cursorRow + count, edge)
    stayOnLine()
  }

  /// Moves right; CUF stops at the right margin, HPR at the screen's edge.
  mutating func moveRight(_ count: Int, byPosition: Bool = false) {
    pendingWrap = false
    let last = settings.origin ? rightMargin : size.columns - 1
    let edge = !byPosition && cursorColumn <= rightMargin ? rightMargin : last
    cursorColumn = max(min(cursorColumn + count, edge), min(cursorColumn, size.columns - 1))
    stayOnLine()
  }

  mutating func moveLeft(_ count: Int) {
    if settings.reverseWrap || settings.extendedReverseWrap, settings.autowrap {
      reverseWrap(count)
      return
    }
    pendingWrap = false
    let edge = cursorColumn >= leftMargin ? leftMargin : 0
    cursorColumn = max(cursorColumn - count, edge)
  }

  // MARK: Absolute; counted from the margins in origin mode

  mutating func moveTo(row: Int) {
    pendingWrap = false
    if settings.origin {
      cursorRow = min(topMargin + row, bottomMargin)
    } else {
      cursorRow = min(row, size.rows - 1)
    }
    stayOnLine()
  }

  mutating func moveTo(column: Int) {
    pendingWrap = false
    if settings.origin {
      cursorColumn = min(leftMargin + column, rightMargin)
    } else {
      cursorColumn = min(column, size.columns - 1)
    }
    stayOnLine()
  }

  mutating func moveTo(row: Int, column: Int) {
    moveTo(row: row)
    moveTo(column: column)
  }

  // MARK: Tabs

  mutating func clearTabs(_ kind: Int) {
    switch kind {
    case 0: tabStops.clear(cursorColumn)
    case 3: tabStops.clearAll()
    default: break
    }
  }

  // MARK: Cursor form

  mutating func setCursorShape(_ kind: Int) {
    guard kind <= 6 else { return }
    cursorShape = kind <= 2 ? .block : kind <= 4 ? .underline : .bar
    cursorBlinks = kind == 0 || kind % 2 == 1
  }
}
