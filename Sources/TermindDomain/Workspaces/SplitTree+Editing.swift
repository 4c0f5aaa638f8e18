extension SplitTree {
  /// Puts a new pane beside an existing one, which gives it half of its space.
  ///
  /// - Parameters:
  ///   - pane: The pane that is split.
  ///   - newPane: The pane to add; it must not be in the tree yet.
  ///   - side: Where the new pane comes to lie, seen from the split one.
  /// - Returns: Whether the tree was changed.
  @discardableResult public mutating func split(
    _ pane: PaneID,
    with newPane: PaneID,
    at side: PaneDirection
  ) -> Bool {
    guard !contains(newPane), let path = path(to: pane) else { return false }
    change(at: path) { $0 = Self.pair($0, .pane(newPane), at: side) }
    normalise()
    return true
  }

  /// Puts a new pane along one whole side of the tree, with half of the space.
  ///
  /// - Parameters:
  ///   - newPane: The pane to add; it must not be in the tree yet.
  ///   - side: The side that it takes.
  /// - Returns: Whether the tree was changed.
  @discardableResult public mutating func splitRoot(
    with newPane: PaneID,
    at side: PaneDirection
  ) -> Bool {
    guard !contains(newPane) else { return false }
    root = Self.pair(root, .pane(newPane), at: side)
    normalise()
    return true
  }

  /// Removes a pane; its space goes to the sibling before it, else to the one after it.
  ///
  /// - Returns: Whether it was removed; the last pane of a tree never is.
  @discardableResult public mutating func remove(_ pane: PaneID) -> Bool {
    guard let path = path(to: pane), let index = path.last else { return false }
    change(at: path.dropLast()) { node in
      guard case .split(var branch) = node else { return }
      let freed = branch.children.remove(at: index).fraction
      branch.children[max(index - 1, 0)].fraction += freed
      node = .split(branch)
    }
    normalise()
    return true
  }

  /// Puts another pane into the place of one.
  ///
  /// - Returns: Whether it was done; false when `pane` is absent or `newPane` is present.
  @discardableResult public mutating func replace(
    _ pane: PaneID,
    with newPane: PaneID
  ) -> Bool {
    guard contains(pane), !contains(newPane) else { return false }
    root = root.mapPanes { $0 == pane ? newPane : $0 }
    return true
  }

  /// Exchanges the places of two panes.
  ///
  /// - Returns: Whether both are in the tree and different.
  @discardableResult public mutating func swap(_ first: PaneID, _ second: PaneID) -> Bool {
    guard first != second, contains(first), contains(second) else { return false }
    root = root.mapPanes { $0 == first ? second : $0 == second ? first : $0 }
    return true
  }

  /// Moves every pane to the place of the next one (or of the one before), keeping the shape.
  public mutating func rotate(forward: Bool = true) {
    let old = panes
    var next = forward ? old.count - 1 : 1
    root = root.mapPanes { _ in
      defer { next += 1 }
      return old[next % old.count]
    }
  }

  /// Takes a pane from its place and puts it beside another one.
  ///
  /// - Returns: Whether both are in the tree and different.
  @discardableResult public mutating func move(
    _ pane: PaneID,
    beside other: PaneID,
    at side: PaneDirection
  ) -> Bool {
    guard pane != other, contains(pane), contains(other) else { return false }
    remove(pane)
    return split(other, with: pane, at: side)
  }

  /// Gives every split equal shares, counted in panes that lie one after the other.
  public mutating func evenOut() { root = Self.evened(root) }

  private static func evened(_ node: SplitNode) -> SplitNode {
    guard case .split(var branch) = node else { return node }
    for index in branch.children.indices {
      let child = branch.children[index].node
      branch.children[index].node = evened(child)
      branch.children[index].fraction = Double(child.units(along: branch.axis))
    }
    branch.children = SplitBranch.withUnitSum(branch.children)
    return .split(branch)
  }

  private static func pair(
    _ old: SplitNode,
    _ new: SplitNode,
    at side: PaneDirection
  ) -> SplitNode {
    let nodes = side.isForward ? [old, new] : [new, old]
    return .split(
      SplitBranch(axis: side.axis, children: nodes.map { SplitChild(node: $0, fraction: 0.5) })
    )
  }

  mutating func normalise() {
    guard let node = root.normalised() else { preconditionFailure("a tree keeps its last pane") }
    root = node
  }
}
