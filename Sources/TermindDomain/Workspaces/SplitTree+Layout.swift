extension SplitTree {
  /// Divides an area among the panes.
  ///
  /// Between two children of a split lies one border cell. Each pane keeps the minimum size while the
  /// area allows it. An area that is too small hides panes, from the last one on, but neither the
  /// kept one nor, in an area of at least one cell, all of them.
  /// - Parameters:
  ///   - area: The cells to divide.
  ///   - titleRow: Whether the first row of the area is a border row, so that every pane has one above
  ///     it; an area of one row goes without.
  ///   - kept: The pane that is hidden last, such as the focused one; the first pane when nil.
  /// - Returns: The places of all panes and borders.
  public func layout(
    in area: CellRectangle,
    titleRow: Bool = false,
    keeping kept: PaneID? = nil
  ) -> SplitLayout {
    var builder = LayoutBuilder(kept: kept)
    var body = area
    if titleRow, area.rows > 1, area.columns > 0 {
      body.row += 1
      body.rows -= 1
      builder.borders.append(
        SplitBorder(
          rectangle: area.slice(along: .stacked, start: area.row, length: 1),
          isVertical: false,
          id: nil
        )
      )
    }
    builder.place(root, in: body, path: [])
    return SplitLayout(
      area: area,
      panes: builder.panes,
      hidden: builder.hidden,
      borders: builder.borders
    )
  }
}

private struct LayoutBuilder {
  let kept: PaneID?
  var panes: [PanePlacement] = []
  var hidden: [PaneID] = []
  var borders: [SplitBorder] = []

  init(kept: PaneID?) { self.kept = kept }

  mutating func place(_ node: SplitNode, in area: CellRectangle, path: [Int]) {
    guard !area.isEmpty else {
      hidden += node.panes
      return
    }
    switch node {
    case .pane(let pane):
      panes.append(PanePlacement(pane: pane, rectangle: area))
    case .split(let branch):
      place(branch, in: area, path: path)
    }
  }

  private mutating func place(_ branch: SplitBranch, in area: CellRectangle, path: [Int]) {
    let (start, length) = area.span(along: branch.axis)
    let keptChild = kept.flatMap { kept in
      branch.children.firstIndex { $0.node.contains(kept) }
    }
    let shares = branch.shares(of: length, keptChild: keptChild)
    var next = start
    var isFirst = true
    for (index, child) in branch.children.enumerated() {
      guard shares[index] > 0 else {
        hidden += child.node.panes
        continue
      }
      if !isFirst {
        let line = area.slice(along: branch.axis, start: next, length: 1)
        // With hidden children between them the border has no single place in the tree.
        let id = shares[index - 1] > 0 ? SplitBorderID(path: path, index: index - 1) : nil
        borders.append(
          SplitBorder(rectangle: line, isVertical: branch.axis == .sideBySide, id: id)
        )
        next += 1
      }
      isFirst = false
      place(
        child.node,
        in: area.slice(along: branch.axis, start: next, length: shares[index]),
        path: path + [index]
      )
      next += shares[index]
    }
  }
}

extension SplitNode {
  /// The length along an axis at which every pane of the node keeps its minimum.
  func minimumLength(along axis: SplitAxis) -> Int {
    guard case .split(let branch) = self else { return Self.paneMinimum(along: axis) }
    let lengths = branch.children.map { $0.node.minimumLength(along: axis) }
    return branch.axis == axis
      ? lengths.reduce(lengths.count - 1, +) : (lengths.max() ?? Self.paneMinimum(along: axis))
  }

  static func paneMinimum(along axis: SplitAxis) -> Int {
    axis == .sideBySide ? SplitTree.minimumColumns : SplitTree.minimumRows
  }
}

extension SplitBranch {
  /// The children's lengths when the split is `length` cells long, borders not counted.
  ///
  /// The positive ones and the borders between them add up to `length`; zero means hidden.
  func shares(of length: Int, keptChild: Int?) -> [Int] {
    guard length > 0 else { return children.map { _ in 0 } }
    let minimums = children.map { $0.node.minimumLength(along: axis) }
    let available = length - (children.count - 1)
    guard minimums.reduce(0, +) > available else {
      return apportion(available, minimums: minimums)
    }
    return crowdedShares(of: length, minimums: minimums, keptChild: keptChild ?? 0)
  }

  /// Shares by fraction, with the largest remainders rounded up; every child has its minimum.
  private func apportion(_ available: Int, minimums: [Int]) -> [Int] {
    var shares = minimums
    var open = Set(children.indices)
    var rest = available
    while true {
      let weight = open.reduce(0.0) { $0 + children[$1].fraction }
      let scale = weight > 0 ? Double(rest) / weight : 0
      let short = open.filter { children[$0].fraction * scale < Double(minimums[$0]) - 1e-6 }
      if short.isEmpty { break }
      for index in short {
        open.remove(index)
        rest -= minimums[index]
      }
    }
    let order = open.sorted()
    let weight = order.reduce(0.0) { $0 + children[$1].fraction }
    var remainders: [(part: Int, index: Int)] = []
    for index in order {
      // Rounded to a millionth of a cell, so that equal shares stay equal.
      let millionths = Int((children[index].fraction / weight * Double(rest) * 1e6).rounded())
      shares[index] = max(millionths / 1_000_000, minimums[index])
      remainders.append((millionths - shares[index] * 1_000_000, index))
    }
    var missing = available - shares.reduce(0, +)
    remainders.sort { ($0.part, $1.index) > ($1.part, $0.index) }
    var turn = 0
    while missing > 0, !remainders.isEmpty {
      shares[remainders[turn % remainders.count].index] += 1
      turn += 1
      missing -= 1
    }
    return shares
  }

  /// Shares where not every child can have its minimum: as many as fit are shown at all.
  private func crowdedShares(of length: Int, minimums: [Int], keptChild: Int) -> [Int] {
    let smallest = SplitNode.paneMinimum(along: axis)
    let order = [keptChild] + children.indices.filter { $0 != keptChild }
    let shown = order.prefix(max((length + 1) / (smallest + 1), 1))
    var shares = children.map { _ in 0 }
    var rest = length - (shown.count - 1)
    for index in shown {
      shares[index] = min(smallest, rest)
      rest -= shares[index]
    }
    for index in shown {
      let extra = min(max(minimums[index] - shares[index], 0), rest)
      shares[index] += extra
      rest -= extra
    }
    shares[keptChild] += rest
    return shares
  }
}
