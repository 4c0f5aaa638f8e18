/// The panes of a workspace and how they divide its area; a pure value that is never empty.
///
/// The tree knows no sizes: `layout(in:titleRow:keeping:)` turns it into rectangles for an area, and
/// every area gives a layout. Operations that cannot be done change nothing and say so.
public struct SplitTree: Hashable, Sendable {
  /// The fewest rows that a pane keeps while the area allows it.
  public static let minimumRows = 1
  /// The fewest columns that a pane keeps while the area allows it.
  public static let minimumColumns = 2

  /// The root, in normal form: no split has a child that is split along the same axis.
  public internal(set) var root: SplitNode

  /// Makes a tree of one pane.
  public init(_ pane: PaneID) { root = .pane(pane) }

  /// Makes a tree of a node that was checked by the caller.
  init(root: SplitNode) { self.root = root }

  /// The same shape with other panes in the same places.
  ///
  /// - Parameter pane: Gives the new pane of a place, counted in reading order; each has to be another one.
  /// - Returns: The tree of the new panes.
  public func replacingPanes(_ pane: () -> PaneID) -> SplitTree {
    SplitTree(root: root.mapPanes { _ in pane() })
  }

  /// Every pane once, in reading order of the tree.
  public var panes: [PaneID] { root.panes }
  /// The number of panes, at least one.
  public var count: Int { panes.count }
  /// The first pane in reading order.
  public var firstPane: PaneID {
    var node = root
    while case .split(let branch) = node { node = branch.children[0].node }
    guard case .pane(let pane) = node else { preconditionFailure("a leaf is a pane") }
    return pane
  }

  /// Whether the pane is in the tree.
  public func contains(_ pane: PaneID) -> Bool { root.contains(pane) }

  /// The pane that comes after (or before) another one in reading order, around the ends.
  ///
  /// - Parameters:
  ///   - pane: Where to start.
  ///   - offset: How many panes to go on; may be negative.
  /// - Returns: The pane there, or nil when `pane` is not in the tree.
  public func pane(after pane: PaneID, offset: Int = 1) -> PaneID? {
    let all = panes
    guard let index = all.firstIndex(of: pane) else { return nil }
    let target = (index + offset) % all.count
    return all[target < 0 ? target + all.count : target]
  }

  /// The way from the root to a pane, as child indices; nil when it is not in the tree.
  func path(to pane: PaneID) -> [Int]? {
    var path: [Int] = []
    var node = root
    while true {
      switch node {
      case .pane(let own):
        return own == pane ? path : nil
      case .split(let branch):
        guard let index = branch.children.firstIndex(where: { $0.node.contains(pane) }) else {
          return nil
        }
        path.append(index)
        node = branch.children[index].node
      }
    }
  }

  /// The split at a path; nil when there is none.
  func branch(at path: some Collection<Int>) -> SplitBranch? {
    var node = root
    for index in path {
      guard case .split(let branch) = node, branch.children.indices.contains(index) else {
        return nil
      }
      node = branch.children[index].node
    }
    guard case .split(let branch) = node else { return nil }
    return branch
  }

  /// Changes the node at a path in place.
  mutating func change(at path: some Collection<Int>, _ body: (inout SplitNode) -> Void) {
    Self.change(&root, at: Array(path)[...], body)
  }

  private static func change(
    _ node: inout SplitNode,
    at path: ArraySlice<Int>,
    _ body: (inout SplitNode) -> Void
  ) {
    guard let index = path.first else { return body(&node) }
    guard case .split(var branch) = node, branch.children.indices.contains(index) else { return }
    change(&branch.children[index].node, at: path.dropFirst(), body)
    node = .split(branch)
  }
}
