/// The part of a row that differs between what is shown and what is wanted.
struct RowChange {
  let row: Int
  /// The first column that differs.
  var first: Int
  /// The last column that differs.
  var last: Int

  /// Appends the changes of all rows, from top to bottom.
  static func append(
    to changes: inout [RowChange],
    rows: Int,
    columns: Int,
    from old: Span<CanvasCell>,
    to new: Span<CanvasCell>
  ) {
    for row in 0..<rows {
      let end = (row + 1) * columns
      let first = firstDifference(row * columns, end, old, new)
      if first == end { continue }
      var last = end - 1
      while old[last] == new[last] { last -= 1 }
      let base = row * columns
      changes.append(RowChange(row: row, first: first - base, last: last - base))
    }
  }

  /// The first spot that differs, or `end`; eight cells are compared in one step.
  private static func firstDifference(
    _ start: Int,
    _ end: Int,
    _ old: Span<CanvasCell>,
    _ new: Span<CanvasCell>
  ) -> Int {
    var spot = start
    while spot + 8 <= end {
      var difference = old[spot].bits ^ new[spot].bits
      for offset in 1..<8 { difference |= old[spot + offset].bits ^ new[spot + offset].bits }
      if difference != 0 { break }
      spot += 8
    }
    while spot < end, old[spot] == new[spot] { spot += 1 }
    return spot
  }
}
