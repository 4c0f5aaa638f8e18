/// A ready arrangement of all panes of a tree.
public enum SplitPreset: String, Hashable, Sendable, Codable, CaseIterable {
  /// All panes side by side, equally wide.
  case evenColumns
  /// All panes below each other, equally high.
  case evenRows
  /// One main pane on the left half, the others stacked on the right.
  case mainAndStack
  /// A grid of rows that differ by at most one pane.
  case tiled
}

extension SplitTree {
  /// Arranges all panes anew, in their present order.
  ///
  /// - Parameters:
  ///   - preset: The arrangement.
  ///   - main: The pane that `mainAndStack` puts on the left; the first one when nil or absent.
  public mutating func arrange(_ preset: SplitPreset, main: PaneID? = nil) {
    var panes = panes
    guard panes.count > 1 else { return }
    switch preset {
    case .evenColumns:
      root = Self.even(panes.map { .pane($0) }, along: .sideBySide)
    case .evenRows:
      root = Self.even(panes.map { .pane($0) }, along: .stacked)
    case .mainAndStack:
      let index = main.flatMap { panes.firstIndex(of: $0) } ?? 0
      let first = SplitNode.pane(panes.remove(at: index))
      root = Self.even(
        [first, Self.even(panes.map { .pane($0) }, along: .stacked)],
        along: .sideBySide
      )
    case .tiled:
      root = Self.grid(panes)
    }
    normalise()
  }

  private static func even(_ nodes: [SplitNode], along axis: SplitAxis) -> SplitNode {
    let share = 1 / Double(nodes.count)
    return .split(
      SplitBranch(axis: axis, children: nodes.map { SplitChild(node: $0, fraction: share) })
    )
  }

  private static func grid(_ panes: [PaneID]) -> SplitNode {
    var columns = 1
    while columns * columns < panes.count { columns += 1 }
    let rows = (panes.count + columns - 1) / columns
    // The first rows take one pane more when the count does not divide.
    var lines: [SplitNode] = []
    var next = 0
    for row in 0..<rows {
      let count = panes.count / rows + (row < panes.count % rows ? 1 : 0)
      lines.append(even(panes[next..<(next + count)].map { .pane($0) }, along: .sideBySide))
      next += count
    }
    return even(lines, along: .stacked)
  }
}
