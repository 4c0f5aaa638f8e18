extension SplitTree: Codable {
  /// The most panes that a saved tree may have.
  public static let maximumSavedPanes = 1024

  /// Reads a saved tree, whatever its shares are; sizes that do not fit are the layout's matter.
  ///
  /// - Parameter decoder: Where it stands.
  /// - Throws: `DecodingError` when no pane is in it, one is in it twice, or there are too many.
  public init(from decoder: any Decoder) throws {
    func corrupt(_ text: String) -> DecodingError {
      .dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: text)
      )
    }
    guard let root = try SavedNode(from: decoder).node.normalised() else {
      throw corrupt("no pane in the tree")
    }
    let panes = root.panes
    guard panes.count <= Self.maximumSavedPanes else { throw corrupt("too many panes") }
    guard Set(panes).count == panes.count else { throw corrupt("a pane is in the tree twice") }
    self.init(root: root)
  }

  /// Writes the tree.
  public func encode(to encoder: any Encoder) throws {
    try SavedNode(node: root).encode(to: encoder)
  }
}

/// The saved form of a node: `{"pane": 3}`, or `{"axis": …, "shares": […], "children": […]}`.
private struct SavedNode: Codable {
  let node: SplitNode

  enum Key: String, CodingKey {
    case pane
    case axis
    case shares
    case children
  }

  init(node: SplitNode) { self.node = node }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let pane = try container.decodeIfPresent(PaneID.self, forKey: .pane) {
      node = .pane(pane)
      return
    }
    let nodes = try container.decode([SavedNode].self, forKey: .children)
    let shares = try container.decodeIfPresent([Double].self, forKey: .shares) ?? []
    let children = nodes.enumerated().map { index, saved in
      SplitChild(
        node: saved.node,
        fraction: shares.indices.contains(index) ? shares[index] : .nan
      )
    }
    node = .split(
      SplitBranch(
        axis: try container.decode(SplitAxis.self, forKey: .axis),
        children: SplitBranch.withUnitSum(children)
      )
    )
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch node {
    case .pane(let pane):
      try container.encode(pane, forKey: .pane)
    case .split(let branch):
      try container.encode(branch.axis, forKey: .axis)
      try container.encode(branch.children.map(\.fraction), forKey: .shares)
      try container.encode(branch.children.map { SavedNode(node: $0.node) }, forKey: .children)
    }
  }
}
