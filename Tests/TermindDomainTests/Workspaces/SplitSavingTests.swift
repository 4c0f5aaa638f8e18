import FoundationEssentials
import TermindDomain
import Testing

@Suite("Saved split trees") struct SplitSavingTests {
  func pane(_ number: UInt32) -> PaneID { PaneID(rawValue: number) }

  func read(_ json: String) throws -> SplitTree {
    try JSONDecoder().decode(SplitTree.self, from: Data(json.utf8))
  }

  @Test("a tree comes back as it was")
  func roundTrip() throws {
    var tree = SplitTree(pane(1))
    tree.split(pane(1), with: pane(2), at: .right)
    tree.split(pane(2), with: pane(3), at: .up)
    tree.resize(pane(1), .right, by: 7, in: CellRectangle(rows: 24, columns: 80))
    let data = try JSONEncoder().encode(tree)
    #expect(try JSONDecoder().decode(SplitTree.self, from: data) == tree)
    let single = SplitTree(pane(9))
    #expect(
      try JSONDecoder().decode(SplitTree.self, from: JSONEncoder().encode(single)) == single
    )
  }

  @Test(
    "shares that make no sense become usable ones",
    arguments: ["[0, 0]", "[-3, 1]", "[1e308, 1e308]", "[1e-300, 1]", "[1]", "[]", "[5, 9, 9]"]
  )
  func oddShares(shares: String) throws {
    let tree = try read(
      #"{"axis": "stacked", "shares": \#(shares), "children": [{"pane": 1}, {"pane": 2}]}"#
    )
    for rows in [0, 1, 2, 3, 4, 24, 500] {
      let area = CellRectangle(rows: rows, columns: 9)
      let layout = tree.layout(in: area, titleRow: true)
      let covered = layout.panes.map(\.rectangle) + layout.borders.map(\.rectangle)
      #expect(covered.reduce(0) { $0 + $1.cellCount } == area.cellCount)
    }
  }

  @Test("one-line panes saved in a large window are shown in a small one")
  func smallWindow() throws {
    var tree = SplitTree(pane(1))
    for number in 2...20 as ClosedRange<UInt32> {
      tree.split(pane(number - 1), with: pane(number), at: .down)
    }
    tree.evenOut()
    let saved = try JSONDecoder().decode(SplitTree.self, from: JSONEncoder().encode(tree))
    let layout = saved.layout(
      in: CellRectangle(rows: 6, columns: 1),
      titleRow: true,
      keeping: pane(20)
    )
    #expect(layout.panes.map(\.pane.rawValue) == [1, 2, 20])
    #expect(layout.panes.map(\.rectangle.rows) == [1, 1, 1])
    #expect(layout.hidden.count == 17)
  }

  @Test("splits with one child or a split of the same axis are put into normal form")
  func normalForm() throws {
    let tree = try read(
      """
      {"axis": "stacked", "children": [
        {"axis": "sideBySide", "children": [{"pane": 1}]},
        {"axis": "stacked", "children": [{"pane": 2}, {"pane": 3}]},
        {"axis": "stacked", "children": []}
      ]}
      """
    )
    var expected = SplitTree(pane(1))
    expected.split(pane(1), with: pane(2), at: .down)
    expected.split(pane(2), with: pane(3), at: .down)
    #expect(tree.panes == expected.panes)
    guard case .split(let branch) = tree.root else {
      Issue.record("no split")
      return
    }
    #expect(branch.children.map(\.fraction) == [0.5, 0.25, 0.25])
  }

  @Test(
    "what is no tree is refused",
    arguments: [
      "{}", "[]", #"{"axis": "stacked", "children": []}"#, #"{"pane": -1}"#,
      #"{"axis": "diagonal", "children": [{"pane": 1}, {"pane": 2}]}"#,
      #"{"axis": "stacked", "children": [{"pane": 1}, {"pane": 1}]}"#,
    ]
  )
  func refusals(json: String) {
    #expect(throws: DecodingError.self) { try read(json) }
  }
}
