extension SplitTree {
  /// Moves one border of a pane by some cells.
  ///
  /// It is the border after the pane (right of it or below it), or, for the last one, the border
  /// before it; so a step and the step back move the same border. The border stops where a neighbour
  /// has reached its minimum.
  /// - Parameters:
  ///   - pane: The pane whose border moves.
  ///   - direction: Where to.
  ///   - cells: How far; not more than the area is large.
  ///   - area: The area in which the tree is shown.
  ///   - titleRow: Whether the area's first row is a title row.
  /// - Returns: By how many cells the border has moved in that direction.
  @discardableResult public mutating func resize(
    _ pane: PaneID,
    _ direction: PaneDirection,
    by cells: Int,
    in area: CellRectangle,
    titleRow: Bool = false
  ) -> Int {
    guard let path = path(to: pane) else { return 0 }
    var leading: SplitBorderID?
    for depth in path.indices.reversed() {
      let parent = Array(path[..<depth])
      guard let branch = branch(at: parent), branch.axis == direction.axis else { continue }
      if path[depth] < branch.children.count - 1 {
        let id = SplitBorderID(path: parent, index: path[depth])
        return moveBorder(id, direction, by: cells, in: area, titleRow: titleRow)
      }
      if leading == nil { leading = SplitBorderID(path: parent, index: path[depth] - 1) }
    }
    guard let leading else { return 0 }
    return moveBorder(leading, direction, by: cells, in: area, titleRow: titleRow)
  }

  /// Moves a border to a cell, as far as the neighbours' minimums allow.
  ///
  /// - Parameters:
  ///   - border: From the layout of this tree in this area.
  ///   - row: Where the pointer is; counts for a horizontal border.
  ///   - column: Where the pointer is; counts for a vertical border.
  ///   - area: The area in which the tree is shown.
  ///   - titleRow: Whether the area's first row is a title row.
  /// - Returns: Whether the border has moved.
  @discardableResult public mutating func drag(
    _ border: SplitBorderID,
    toRow row: Int,
    column: Int,
    in area: CellRectangle,
    titleRow: Bool = false
  ) -> Bool {
    let layout = layout(in: area, titleRow: titleRow)
    guard let line = layout.borders.first(where: { $0.id == border }) else { return false }
    let distance = line.isVertical ? column - line.rectangle.column : row - line.rectangle.row
    let direction: PaneDirection = line.isVertical ? .right : .down
    return move(border, direction, by: distance, layout: layout) != 0
  }

  private mutating func moveBorder(
    _ id: SplitBorderID,
    _ direction: PaneDirection,
    by cells: Int,
    in area: CellRectangle,
    titleRow: Bool
  ) -> Int {
    let distance = min(max(cells, 0), max(area.rows, area.columns))
    let layout = layout(in: area, titleRow: titleRow)
    let moved = move(
      id,
      direction,
      by: direction.isForward ? distance : -distance,
      layout: layout
    )
    return direction.isForward ? moved : -moved
  }

  /// Moves a border by a signed distance; the split's shares become the cells of the layout.
  private mutating func move(
    _ id: SplitBorderID,
    _ direction: PaneDirection,
    by distance: Int,
    layout: SplitLayout
  ) -> Int {
    guard distance != 0, let branch = branch(at: id.path), branch.axis == direction.axis,
      branch.children.indices.contains(id.index + 1), id.index >= 0,
      let length = length(of: branch, in: layout)
    else { return 0 }
    let minimums = branch.children.map { $0.node.minimumLength(along: branch.axis) }
    guard minimums.reduce(branch.children.count - 1, +) <= length else { return 0 }
    var shares = branch.shares(of: length, keptChild: nil)
    let room =
      distance > 0
      ? shares[id.index + 1] - minimums[id.index + 1] : shares[id.index] - minimums[id.index]
    let moved = distance > 0 ? min(distance, room) : max(distance, -room)
    guard moved != 0 else { return 0 }
    shares[id.index] += moved
    shares[id.index + 1] -= moved
    let sum = Double(shares.reduce(0, +))
    change(at: id.path) { node in
      guard case .split(var branch) = node else { return }
      for index in branch.children.indices {
        branch.children[index].fraction = Double(shares[index]) / sum
      }
      node = .split(branch)
    }
    return moved
  }

  /// The length of a split in a layout; nil when it is not shown.
  private func length(of branch: SplitBranch, in layout: SplitLayout) -> Int? {
    let members = Set(branch.children.flatMap(\.node.panes))
    let places = layout.panes.filter { members.contains($0.pane) }.map {
      $0.rectangle.span(along: branch.axis)
    }
    guard let start = places.map(\.start).min(),
      let end = places.map({ $0.start + $0.length }).max()
    else { return nil }
    return end - start
  }
}
