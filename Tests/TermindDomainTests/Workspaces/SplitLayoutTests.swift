import TermindDomain
import Testing

@Suite("Split layout") struct SplitLayoutTests {
  func pane(_ number: UInt32) -> PaneID { PaneID(rawValue: number) }

  /// Panes 1 and 2 above 3 and 4.
  func grid() -> SplitTree {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(3), at: .down)
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(3), with: pane(4), at: .right)
    return tree
  }

  @Test("with a title row every pane has a border row above it")
  func titleRows() {
    let area = CellRectangle(row: 1, column: 5, rows: 22, columns: 41)
    let layout = grid().layout(in: area, titleRow: true)
    #expect(
      layout.borders.first?.rectangle == CellRectangle(row: 1, column: 5, rows: 1, columns: 41)
    )
    #expect(layout.borders.first?.id == nil)
    #expect(
      layout.titleRectangle(of: pane(1)) == CellRectangle(row: 1, column: 5, rows: 1, columns: 20)
    )
    #expect(
      layout.titleRectangle(of: pane(4)) == CellRectangle(row: 12, column: 26, rows: 1, columns: 20)
    )
    #expect(layout.titledPane(row: 12, column: 30) == pane(4))
    #expect(layout.titledPane(row: 13, column: 30) == nil)
    #expect(grid().layout(in: area).titleRectangle(of: pane(1)) == nil)
  }

  @Test("an area of one row goes without the title row")
  func oneRow() {
    let layout = SplitTree(pane(1)).layout(
      in: CellRectangle(rows: 1, columns: 9),
      titleRow: true
    )
    #expect(layout.rectangle(of: pane(1)) == CellRectangle(rows: 1, columns: 9))
    #expect(layout.borders.isEmpty)
  }

  @Test("junctions have the arms of both lines")
  func junctions() {
    let layout = grid().layout(in: CellRectangle(rows: 6, columns: 7), titleRow: true)
    #expect(
      layout.junctions == [
        BorderJunction(row: 0, column: 3, arms: [.horizontal, .down]),
        BorderJunction(row: 3, column: 3, arms: [.horizontal, .vertical]),
      ]
    )
  }

  @Test("every border cell knows its arms")
  func arms() {
    let layout = grid().layout(in: CellRectangle(rows: 6, columns: 7), titleRow: true)
    let signs: [BorderArms: Character] = [
      .vertical: "│", .horizontal: "─", [.horizontal, .down]: "┬", [.horizontal, .vertical]: "┼",
    ]
    let rows = (0..<6).map { row in
      String((0..<7).map { layout.arms(row: row, column: $0).map { signs[$0] ?? "?" } ?? " " })
    }
    #expect(rows == ["───┬───", "   │   ", "   │   ", "───┼───", "   │   ", "   │   "])
  }

  @Test("a border that ends at a vertical one points away from it")
  func teeJunction() {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(2), with: pane(3), at: .down)
    tree.split(pane(1), with: pane(4), at: .down)
    let layout = tree.layout(in: CellRectangle(rows: 5, columns: 9))
    #expect(
      layout.junctions == [
        BorderJunction(row: 2, column: 4, arms: [.vertical, .left, .right])
      ]
    )
    tree.remove(pane(4))
    #expect(
      tree.layout(in: CellRectangle(rows: 5, columns: 9)).junctions == [
        BorderJunction(row: 2, column: 4, arms: [.vertical, .right])
      ]
    )
  }

  @Test("too small an area keeps the kept pane and hides others")
  func crowded() {
    var tree = SplitTree(pane(1))
    for number in 2...4 as ClosedRange<UInt32> {
      tree.split(pane(number - 1), with: pane(number), at: .right)
    }
    let layout = tree.layout(in: CellRectangle(rows: 3, columns: 6), keeping: pane(3))
    #expect(layout.hidden == [pane(2), pane(4)])
    #expect(layout.rectangle(of: pane(1)) == CellRectangle(rows: 3, columns: 2))
    #expect(layout.rectangle(of: pane(3)) == CellRectangle(column: 3, rows: 3, columns: 3))
    let tiny = tree.layout(in: CellRectangle(rows: 1, columns: 1), keeping: pane(4))
    #expect(tiny.panes.map(\.pane) == [pane(4)])
    let none = tree.layout(in: CellRectangle(rows: 0, columns: 9), titleRow: true)
    #expect(none.panes.isEmpty)
    #expect(none.hidden == tree.panes)
  }

  @Test("the neighbour is the latest used of those beyond the border")
  func neighbours() {
    var tree = grid()
    tree.split(pane(2), with: pane(5), at: .down)
    let layout = tree.layout(in: CellRectangle(rows: 24, columns: 80), titleRow: true)
    #expect(layout.neighbour(of: pane(1), .right) == pane(2))
    #expect(layout.neighbour(of: pane(1), .right, history: [pane(3), pane(5), pane(2)]) == pane(5))
    #expect(layout.neighbour(of: pane(1), .down) == pane(3))
    #expect(layout.neighbour(of: pane(4), .up) == pane(5))
    #expect(layout.neighbour(of: pane(1), .left) == nil)
    #expect(layout.neighbour(of: pane(1), .up) == nil)
    #expect(layout.neighbour(of: pane(3), .left, wraps: true) == pane(4))
    #expect(layout.neighbour(of: pane(1), .up, wraps: true) == pane(3))
    #expect(layout.neighbour(of: pane(9), .up) == nil)
  }

  @Test("hit tests tell panes from borders")
  func hits() {
    let layout = grid().layout(in: CellRectangle(rows: 11, columns: 21))
    #expect(layout.pane(row: 0, column: 0) == pane(1))
    #expect(layout.pane(row: 0, column: 10) == nil)
    #expect(layout.border(row: 0, column: 10)?.isVertical == true)
    #expect(layout.border(row: 5, column: 10)?.isVertical == false)
    #expect(layout.border(row: 6, column: 11) == nil)
    #expect(layout.pane(row: 10, column: 20) == pane(4))
    #expect(layout.pane(row: 11, column: 20) == nil)
  }
}
