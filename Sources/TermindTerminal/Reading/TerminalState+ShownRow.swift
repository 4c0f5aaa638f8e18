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
  /// The cells of a row of the main screen, also while the other one is shown, or of the scrollback for a negative place.
  mutating func mainRow(_ place: Int) -> (cells: [GridCell], isWrapped: Bool) {
    if styles.isOverLimit || clusters.isOverLimit { collectUnused() }
    guard place < 0 else {
      let screen = isMainScreen ? grid : hiddenGrid
      return (Array(screen.usedCells(place)), screen.rowInfo(place).isWrapped)
    }
    return scrollbackRow(-place).map { ($0.cells, $0.isWrapped) } ?? ([], false)
  }
}
