/// How the children of a split lie to each other.
public enum SplitAxis: String, Hashable, Sendable, Codable, CaseIterable {
  /// From left to right, with vertical borders between them.
  case sideBySide
  /// From top to bottom, with horizontal borders between them.
  case stacked

  /// The other axis.
  public var other: SplitAxis { self == .sideBySide ? .stacked : .sideBySide }
}

/// One of the four sides of a pane.
public enum PaneDirection: String, Hashable, Sendable, Codable, CaseIterable {
  /// Towards column zero.
  case left
  /// Towards the last column.
  case right
  /// Towards row zero.
  case up
  /// Towards the last row.
  case down

  /// The axis along which this direction points.
  public var axis: SplitAxis { self == .left || self == .right ? .sideBySide : .stacked }
  /// Whether rows or columns grow in this direction.
  public var isForward: Bool { self == .right || self == .down }
  /// The direction that points the other way.
  public var opposite: PaneDirection {
    switch self {
    case .left: .right
    case .right: .left
    case .up: .down
    case .down: .up
    }
  }
}

/// A node of a split tree: a pane, or a split of further nodes.
public enum SplitNode: Hashable, Sendable {
  /// A leaf.
  case pane(PaneID)
  /// Two or more nodes along an axis.
  case split(SplitBranch)

  /// The panes below this node, in reading order of the tree.
  public var panes: [PaneID] {
    switch self {
    case .pane(let pane): [pane]
    case .split(let branch): branch.children.flatMap(\.node.panes)
    }
  }

  /// Whether the pane is below this node.
  public func contains(_ pane: PaneID) -> Bool {
    switch self {
    case .pane(let own): own == pane
    case .split(let branch): branch.children.contains { $0.node.contains(pane) }
    }
  }

  /// The same shape with other panes in the leaves.
  func mapPanes(_ change: (PaneID) -> PaneID) -> SplitNode {
    switch self {
    case .pane(let pane):
      return .pane(change(pane))
    case .split(let branch):
      return .split(
        SplitBranch(
          axis: branch.axis,
          children: branch.children.map { child in
            SplitChild(node: child.node.mapPanes(change), fraction: child.fraction)
          }
        )
      )
    }
  }

  /// How many panes lie one after the other along an axis, at most.
  func units(along axis: SplitAxis) -> Int {
    guard case .split(let branch) = self else { return 1 }
    let counts = branch.children.map { $0.node.units(along: axis) }
    return branch.axis == axis ? counts.reduce(0, +) : (counts.max() ?? 1)
  }

  /// The node in its normal form, or nil when no pane is left in it.
  ///
  /// In normal form a split has two children or more, none of them is a split along the same axis,
  /// and the fractions are positive and add up to one.
  func normalised() -> SplitNode? {
    guard case .split(let branch) = self else { return self }
    var children: [SplitChild] = []
    for child in branch.children {
      guard let node = child.node.normalised() else { continue }
      guard case .split(let inner) = node, inner.axis == branch.axis else {
        children.append(SplitChild(node: node, fraction: child.fraction))
        continue
      }
      for grandchild in inner.children {
        children.append(
          SplitChild(node: grandchild.node, fraction: child.fraction * grandchild.fraction)
        )
      }
    }
    guard children.count > 1 else { return children.first?.node }
    return .split(
      SplitBranch(axis: branch.axis, children: SplitBranch.withUnitSum(children))
    )
  }
}

/// A split: nodes along an axis, each with its share of the space.
public struct SplitBranch: Hashable, Sendable {
  /// How the children lie to each other.
  public internal(set) var axis: SplitAxis
  /// Two children or more, in order.
  public internal(set) var children: [SplitChild]

  /// The children with fractions that are positive and add up to one; nonsense becomes an equal share.
  static func withUnitSum(_ children: [SplitChild]) -> [SplitChild] {
    var result = children
    let usable = result.allSatisfy { $0.fraction.isFinite && $0.fraction > 0 }
    if !usable { for index in result.indices { result[index].fraction = 1 } }
    let sum = result.reduce(0.0) { $0 + $1.fraction }
    guard abs(sum - 1) > 1e-12 else { return result }
    for index in result.indices {
      // A share far below one cell of any screen would only lose precision.
      result[index].fraction = max(result[index].fraction / sum, 1e-9)
    }
    return result
  }
}

/// A child of a split.
public struct SplitChild: Hashable, Sendable {
  /// What stands there.
  public internal(set) var node: SplitNode
  /// Its share of the split's length, greater than 0 and less than 1.
  public internal(set) var fraction: Double
}
