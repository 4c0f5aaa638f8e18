/// A stretch of text that a person chose.
public struct TextSelection: Hashable, Sendable {
  /// What belongs to it.
  public enum Kind: Hashable, Sendable {
    /// The characters from one end to the other.
    case characters
    /// Whole lines; a soft-wrapped line is one.
    case lines
    /// The cells of a rectangle.
    case rectangle
  }

  /// What belongs to it.
  public var kind: Kind
  /// Where it was begun.
  public var anchor: TextPlace
  /// Where it is now.
  public var head: TextPlace

  /// Makes a selection.
  ///
  /// - Parameters:
  ///   - kind: What belongs to it.
  ///   - anchor: Where it was begun.
  ///   - head: Where it is now; both ends belong to it.
  public init(_ kind: Kind, anchor: TextPlace, head: TextPlace) {
    self.kind = kind
    self.anchor = anchor
    self.head = head
  }

  /// The end that comes first in reading order.
  public var first: TextPlace { min(anchor, head) }
  /// The end that comes last in reading order.
  public var last: TextPlace { max(anchor, head) }
}

extension Terminal {
  /// The ends of a selection, widened to whole lines where it has those.
  private func ends(of selection: TextSelection) -> (first: TextPlace, last: TextPlace) {
    guard selection.kind == .lines else { return (selection.first, selection.last) }
    var (first, last) = (selection.first.line, selection.last.line)
    let all = textLines
    while first > all.lowerBound, isWrapped(line: first - 1) { first -= 1 }
    while last + 1 < all.upperBound, isWrapped(line: last) { last += 1 }
    return (TextPlace(line: first, column: 0), TextPlace(line: last, column: .max - 1))
  }

  /// The columns of a shown row that belong to a selection.
  ///
  /// - Parameters:
  ///   - row: The row, counted from the top of what is shown.
  ///   - scrolledBack: How many rows of scrollback are shown above the screen's first row.
  ///   - selection: The selection.
  /// - Returns: The columns, empty for a row that has none.
  public func columns(
    ofRow row: Int,
    scrolledBack: Int,
    in selection: TextSelection
  ) -> Range<Int> {
    if selection.kind == .rectangle {
      guard let frame = frame(of: selection), frame.rows.contains(row - scrolledBack) else {
        return 0..<0
      }
      return frame.columns
    }
    let (first, last) = ends(of: selection)
    var found = 0..<0
    for part in shownParts(row: row, scrolledBack: scrolledBack) {
      guard part.line >= first.line, part.line <= last.line else { continue }
      let shift = part.column - part.columns.lowerBound
      let low = max(part.line == first.line ? first.column : 0, part.columns.lowerBound)
      let high = min(part.line == last.line ? last.column + 1 : .max, part.columns.upperBound)
      guard low < high else { continue }
      found = found.isEmpty ? low + shift..<high + shift : found.lowerBound..<high + shift
    }
    return found
  }

  /// The rows of the screen and the columns that a rectangle covers; nil when an end is gone.
  private func frame(
    of selection: TextSelection
  ) -> (rows: ClosedRange<Int>, columns: Range<Int>)? {
    let reader = TextReader(self)
    guard let one = reader.position(of: selection.anchor),
      let other = reader.position(of: selection.head)
    else { return nil }
    return (
      min(one.row, other.row)...max(one.row, other.row),
      min(one.column, other.column)..<max(one.column, other.column) + 1
    )
  }

  /// The text of a selection: soft-wrapped rows as one line, no blanks at the ends of lines.
  ///
  /// Whole lines end in a newline when there are several.
  public func text(of selection: TextSelection) -> String {
    switch selection.kind {
    case .characters:
      return String(decoding: bytes(from: selection.first, through: selection.last), as: UTF8.self)
    case .lines:
      let (first, last) = ends(of: selection)
      var bytes = bytes(from: first, through: last)
      if bytes.contains(0x0A) { bytes.append(0x0A) }
      return String(decoding: bytes, as: UTF8.self)
    case .rectangle:
      guard let frame = frame(of: selection) else { return "" }
      let rows = frame.rows.map { row in
        text(row: max(row, 0), scrolledBack: max(-row, 0), columns: frame.columns)
      }
      return rows.joined(separator: "\n")
    }
  }

