extension TerminalState {
  /// Performs a C0 control, or a C1 control by its 8-bit code.
  mutating func control(_ code: UInt8) {
    if decoder.isPending { flushIncompleteText() }
    isClusterOpen = false
    lastGraphic = 0
    switch code {
    case 0x07: events.append(.bell)
    case 0x08: backspace()
    case 0x09: tabForward(1)
    case 0x0A, 0x0B, 0x0C: lineFeed()
    case 0x0D: carriageReturn()
    case 0x0E: shift(to: 1)
    case 0x0F: shift(to: 0)
    case 0x84: index()
    case 0x85: nextLine()
    case 0x88: tabStops.set(cursorColumn)
    case 0x8D: reverseIndex()
    case 0x8E: singleShift(2)
    case 0x8F: singleShift(3)
    case 0x96: setProtecting(true)
    case 0x97: setProtecting(false)
    case 0x9A: reportDeviceAttributes()
    default: break
    }
  }

  /// Performs an escape sequence.
  mutating func escape(intermediate: UInt8, final: UInt8) {
    isClusterOpen = false
    lastGraphic = 0
    switch (Unicode.Scalar(intermediate), Unicode.Scalar(final)) {
    case ("\0", "6"): backIndex()
    case ("\0", "7"): saveCursor()
    case ("\0", "8"): restoreCursor()
    case ("\0", "9"): forwardIndex()
    case ("\0", "="): modes.applicationKeypad = true
    case ("\0", ">"): modes.applicationKeypad = false
    case ("\0", "c"): reset()
    case ("\0", "n"): lockingShift(2)
    case ("\0", "o"): lockingShift(3)
    case ("#", "3"): setLineSize(.doubleTop)
    case ("#", "4"): setLineSize(.doubleBottom)
    case ("#", "5"): setLineSize(.single)
    case ("#", "6"): setLineSize(.doubleWidth)
    case ("#", "8"): alignmentTest()
    case (" ", "F"): sendsEightBit = false
    case (" ", "G"): sendsEightBit = true
    case ("(", _): designate(0, final)
    case (")", _): designate(1, final)
    case ("*", _): designate(2, final)
    case ("+", _): designate(3, final)
    default: break
    }
  }

  // MARK: Character sets

  private mutating func designate(_ slot: Int, _ final: UInt8) {
    charsets.sets[slot] = CharacterSet(designator: final)
    refreshPlainText()
  }

  private mutating func shift(to slot: Int) { lockingShift(slot) }

  private mutating func lockingShift(_ slot: Int) {
    charsets.left = slot
    refreshPlainText()
  }

  private mutating func singleShift(_ slot: Int) {
    charsets.singleShift = slot
    refreshPlainText()
  }

  // MARK: Movement of one step

  mutating func carriageReturn() {
    pendingWrap = false
    // xterm: from left of the margin, CR goes to the edge.
    cursorColumn = cursorColumn >= leftMargin ? leftMargin : 0
    if settings.origin { cursorColumn = leftMargin }
  }

  mutating func lineFeed() {
    index()
    if modes.newLine { carriageReturn() }
  }

  private mutating func nextLine() {
    index()
    carriageReturn()
  }

  /// Moves down, scrolling at the bottom margin.
  mutating func index() {
    pendingWrap = false
    if cursorRow == bottomMargin {
      if isInsideColumns { scrollUp(1) }
    } else if cursorRow < size.rows - 1 {
      cursorRow += 1
    }
    stayOnLine()
  }

  private mutating func reverseIndex() {
    pendingWrap = false
    if cursorRow == topMargin {
      if isInsideColumns { scrollDown(1) }
    } else if cursorRow > 0 {
      cursorRow -= 1
    }
    stayOnLine()
  }

  /// DECBI: left, or the columns move right at the left margin.
  private mutating func backIndex() {
    pendingWrap = false
    if cursorColumn == leftMargin, isInsideMargins {
      shiftColumns(from: leftMargin, by: 1)
    } else if cursorColumn > 0 {
      cursorColumn -= 1
    }
  }

