extension Terminal {
  /// The text of a shown row without trailing blanks.
  ///
  /// - Parameters:
  ///   - row: The row, counted from the top of what is shown.
  ///   - scrolledBack: How many rows of scrollback are shown above the screen's first row.
  /// - Returns: The text; wide characters count once.
  public func text(row: Int, scrolledBack: Int = 0) -> String {
    guard row >= 0, row < size.rows else { return "" }
    var bytes: [UInt8] = []
    let cells = state.shownRow(row, scrolledBack: scrolledBack).cells
    visitCells(cells, size.columns) { appendText($0, to: &bytes) }
    return Self.trimmed(bytes)
  }

  /// The text of the screen's rows, without trailing blanks.
  public func screenText() -> [String] { (0..<size.rows).map { text(row: $0) } }

  /// The last lines of text, the newest last, without the empty ones below them; soft-wrapped rows are joined.
  ///
  /// - Parameter count: The most lines, and the most rows above the screen that are looked at.
  /// - Returns: Each line without trailing blanks; while a program has the alternate screen, those of the shell behind it.
  public func lastLines(_ count: Int) -> [String] {
    let above = min(max(count, 0), state.scrollback.rowCount(width: size.columns))
    var lines: [String] = []
    var open: [UInt8] = []
    for place in -above..<size.rows {
      let row = state.mainRow(place)
      open += lineBytes(row.cells)
      guard !row.isWrapped else { continue }
      lines.append(Self.trimmed(open))
      open = []
    }
    if !open.isEmpty { lines.append(Self.trimmed(open)) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return Array(lines.suffix(max(count, 0)))
  }

  /// The text of the scrollback's lines, oldest first; soft-wrapped rows are joined.
  public func scrollbackText() -> [String] {
    var lines: [String] = []
    var open: [UInt8] = []
    state.scrollback.forEachLine { chunk, line in
      open += chunk.content(line).text
      if !line.isWrapped {
        lines.append(Self.trimmed(open))
        open = []
      }
    }
    if !open.isEmpty { lines.append(Self.trimmed(open)) }
    return lines
  }

  /// Everything as text: with the scrollback where asked for; soft-wrapped rows are joined.
  public func captureText(includingScrollback: Bool) -> String {
    var bytes: [UInt8] = []
    if includingScrollback {
      state.scrollback.forEachLine { chunk, line in
        bytes += chunk.content(line).text
        if !line.isWrapped { bytes.append(0x0A) }
      }
    }
    for row in 0..<size.rows {
      let isWrapped = state.grid.isWrapped(row)
      var line = lineBytes(Array(state.grid.usedCells(row)))
      if !isWrapped { while line.last == 0x20 { line.removeLast() } }
      bytes += line
      if !isWrapped { bytes.append(0x0A) }
    }
    while bytes.last == 0x0A { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of cells as part of a line: without the blanks that wide characters leave at row ends.
  private func lineBytes(_ cells: [GridCell]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (place, cell) in cells.enumerated() {
      if (cell.isTail && place > 0) || cell.isFiller { continue }
      if cell.isBlank { bytes.append(0x20) }
      for scalar in state.scalars(of: cell) { Self.appendUTF8(scalar, to: &bytes) }
    }
    return bytes
  }

  /// Everything as text with SGR and OSC 8 sequences, one line of output for each row.
  public func captureANSI(includingScrollback: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    if includingScrollback {
      let scrollback = state.scrollback
      scrollback.forEachLine { chunk, line in
        let cells = state.cells(of: line, in: chunk)
        appendANSI(cells, to: &bytes)
      }
    }
    for row in 0..<size.rows { appendANSI(Array(state.grid.usedCells(row)), to: &bytes) }
    return bytes
  }

  private func appendANSI(_ cells: [GridCell], to bytes: inout [UInt8]) {
    var style = PackedStyle.plain
    var column = 0
    while column < cells.count {
      let cell = cells[column]
      let isWide = cell.isWide && column + 1 < cells.count
      column += isWide ? 2 : 1
      let next = state.styles[cell.style]
      if next != style {
        if next.link != style.link {
          bytes += "\u{1B}]8;;\(next.link == 0 ? "" : state.links[next.link] ?? "")\u{1B}\\".utf8
        }
        bytes += "\u{1B}[\(TerminalState.renditionText(next))m".utf8
        style = next
      }
      // Half of a wide character is drawn as a blank.
      if cell.isBlank || cell.isTail || cell.isWide != isWide {
        bytes.append(0x20)
      } else {
        for scalar in state.scalars(of: cell) { Self.appendUTF8(scalar, to: &bytes) }
      }
    }
    if style.link != 0 { bytes += "\u{1B}]8;;\u{1B}\\".utf8 }
    if style != .plain { bytes += "\u{1B}[0m".utf8 }
    bytes.append(0x0A)
  }

  private func appendText(_ cell: TerminalCell, to bytes: inout [UInt8]) {
    if cell.isCluster {
      for scalar in state.clusters[cell.cluster] { Self.appendUTF8(scalar, to: &bytes) }
    } else {
      Self.appendUTF8(cell.scalar == 0 ? 0x20 : cell.scalar, to: &bytes)
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  private static func appendUTF8(_ scalar: UInt32, to bytes: inout [UInt8]) {
    if scalar < 0x80 {
      bytes.append(UInt8(scalar))
    } else if scalar < 0x800 {
      bytes.append(0xC0 | UInt8(scalar >> 6))
      bytes.append(0x80 | UInt8(scalar & 0x3F))
    } else if scalar < 0x1_0000 {
      bytes.append(0xE0 | UInt8(scalar >> 12))
      bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      bytes.append(0x80 | UInt8(scalar & 0x3F))
    } else {
      bytes.append(0xF0 | UInt8(scalar >> 18))
      bytes.append(0x80 | UInt8(scalar >> 12 & 0x3F))
      bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      bytes.append(0x80 | UInt8(scalar & 0x3F))
    }
  }
}