  private func text(row: Int, scrolledBack: Int, columns: Range<Int>) -> String {
    var text = ""
    var end = text.endIndex
    visitRow(row, scrolledBack: scrolledBack) { cell in
      guard cell.column < columns.upperBound, cell.column + cell.width > columns.lowerBound else {
        return
      }
      let part = clusterText(cell)
      text += part.isEmpty ? " " : part
      if !part.isEmpty, part != " " { end = text.endIndex }
    }
    return String(text[..<end])
  }

  private func isWrapped(line: UInt64) -> Bool {
    if line >= state.scrollback.end {
      let row = line - state.scrollback.end
      return row < UInt64(size.rows) && state.grid.isWrapped(Int(row))
    }
    guard let found = state.scrollback.position(of: line) else { return false }
    return state.scrollback.chunks[found.chunk].lines[found.line].isWrapped
  }

  /// The text between two places, both included.
  private func bytes(from first: TextPlace, through last: TextPlace) -> [UInt8] {
    var bytes: [UInt8] = []
    var lineStart = 0
    func add(_ line: UInt64, _ text: ArraySlice<UInt8>, isWrapped: Bool) {
      bytes += text
      // The last row of the selection ends its line, whatever comes after.
      if isWrapped, line < last.line { return }
      while bytes.count > lineStart, bytes.last == 0x20 { bytes.removeLast() }
      guard line < last.line else { return }
      bytes.append(0x0A)
      lineStart = bytes.count
    }
    func columns(_ line: UInt64) -> Range<Int>? {
      guard line == first.line || line == last.line else { return nil }
      let low = line == first.line ? first.column : 0
      return low..<max(line == last.line ? last.column + 1 : .max, low)
    }
    let scrollback = state.scrollback
    var number = max(first.line, scrollback.first)
    while number < scrollback.end, number <= last.line,
      let found = scrollback.position(of: number)
    {
      let chunk = scrollback.chunks[found.chunk]
      for line in chunk.lines[found.line...] where number <= last.line {
        if let columns = columns(number) {
          add(
            number,
            cut(state.cells(of: line, in: chunk), columns)[...],
            isWrapped: line.isWrapped
          )
        } else {
          add(number, chunk.content(line).text, isWrapped: line.isWrapped)
        }
        number += 1
      }
    }
    while number <= last.line, number - scrollback.end < UInt64(size.rows) {
      let row = Int(number - scrollback.end)
      let cells = Array(state.grid.usedCells(row))
      let text = cut(cells, columns(number) ?? 0..<Int.max)
      add(number, text[...], isWrapped: state.grid.isWrapped(row))
      number += 1
    }
    return bytes
  }

  /// The text of some columns of a row; a wide character belongs to both of its columns.
  private func cut(_ cells: [GridCell], _ columns: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    for (column, cell) in cells.enumerated() where !cell.isFiller && !(cell.isTail && column > 0) {
      let end = column + (cell.isWide ? 2 : 1)
      guard end > columns.lowerBound, column < columns.upperBound else { continue }
      if cell.isBlank { bytes.append(0x20) }
      for scalar in state.scalars(of: cell) {
        bytes += Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
      }
    }
    return bytes
  }

  /// The nearest row at which a prompt begins.
  ///
  /// - Parameters:
  ///   - line: The number of the row to begin beside.
  ///   - isForward: Whether newer rows are looked at.
  /// - Returns: The number of the row; nil when there is no such prompt.
  public func prompt(from line: UInt64, isForward: Bool) -> UInt64? {
    let all = textLines
    var number = isForward ? line + 1 : line
    while isForward ? number < all.upperBound : number > all.lowerBound {
      if !isForward { number -= 1 }
      if state.marks(line: number).contains(.prompt) { return number }
      if isForward { number += 1 }
    }
    return nil
  }
}
