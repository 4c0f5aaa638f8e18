extension FrameWriter {
  /// Moves the terminal's cursor by the shortest sequence.
  mutating func move(row: Int, column: Int) {
    if row == cursorRow, column == cursorColumn { return }
    if row == cursorRow {
      moveAlongRow(to: column)
    } else if column == cursorColumn, cursorRow >= 0 {
      moveAlongColumn(to: row)
    } else {
      output.csi()
      if row > 0 || column > 0 { output.number(row + 1) }
      if column > 0 {
        output.byte(0x3B)
        output.number(column + 1)
      }
      output.byte(0x48)
    }
    cursorRow = row
    cursorColumn = column
  }

  private mutating func moveAlongRow(to column: Int) {
    if column == 0 { return output.byte(0x0D) }
    guard cursorColumn >= 0 else { return output.csi(column + 1, 0x47) }
    let distance = column - cursorColumn
    if distance < 0 {
      if distance >= -3 {
        for _ in distance..<0 { output.byte(0x08) }
      } else if OutputBytes.digits(-distance) < OutputBytes.digits(column + 1) {
        output.csi(-distance, 0x44)
      } else {
        output.csi(column + 1, 0x47)
      }
    } else if distance == 1 || OutputBytes.digits(distance) <= OutputBytes.digits(column + 1) {
      output.csi(distance, 0x43)
    } else {
      output.csi(column + 1, 0x47)
    }
  }

  private mutating func moveAlongColumn(to row: Int) {
    let distance = row - cursorRow
    // With the column at the left edge an absolute row alone is as short and needs no old row.
    if cursorColumn == 0, abs(distance) > 1 {
      output.csi(row + 1, 0x48)
    } else {
      output.csi(abs(distance), distance < 0 ? 0x41 : 0x42)
    }
  }

  /// Brings the cursor to a cell that is about to be drawn, drawing over a short gap where that is shorter.
  mutating func reach(row: Int, column: Int, of canvas: Canvas) {
    if row == cursorRow, cursorColumn >= 0, column > cursorColumn,
      gapCost(row: row, column: column, of: canvas) <= moveCost(to: column)
    {
      for spot in (row * columns + cursorColumn)..<(row * columns + column) {
        let scalar = canvas.cells[spot].content
        output.scalar(capabilities.unicode ? scalar : AsciiFallback.scalar(for: scalar))
      }
      cursorColumn = column
    } else {
      move(row: row, column: column)
    }
  }

  private func moveCost(to column: Int) -> Int {
    let distance = column - cursorColumn
    return distance == 1
      ? 3 : 3 + min(OutputBytes.digits(distance), OutputBytes.digits(column + 1))
  }

  /// Bytes to draw the cells between the cursor and a column with the pen as it is; large when that cannot be.
  private func gapCost(row: Int, column: Int, of canvas: Canvas) -> Int {
    let never = 1_000
    guard let pen, column - cursorColumn <= 6 else { return never }
    var cost = 0
    for spot in (row * columns + cursorColumn)..<(row * columns + column) {
      let cell = canvas.cells[spot]
      guard cell.width == 1, !cell.isCluster, WidthCertainty.isCertain(cell.content) else {
        return never
      }
      let cellPen = pens[Int(cell.style)]
      guard cellPen == pen || (cell.isBlank && cellPen.blanksLike(pen)) else { return never }
      cost += OutputBytes.length(cell.content)
    }
    return cost
  }

  /// Notes that text was written up to a column.
  ///
  /// At the right edge terminals differ on where the cursor is.
  mutating func advance(to column: Int) { cursorColumn = column < columns ? column : -1 }

  /// Makes a pen the one in force.
  mutating func take(_ new: Pen) {
    if pen == new { return }
    let oldLink = pen?.link
    if oldLink != new.link, capabilities.hyperlinks {
      output.text("\u{1B}]8;")
      if new.link > 0 {
        // The same id makes pieces on several rows one link.
        output.text("id=")
        output.number(Int(new.link))
        output.byte(0x3B)
        output.string(resolver.links[Int(new.link) - 1])
      } else {
        output.byte(0x3B)
      }
      output.text("\u{1B}\\")
    }
    PenEncoder.write(from: pen, to: new, into: &output)
    pen = new
  }

  /// Makes the pen in force one that draws blanks like this one.
  mutating func takeBlankPen(_ new: Pen) {
    if let pen, pen.blanksLike(new) { return }
    take(new)
  }
}
