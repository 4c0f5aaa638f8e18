extension TerminalState {
  /// A rectangle of the screen; rows and columns are zero-based and inside the screen.
  struct Rectangle {
    var rows: Range<Int>
    var columns: Range<Int>
  }

  /// The rectangle of four parameters from `first` on, relative to the margins in origin mode.
  ///
  /// - Returns: nil when it is empty or outside the screen.
  private func rectangle(_ p: SequenceParameters, from first: Int) -> Rectangle? {
    let (start, end) = corners(p, from: first)
    guard start.row <= end.row, start.column <= end.column else { return nil }
    return Rectangle(rows: start.row..<end.row + 1, columns: start.column..<end.column + 1)
  }

  /// The first and the last place of a rectangle or a stream; the last one is inside the screen.
  private func corners(
    _ p: SequenceParameters,
    from first: Int
  ) -> (first: CellPosition, last: CellPosition) {
    let top = settings.origin ? topMargin : 0
    let left = settings.origin ? leftMargin : 0
    let lastRow = settings.origin ? bottomMargin : size.rows - 1
    let lastColumn = settings.origin ? rightMargin : size.columns - 1
    func edge(_ index: Int) -> Int? { p[first + index].flatMap { $0 > 0 ? $0 : nil } }
    let start = CellPosition(
      row: top + (edge(0) ?? 1) - 1,
      column: left + (edge(1) ?? 1) - 1
    )
    let end = CellPosition(
      row: min(edge(2).map { top + $0 - 1 } ?? lastRow, lastRow),
      column: min(edge(3).map { left + $0 - 1 } ?? lastColumn, lastColumn)
    )
    return (start, end)
  }

  /// DECFRA.
  mutating func fillRectangle(_ p: SequenceParameters) {
    let code = p.value(0, default: 0)
    guard (32...126).contains(code) || (160...255).contains(code) else { return }
    guard let area = rectangle(p, from: 1) else { return }
    let scalar =
      code < 127 ? charsets.sets[charsets.left].scalar(UInt32(code)) : UInt32(code)
    let cell = GridCell(scalar: scalar, look: currentLook)
    for row in area.rows { grid.fill(row, area.columns, with: cell) }
  }

  /// DECERA and DECSERA.
  mutating func eraseRectangle(_ p: SequenceParameters, selective: Bool) {
    guard let area = rectangle(p, from: 0) else { return }
    for row in area.rows {
      if selective, !isIsoProtection {
        eraseCells(row, area.columns, selective: true)
      } else {
        grid.fill(row, area.columns, with: eraseCell)
      }
    }
  }

  /// DECCRA; pages are ignored, as there is one.
  mutating func copyRectangle(_ p: SequenceParameters) {
    guard let source = rectangle(p, from: 0) else { return }
    let top = (settings.origin ? topMargin : 0) + max(p.value(5, default: 1), 1) - 1
    let left = (settings.origin ? leftMargin : 0) + max(p.value(6, default: 1), 1) - 1
    let lastRow = settings.origin ? bottomMargin : size.rows - 1
    let lastColumn = settings.origin ? rightMargin : size.columns - 1
    guard top <= lastRow, left <= lastColumn else { return }
    let height = min(source.rows.count, lastRow - top + 1)
    let width = min(source.columns.count, lastColumn - left + 1)
    let columns = source.columns.lowerBound..<source.columns.lowerBound + width
    let rows = (0..<height).map { $0 }
    let ordered = top > source.rows.lowerBound ? rows.reversed() : rows
    for row in ordered {
      grid.copy(row: source.rows.lowerBound + row, columns, toRow: top + row, column: left)
    }
  }

  // MARK: Attributes

  /// DECCARA and DECRARA.
  mutating func changeAttributes(_ p: SequenceParameters, reversing: Bool) {
    if attributeExtent == 2 {
      guard let area = rectangle(p, from: 0) else { return }
      for row in area.rows { restyle(row, area.columns, p, reversing) }
      return
    }
    // The stream from the first place to the last one; the columns need no order.
    let (first, last) = corners(p, from: 0)
    guard first.row < last.row || (first.row == last.row && first.column <= last.column) else {
      return
    }
    for row in first.row...last.row {
      let start = row == first.row ? min(first.column, size.columns) : 0
      let end = row == last.row ? last.column + 1 : size.columns
      if start < end { restyle(row, start..<end, p, reversing) }
    }
  }

  private mutating func restyle(
    _ row: Int,
    _ columns: Range<Int>,
    _ p: SequenceParameters,
    _ reversing: Bool
  ) {
    if styles.isOverLimit { collectUnused() }
    var known: [UInt32: UInt32] = [:]
    for column in columns {
      let cell = grid[row, column]
      let index: UInt32
      if let seen = known[cell.style] {
        index = seen
      } else {
        var style = styles[cell.style]
        if reversing { reverse(p, &style) } else { change(p, &style) }
        index = styles.intern(style)
        known[cell.style] = index
      }
      if index != cell.style { grid[row, column].style = index }
    }
  }

  private mutating func change(_ p: SequenceParameters, _ style: inout PackedStyle) {
    if p.count <= 4 {
      style = PackedStyle(link: style.link)
      return
    }
    var index = 4
    while index < p.count { index = applyRendition(p, at: index, to: &style) }
  }

  private mutating func reverse(_ p: SequenceParameters, _ style: inout PackedStyle) {
    for index in 4..<max(p.count, 5) {
      switch p.value(index, default: 0) {
      case 0:
        style.attributes.formSymmetricDifference([.bold, .blink, .inverse])
        style.underline = style.underline == .none ? .single : .none
      case 1: style.attributes.formSymmetricDifference(.bold)
      case 4: style.underline = style.underline == .none ? .single : .none
      case 5: style.attributes.formSymmetricDifference(.blink)
      case 7: style.attributes.formSymmetricDifference(.inverse)
      case 8: style.attributes.formSymmetricDifference(.hidden)
      default: break
      }
    }
  }

  // MARK: Checksums

  /// DECRQCRA, as xterm counts; the flags are those of XTCHECKSUM.
  mutating func reportChecksum(_ p: SequenceParameters) {
    let id = p.value(0, default: 0)
    var sum = 0
    if let area = rectangle(p, from: 2) { sum = checksum(area) }
    if checksumFlags & 1 == 0 { sum = -sum }
    let digits = String(sum & 0xFFFF, radix: 16, uppercase: true)
    reply(dcs: "\(id)!~\(String(repeating: "0", count: 4 - digits.count))\(digits)")
  }

  private func checksum(_ area: Rectangle) -> Int {
    var sum = 0
    var isFirst = true
    for row in area.rows {
      for column in area.columns {
        let cell = grid[row, column]
        if cell.bits & (GridCell.payloadMask | GridCell.clusterBit) != 0 {
          sum += checksum(of: cell)
        } else if !cell.isTail, checksumFlags & 4 != 0 ? checksumFlags & 8 == 0 : isFirst {
          sum += 0x20
        }
        isFirst = false
      }
    }
    return sum
  }

  /// What a cell adds: its text, a byte of it unless all is asked for, and its looks unless they are not.
  private func checksum(of cell: GridCell) -> Int {
    var text = scalars(of: cell).reduce(0) { $0 + Int($1) }
    if checksumFlags & 16 == 0 { text = Int(scalars(of: cell).first ?? 0x20) & 0xFF }
    guard checksumFlags & 2 == 0 else { return text }
    let style = styles[cell.style]
    var sum = style.attributes.contains(.hidden) ? 0x20 : text
    if style.underline != .none { sum += 0x10 }
    if style.attributes.contains(.inverse) { sum += 0x20 }
    if style.attributes.contains(.blink) { sum += 0x40 }
    if style.attributes.contains(.bold) { sum += 0x80 }
    return sum
  }
}
