import TermindDomain
import Testing

@Suite("Split tree") struct SplitTreeTests {
  let area = CellRectangle(rows: 24, columns: 81)

  func pane(_ number: UInt32) -> PaneID { PaneID(rawValue: number) }

  /// `1 | 2` with 3 below 2.
  func threePanes() -> SplitTree {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(2), with: pane(3), at: .down)
    return tree
  }

  @Test("a split halves the space and puts one border column between the halves")
  func splitRight() {
    var tree = SplitTree(pane(1))
    #expect(tree.split(pane(1), with: pane(2), at: .right) == true)
    let layout = tree.layout(in: area)
    #expect(layout.rectangle(of: pane(1)) == CellRectangle(rows: 24, columns: 40))
    #expect(layout.rectangle(of: pane(2)) == CellRectangle(column: 41, rows: 24, columns: 40))
    #expect(layout.borders.map(\.rectangle) == [CellRectangle(column: 40, rows: 24, columns: 1)])
    #expect(layout.borders.map(\.isVertical) == [true])
  }

  @Test(
    "a new pane lies on the side that was asked for",
    arguments: [
      (PaneDirection.left, [2, 1]), (.right, [1, 2]), (.up, [2, 1]), (.down, [1, 2]),
    ]
  )
  func splitSides(side: PaneDirection, order: [UInt32]) {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: side)
    #expect(tree.panes.map(\.rawValue) == order)
    guard case .split(let branch) = tree.root else {
      Issue.record("no split")
      return
    }
    #expect(branch.axis == side.axis)
  }

  @Test("splitting along the same axis adds a sibling instead of a level")
  func splitsFlatten() {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(2), with: pane(3), at: .right)
    guard case .split(let branch) = tree.root else {
      Issue.record("no split")
      return
    }
    #expect(branch.children.map(\.fraction) == [0.5, 0.25, 0.25])
  }

  @Test("a pane that is there already, or a place that is not, changes nothing")
  func refusals() {
    let tree = threePanes()
    var copy = tree
    #expect(copy.split(pane(1), with: pane(3), at: .up) == false)
    #expect(copy.split(pane(9), with: pane(4), at: .up) == false)
    #expect(copy.splitRoot(with: pane(1), at: .up) == false)
    #expect(copy.remove(pane(9)) == false)
    #expect(copy.replace(pane(1), with: pane(2)) == false)
    #expect(copy.replace(pane(9), with: pane(4)) == false)
    #expect(copy.swap(pane(1), pane(1)) == false)
    #expect(copy.swap(pane(1), pane(9)) == false)
    #expect(copy.move(pane(1), beside: pane(1), at: .left) == false)
    #expect(copy.resize(pane(9), .right, by: 1, in: area) == 0)
    #expect(copy == tree)
    var single = SplitTree(pane(1))
    #expect(single.remove(pane(1)) == false)
    #expect(single.resize(pane(1), .left, by: 3, in: area) == 0)
    #expect(single == SplitTree(pane(1)))
  }

  @Test("removing gives the space back to the sibling before, else to the one after")
  func removal() {
    var tree = threePanes()
    tree.remove(pane(3))
    var two = SplitTree(pane(1))
    two.split(pane(1), with: pane(2), at: .right)
    #expect(tree == two)
    tree.remove(pane(1))
    #expect(tree == SplitTree(pane(2)))
  }

  @Test(
    "among several siblings the one before takes the space",
    arguments: [(1, [0.75, 0.25]), (2, [0.75, 0.25]), (3, [0.5, 0.5])] as [(UInt32, [Double])]
  )
  func removalAmongSiblings(removed: UInt32, fractions: [Double]) {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(2), with: pane(3), at: .right)
    tree.remove(pane(removed))
    guard case .split(let branch) = tree.root else {
      Issue.record("no split")
      return
    }
    #expect(branch.children.map(\.fraction) == fractions)
  }

  @Test("removal merges a lone child into the split above")
  func removalMerges() {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(2), with: pane(3), at: .down)
    tree.split(pane(3), with: pane(4), at: .right)
    tree.remove(pane(2))
    guard case .split(let branch) = tree.root else {
      Issue.record("no split")
      return
    }
    #expect(branch.children.map(\.node) == [.pane(pane(1)), .pane(pane(3)), .pane(pane(4))])
    #expect(branch.children.map(\.fraction) == [0.5, 0.25, 0.25])
  }

  @Test("swap, replace and rotate keep the shape")
  func exchanges() {
    var tree = threePanes()
    tree.swap(pane(1), pane(3))
    #expect(tree.panes == [pane(3), pane(2), pane(1)])
    tree.replace(pane(2), with: pane(7))
    #expect(tree.panes == [pane(3), pane(7), pane(1)])
    tree.rotate()
    #expect(tree.panes == [pane(1), pane(3), pane(7)])
    tree.rotate(forward: false)
    #expect(tree.panes == [pane(3), pane(7), pane(1)])
    #expect(tree.path(lengths: area) == threePanes().path(lengths: area))
  }

  @Test("a pane moves beside another one")
  func moves() {
    var tree = threePanes()
    #expect(tree.move(pane(1), beside: pane(3), at: .down) == true)
    #expect(tree.panes == [pane(2), pane(3), pane(1)])
  }

  @Test("even out counts panes along the axis, not nodes")
  func evenOut() {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(2), with: pane(3), at: .down)
    tree.split(pane(3), with: pane(4), at: .right)
    tree.evenOut()
    let layout = tree.layout(in: CellRectangle(rows: 21, columns: 32))
    #expect(layout.rectangle(of: pane(1))?.columns == 10)
    #expect(layout.rectangle(of: pane(2))?.columns == 21)
    #expect(layout.rectangle(of: pane(3))?.columns == 10)
    #expect(layout.rectangle(of: pane(2))?.rows == 10)
  }

  @Test("the panes after and before go around the ends")
  func cycling() {
    let tree = threePanes()
    #expect(tree.pane(after: pane(3)) == pane(1))
    #expect(tree.pane(after: pane(1), offset: -1) == pane(3))
    #expect(tree.pane(after: pane(1), offset: -7) == pane(3))
    #expect(tree.pane(after: pane(8)) == nil)
    #expect(tree.firstPane == pane(1))
  }

  @Test("presets arrange every pane once", arguments: SplitPreset.allCases, 1...12)
  func presets(preset: SplitPreset, count: Int) {
    var tree = SplitTree(pane(1))
    for number in 1..<UInt32(count) where count > 1 {
      tree.split(pane(number), with: pane(number + 1), at: .right)
    }
    tree.arrange(preset)
    #expect(tree.panes == (1...UInt32(count)).map(pane))
    let layout = tree.layout(in: CellRectangle(rows: 100, columns: 200))
    let columns = Set(layout.panes.map(\.rectangle.column)).count
    let rows = Set(layout.panes.map(\.rectangle.row)).count
    switch preset {
    case .evenColumns:
      #expect(columns == count)
      #expect(rows == 1)
    case .evenRows:
      #expect(columns == 1)
      #expect(rows == count)
    case .mainAndStack:
      #expect(columns == min(count, 2))
      #expect(rows == max(count - 1, 1))
    case .tiled:
      #expect(rows * rows <= count + rows)
      #expect(layout.panes.map(\.rectangle.rows).min() ?? 0 >= 100 / rows - 1)
    }
  }

  @Test("main and stack puts the named pane on the left")
  func mainPane() {
    var tree = threePanes()
    tree.arrange(.mainAndStack, main: pane(2))
    #expect(tree.panes == [pane(2), pane(1), pane(3)])
    tree.arrange(.mainAndStack, main: pane(9))
    #expect(tree.panes == [pane(2), pane(1), pane(3)])
  }

  @Test("a split of the root takes a whole side")
  func rootSplit() {
    var tree = threePanes()
    #expect(tree.splitRoot(with: pane(4), at: .down) == true)
    let layout = tree.layout(in: area)
    #expect(layout.rectangle(of: pane(4)) == CellRectangle(row: 13, rows: 11, columns: 81))
  }
}

extension SplitTree {
  /// The rectangles in reading order, without the panes.
  func path(lengths area: CellRectangle) -> [CellRectangle] {
    layout(in: area).panes.map(\.rectangle)
  }
}
