extension Terminal {
  /// Lines with their colours, as `less -R` shows them: SGR sequences at each change, and a reset at each line's end.
  ///
  /// Soft-wrapped rows are one line; blanks at the ends of lines go unless they have a look.
  /// - Parameter lines: The numbers of the rows; nil for all there are.
  /// - Returns: The text, every line with its newline.
  public func styledText(lines: ClosedRange<UInt64>? = nil) -> [UInt8] {
    let all = textLines
    var bytes: [UInt8] = []
    var writer = StyledLine()
    func add(_ cells: [GridCell], isWrapped: Bool) {
      writer.add(cells, state)
      if !isWrapped { writer.end(&bytes) }
    }
    var number = max(lines?.lowerBound ?? all.lowerBound, all.lowerBound)
    let last = min(lines?.upperBound ?? all.upperBound - 1, all.upperBound - 1)
    let scrollback = state.scrollback
    while number < scrollback.end, number <= last, let found = scrollback.position(of: number) {
      let chunk = scrollback.chunks[found.chunk]
      for line in chunk.lines[found.line...] where number <= last {
        add(state.cells(of: line, in: chunk), isWrapped: line.isWrapped)
        number += 1
      }
    }
    while number <= last, number >= scrollback.end, number - scrollback.end < UInt64(size.rows) {
      let row = Int(number - scrollback.end)
      add(Array(state.grid.usedCells(row)), isWrapped: state.grid.isWrapped(row))
      number += 1
    }
    writer.end(&bytes)
    while bytes.suffix(2) == [0x0A, 0x0A] { bytes.removeLast() }
    return bytes == [0x0A] ? [] : bytes
  }
}

/// A line that is being written with its looks.
private struct StyledLine {
  private var bytes: [UInt8] = []
  private var style: UInt32 = 0
  /// How much of it is more than plain blanks at the end.
  private var used = 0
  private var isOpen = false

  mutating func add(_ cells: [GridCell], _ state: TerminalState) {
    isOpen = true
    for (column, cell) in cells.enumerated() where !cell.isFiller && !(cell.isTail && column > 0) {
      if cell.style != style {
        style = cell.style
        let text = style == 0 ? "" : TerminalState.renditionText(state.styles[style])
        bytes += Array("\u{1B}[\(text)m".utf8)
      }
      if cell.isBlank {
        bytes.append(0x20)
      } else {
        for scalar in state.scalars(of: cell) {
          bytes += Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
        }
      }
      if style != 0 || bytes.last != 0x20 { used = bytes.count }
    }
  }

  mutating func end(_ all: inout [UInt8]) {
    guard isOpen else { return }
    all += bytes[..<used]
    // A reset after the last text is not in what is used.
    if all.last != 0x0A, bytes[..<used].contains(0x1B) { all += Array("\u{1B}[m".utf8) }
    all.append(0x0A)
    bytes = []
    used = 0
    style = 0
    isOpen = false
  }
}
