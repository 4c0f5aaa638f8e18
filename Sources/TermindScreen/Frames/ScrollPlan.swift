/// An area that can be scrolled by the terminal instead of being drawn again.
struct ScrollPlan: Equatable {
  /// Rows of the scroll region.
  var rows: ClosedRange<Int>
  /// Columns of the scroll region.
  var columns: ClosedRange<Int>
  /// How far the content moves up; negative when it moves down.
  var distance: Int
}

/// Looks for content that only moved up or down between two pictures.
struct ScrollPlanner {
  let rows: Int
  let columns: Int
  /// Whether the terminal can scroll between a left and a right margin.
  let hasSideMargins: Bool

  /// Fewer changed rows than this are not worth a look.
  private static let leastRows = 4
  /// Cells that a scroll must save, over the bytes that it takes itself.
  private static let leastGain = 24
  private static let sideMarginCost = 24
  private static let probeCount = 12

  /// The best plan from what is shown to what is wanted, `nil` when none saves anything.
  func plan(
    _ changes: [RowChange],
    from old: Span<CanvasCell>,
    to new: Span<CanvasCell>
  ) -> ScrollPlan? {
    guard changes.count >= Self.leastRows else { return nil }
    guard let distance = likelyDistance(changes, old, new) else { return nil }
    let top = changes[0].row
    let bottom = changes[changes.count - 1].row
    var best = whole(distance, top...bottom, 0...(columns - 1), old, new)
    if hasSideMargins,
      let sides = bestColumns(distance, top...bottom, old, new),
      sides.count < columns,
      var narrow = whole(distance, top...bottom, sides, old, new)
    {
      narrow.gain -= Self.sideMarginCost
      if narrow.gain > best?.gain ?? 0 { best = narrow }
    }
    guard let best, best.gain >= Self.leastGain else { return nil }
    return cutsNoWideCell(best.plan, old) ? best.plan : nil
  }

  /// The distance for which most of a few changed rows are found elsewhere.
  private func likelyDistance(
    _ changes: [RowChange],
    _ old: Span<CanvasCell>,
    _ new: Span<CanvasCell>
  ) -> Int? {
    var votes: [Int: Int] = [:]
    let step = max(changes.count / Self.probeCount, 1)
    var probes = 0
    for place in stride(from: 0, to: changes.count, by: step) {
      let change = changes[place]
      guard change.last - change.first >= 3 else { continue }
      probes += 1
      for other in 0..<rows where other != change.row {
        if isEqual(change, to: other, old, new) { votes[other - change.row, default: 0] += 1 }
      }
    }
    let winner = votes.max { left, right in
      (left.value, -abs(left.key)) < (right.value, -abs(right.key))
    }
    guard let winner, winner.value * 3 >= probes else { return nil }
    return winner.key
  }

  private func isEqual(
    _ change: RowChange,
    to row: Int,
    _ old: Span<CanvasCell>,
    _ new: Span<CanvasCell>
  ) -> Bool {
    var column = change.first
    let here = change.row * columns
    let there = row * columns
    while column <= change.last {
      if old[there + column] != new[here + column] { return false }
      column += 1
    }
    return true
  }

  /// What a cell gains by the move: 1 when it need not be drawn any more, -1 when only now it must be.
  @inline(__always)
  private func gain(
    _ spot: Int,
    from source: Int,
    _ old: Span<CanvasCell>,
    _ new: Span<CanvasCell>
  ) -> Int {
    let wanted = new[spot]
    return (old[source] == wanted ? 1 : 0) - (old[spot] == wanted ? 1 : 0)
  }

  /// The run of columns that gains most when all rows move.
  private func bestColumns(
    _ distance: Int,
    _ area: ClosedRange<Int>,
    _ old: Span<CanvasCell>,
    _ new: Span<CanvasCell>
  ) -> ClosedRange<Int>? {
    var gains = Array(repeating: 0, count: columns)
    for row in area where area.contains(row + distance) {
      let base = row * columns
      let source = (row + distance) * columns
      for column in 0..<columns {
        gains[column] += gain(base + column, from: source + column, old, new)
      }
    }
    return Self.bestRun(gains)?.range
  }

  /// The rows that gain most within some columns, and how much.
  private func whole(
    _ distance: Int,
    _ area: ClosedRange<Int>,
    _ sides: ClosedRange<Int>,
    _ old: Span<CanvasCell>,
    _ new: Span<CanvasCell>
  ) -> (plan: ScrollPlan, gain: Int)? {
    var gains = Array(repeating: 0, count: area.count)
    for row in area where area.contains(row + distance) {
      let base = row * columns
      let source = (row + distance) * columns
      var sum = 0
      for column in sides { sum += gain(base + column, from: source + column, old, new) }
      gains[row - area.lowerBound] = sum
    }
    guard let best = Self.bestRun(gains) else { return nil }
    let first = best.range.lowerBound + area.lowerBound
    let last = best.range.upperBound + area.lowerBound
    let region = min(first, first + distance)...max(last, last + distance)
    guard region.lowerBound >= 0, region.upperBound < rows, region.count > abs(distance) else {
      return nil
    }
    // The rows that the move leaves blank.
    let vacated =
      distance > 0
      ? (region.upperBound - distance + 1)...region.upperBound
      : region.lowerBound...(region.lowerBound - distance - 1)
    var total = best.gain
    for row in vacated {
      for column in sides {
        let spot = row * columns + column
        total += (new[spot] == .blank(0) ? 1 : 0) - (old[spot] == new[spot] ? 1 : 0)
      }
    }
    return (ScrollPlan(rows: region, columns: sides, distance: distance), total)
  }

  /// A scroll between margins must not cut a wide cell in two.
  private func cutsNoWideCell(_ plan: ScrollPlan, _ old: Span<CanvasCell>) -> Bool {
    for row in plan.rows {
      let base = row * columns
      let left = old[base + plan.columns.lowerBound]
      let right = old[base + plan.columns.upperBound]
      if plan.columns.lowerBound > 0, left == .unknown || left.isTrailing { return false }
      if plan.columns.upperBound < columns - 1, right == .unknown || right.isWide { return false }
    }
    return true
  }

  /// The neighbours with the largest sum (Kadane's algorithm), `nil` when no sum is positive.
  static func bestRun(_ values: [Int]) -> (range: ClosedRange<Int>, gain: Int)? {
    var best: (range: ClosedRange<Int>, gain: Int)?
    var sum = 0
    var start = 0
    for (place, value) in values.enumerated() {
      if sum <= 0 {
        sum = 0
        start = place
      }
      sum += value
      if sum > best?.gain ?? 0 { best = (start...place, sum) }
    }
    return best
  }
}