  /// DECFI: right, or the columns move left at the right margin.
  private mutating func forwardIndex() {
    pendingWrap = false
    if cursorColumn == rightMargin, isInsideMargins {
      shiftColumns(from: leftMargin, by: -1)
    } else if cursorColumn < lineColumns - 1 {
      cursorColumn += 1
    }
  }

  /// Begins the next row, which continues this one's line.
  mutating func wrapLine() {
    if leftMargin == 0, rightMargin == size.columns - 1 { grid.setWrapped(cursorRow, true) }
    index()
    cursorColumn = leftMargin
  }

  private mutating func backspace() {
    if settings.reverseWrap || settings.extendedReverseWrap, settings.autowrap {
      reverseWrap(1)
      return
    }
    pendingWrap = false
    let edge = cursorColumn >= leftMargin ? leftMargin : 0
    if cursorColumn > edge { cursorColumn -= 1 }
  }

  /// Moves left over line ends, as BS and CUB do in reverse-wrap mode.
  ///
  /// Mode 45 goes back over soft-wrapped rows only; mode 1045 over any, and from the top margin to the bottom.
  mutating func reverseWrap(_ count: Int) {
    var left = min(count, size.rows * size.columns)
    if pendingWrap {
      pendingWrap = false
      left -= 1
    }
    while left > 0 {
      let edge = cursorColumn < leftMargin ? 0 : leftMargin
      let end = cursorColumn > rightMargin ? size.columns - 1 : rightMargin
      if cursorColumn > edge {
        let step = min(left, cursorColumn - edge)
        cursorColumn -= step
        left -= step
        continue
      }
      if cursorRow == topMargin {
        guard settings.extendedReverseWrap else { return }
        cursorRow = bottomMargin
      } else {
        guard cursorRow > 0 else { return }
        guard settings.extendedReverseWrap || grid.isWrapped(cursorRow - 1) else { return }
        cursorRow -= 1
      }
      cursorColumn = end
      stayOnLine()
      left -= 1
    }
  }

  // MARK: Tabs

  /// Goes to the next tab stops; at the end of a full row the wrap stays pending, as in xterm.
  mutating func tabForward(_ count: Int) {
    if pendingWrap, settings.wrapsBeforeTab, settings.autowrap { wrapLine() }
    let edge = cursorColumn <= rightMargin ? rightMargin : size.columns - 1
    for _ in 0..<min(count, size.columns) {
      cursorColumn = min(tabStops.next(after: cursorColumn) ?? edge, edge)
    }
    stayOnLine()
  }

  mutating func tabBackward(_ count: Int) {
    pendingWrap = false
    let edge = settings.origin ? leftMargin : 0
    for _ in 0..<min(count, size.columns) where cursorColumn > edge {
      cursorColumn = max(tabStops.previous(before: cursorColumn) ?? edge, edge)
    }
  }

  // MARK: Saving

  mutating func saveCursor() {
    let saved = SavedCursor(
      row: cursorRow,
      column: cursorColumn,
      pendingWrap: pendingWrap,
      pen: pen,
      isProtecting: isProtecting,
      origin: settings.origin,
      charsets: charsets
    )
    if isMainScreen { savedMain = saved } else { savedAlternate = saved }
  }

  mutating func restoreCursor() {
    let saved = isMainScreen ? savedMain : savedAlternate
    settings.origin = saved.origin
    pen = saved.pen
    isProtecting = saved.isProtecting
    charsets = saved.charsets
    refreshPlainText()
    cursorRow = min(saved.row, size.rows - 1)
    cursorColumn = min(saved.column, size.columns - 1)
    if settings.origin {
      cursorRow = min(max(cursorRow, topMargin), bottomMargin)
      cursorColumn = min(max(cursorColumn, leftMargin), rightMargin)
    }
    stayOnLine()
    pendingWrap = saved.pendingWrap && cursorColumn == saved.column
  }

  // MARK: DECALN

  private mutating func alignmentTest() {
    resetMargins()
    settings.origin = false
    cursorRow = 0
    cursorColumn = 0
    pendingWrap = false
    for row in 0..<size.rows {
      grid.clearRow(row, with: GridCell(scalar: 0x45, look: 0))
    }
  }
}
