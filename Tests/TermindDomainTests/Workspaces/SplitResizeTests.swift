import TermindDomain
import Testing

@Suite("Split resizing") struct SplitResizeTests {
  let area = CellRectangle(rows: 24, columns: 81)

  func pane(_ number: UInt32) -> PaneID { PaneID(rawValue: number) }

  func columns(_ tree: SplitTree) -> [Int] { tree.layout(in: area).panes.map(\.rectangle.columns) }

  func pair() -> SplitTree {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    return tree
  }

  @Test("the border after the pane moves; for the last pane the one before it")
  func borderChoice() {
    var tree = pair()
    #expect(tree.resize(pane(1), .right, by: 5, in: area) == 5)
    #expect(columns(tree) == [45, 35])
    #expect(tree.resize(pane(1), .left, by: 3, in: area) == 3)
    #expect(columns(tree) == [42, 38])
    #expect(tree.resize(pane(2), .left, by: 2, in: area) == 2)
    #expect(columns(tree) == [40, 40])
    #expect(tree.resize(pane(2), .right, by: 4, in: area) == 4)
    #expect(columns(tree) == [44, 36])
    #expect(tree.resize(pane(2), .up, by: 4, in: area) == 0)
  }

  @Test("a border stops at the neighbour's minimum")
  func stops() {
    var tree = pair()
    #expect(tree.resize(pane(1), .right, by: Int.max, in: area) == 38)
    #expect(columns(tree) == [78, 2])
    #expect(tree.resize(pane(1), .right, by: 1, in: area) == 0)
    #expect(tree.resize(pane(1), .left, by: 500, in: area) == 76)
    #expect(columns(tree) == [2, 78])
    #expect(tree.resize(pane(1), .right, by: -4, in: area) == 0)
  }

  @Test("an inner pane reaches the border of the split above")
  func outerBorder() {
    var tree = pair()
    tree.split(pane(1), with: pane(3), at: .down)
    tree.resize(pane(3), .right, by: 7, in: area)
    #expect(tree.layout(in: area).rectangle(of: pane(1))?.columns == 47)
    tree.resize(pane(2), .left, by: 7, in: area)
    #expect(tree.layout(in: area).rectangle(of: pane(3))?.columns == 40)
  }

  @Test("a dragged border follows the pointer up to the minimum")
  func dragging() throws {
    var tree = pair()
    let id = try #require(tree.layout(in: area).border(row: 3, column: 40)?.id)
    let moved = tree.drag(id, toRow: 99, column: 50, in: area)
    #expect(moved)
    #expect(tree.layout(in: area).border(row: 3, column: 50)?.id == id)
    let still = tree.drag(id, toRow: 0, column: 50, in: area)
    #expect(!still)
    tree.drag(id, toRow: 0, column: -10, in: area)
    #expect(columns(tree) == [2, 78])
    tree.drag(id, toRow: 0, column: 1000, in: area)
    #expect(columns(tree) == [78, 2])
  }

  @Test("a horizontal border is dragged by its row, below the title row too")
  func draggingRows() throws {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .down)
    let layout = tree.layout(in: area, titleRow: true)
    let line = try #require(layout.borders.last)
    let id = try #require(line.id)
    tree.drag(id, toRow: 5, column: 0, in: area, titleRow: true)
    #expect(
      tree.layout(in: area, titleRow: true).rectangle(of: pane(1))
        == CellRectangle(row: 1, rows: 4, columns: 81)
    )
  }

  @Test("a border of an older shape is not moved")
  func staleBorder() throws {
    var tree = pair()
    tree.split(pane(2), with: pane(3), at: .down)
    let id = try #require(tree.layout(in: area).borders.last?.id)
    tree.remove(pane(3))
    let before = tree
    let moved = tree.drag(id, toRow: 1, column: 1, in: area)
    #expect(!moved)
    #expect(tree == before)
  }

  @Test("nothing moves while panes are hidden")
  func crowdedResize() {
    var tree = pair()
    let before = tree
    #expect(tree.resize(pane(1), .right, by: 1, in: CellRectangle(rows: 2, columns: 4)) == 0)
    #expect(tree.resize(pane(1), .right, by: 1, in: CellRectangle(rows: 0, columns: 0)) == 0)
    #expect(tree == before)
  }
}
