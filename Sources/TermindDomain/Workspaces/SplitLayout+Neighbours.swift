extension SplitLayout {
  /// The pane on the other side of a pane's border.
  ///
  /// - Parameters:
  ///   - pane: Where to start.
  ///   - direction: Where to look.
  ///   - history: Panes by use, the latest first; decides between several neighbours. One that is not
  ///     in it comes after those that are, and then the longer common border wins.
  ///   - wraps: Whether the search goes on at the opposite side of the area.
  /// - Returns: The neighbour, or nil when there is none.
  public func neighbour(
    of pane: PaneID,
    _ direction: PaneDirection,
    history: [PaneID] = [],
    wraps: Bool = false
  ) -> PaneID? {
    guard let place = rectangle(of: pane) else { return nil }
    let edge = Self.edge(of: place, direction)
    let beside = panes.filter {
      $0.pane != pane
        && Self.edge(of: $0.rectangle, direction.opposite) == edge
    }
    if let found = best(of: beside, beside: place, direction, history: history) { return found }
    guard wraps else { return nil }
    let others = panes.filter { $0.pane != pane }
    let ends = others.map { Self.edge(of: $0.rectangle, direction.opposite) }
    guard let farthest = direction.isForward ? ends.min() : ends.max() else { return nil }
    let opposite = others.filter {
      Self.edge(of: $0.rectangle, direction.opposite) == farthest
    }
    return best(of: opposite, beside: place, direction, history: history)
  }

  private func best(
    of candidates: [PanePlacement],
    beside place: CellRectangle,
    _ direction: PaneDirection,
    history: [PaneID]
  ) -> PaneID? {
    let across = direction.axis.other
    let (start, length) = place.span(along: across)
    var best: (pane: PaneID, age: Int, overlap: Int)?
    for candidate in candidates {
      let (from, count) = candidate.rectangle.span(along: across)
      let overlap = min(from + count, start + length) - max(from, start)
      guard overlap > 0 else { continue }
      let age = history.firstIndex(of: candidate.pane) ?? history.count
      if let present = best, (present.age, -present.overlap) <= (age, -overlap) { continue }
      best = (candidate.pane, age, overlap)
    }
    return best?.pane
  }

  /// The row or column of the border that a pane touches in a direction.
  private static func edge(of place: CellRectangle, _ direction: PaneDirection) -> Int {
    let (start, length) = place.span(along: direction.axis)
    return direction.isForward ? start + length : start - 1
  }
}
