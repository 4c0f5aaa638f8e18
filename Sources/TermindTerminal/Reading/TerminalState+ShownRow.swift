extension TerminalState {
  /// The cells of a shown row, up to the last one that is used.
  mutating func shownRow(
    _ row: Int,
    scrolledBack: Int
  ) -> (cells: [GridCell], isWrapped: Bool, marks: RowMarks, size: RowSize) {
    if styles.isOverLimit || clusters.isOverLimit { collectUnused() }
    let place = row - max(scrolledBack, 0)
    if place >= 0 {
      let info = grid.rowInfo(place)
      return (Array(grid.usedCells(place)), info.isWrapped, info.marks, info.size)
    }
    guard isMainScreen, let row = scrollbackRow(-place) else { return ([], false, [], .single) }
    return (row.cells, row.isWrapped, row.marks, .single)
  }
}
