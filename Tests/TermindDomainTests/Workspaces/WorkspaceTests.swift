import TermindDomain
import Testing

@Suite("Workspace") struct WorkspaceTests {
  let area = CellRectangle(rows: 25, columns: 81)

  func pane(_ number: UInt32) -> PaneID { PaneID(rawValue: number) }

  /// `1 | 2` with 3 below 2; focused one after the other.
  func workspace() -> Workspace {
    var workspace = Workspace(
      id: WorkspaceID(rawValue: 7),
      name: " prod ",
      tree: SplitTree(pane(1))
    )
    workspace.split(pane(1), with: pane(2), at: .right)
    workspace.split(pane(2), with: pane(3), at: .down)
    return workspace
  }

  @Test("names are trimmed, bounded and never empty")
  func names() {
    var workspace = workspace()
    #expect(workspace.name == "prod")
    #expect(workspace.rename(" \n\t") == false)
    #expect(workspace.rename("a\nb  c") == true)
    #expect(workspace.name == "a b c")
    workspace.rename(String(repeating: "é", count: 500))
    #expect(workspace.name.count == Workspace.maximumNameLength)
    let unnamed = Workspace(id: WorkspaceID(rawValue: 9), name: "", tree: SplitTree(pane(1)))
    #expect(unnamed.name == "9")
  }

  @Test("a split focuses the new pane, and the last focus is one key away")
  func focusAfterSplit() {
    var workspace = workspace()
    #expect(workspace.focus == pane(3))
    #expect(workspace.focusLast() == true)
    #expect(workspace.focus == pane(2))
    #expect(workspace.focusLast() == true)
    #expect(workspace.focus == pane(3))
  }

  @Test("focus moves by geometry, the latest used pane first")
  func focusByDirection() {
    var workspace = workspace()
    #expect(workspace.focusNeighbour(.left, in: area, titleRow: true) == true)
    #expect(workspace.focus == pane(1))
    workspace.focusNeighbour(.right, in: area, titleRow: true)
    #expect(workspace.focus == pane(3))
    #expect(workspace.focusNeighbour(.right, in: area) == false)
    #expect(workspace.focusNeighbour(.right, in: area, wraps: true) == true)
    #expect(workspace.focus == pane(1))
    #expect(workspace.focusNext(offset: -1) == true)
    #expect(workspace.focus == pane(3))
  }

  @Test("a closed pane hands the focus to the one used before")
  func focusAfterRemoval() {
    var workspace = workspace()
    workspace.setFocus(pane(1))
    workspace.setFocus(pane(2))
    #expect(workspace.remove(pane(2)) == true)
    #expect(workspace.focus == pane(1))
    #expect(workspace.remove(pane(3)) == true)
    #expect(workspace.focus == pane(1))
    #expect(workspace.remove(pane(1)) == false)
    #expect(workspace.focus == pane(1))
  }

  @Test("zoom shows the focused pane alone, and ends with focus, split and close")
  func zoom() {
    var workspace = workspace()
    workspace.toggleZoom()
    let shown = workspace.layout(in: area, titleRow: true)
    #expect(shown.panes.map(\.pane) == [pane(3)])
    #expect(shown.rectangle(of: pane(3)) == CellRectangle(row: 1, rows: 24, columns: 81))
    workspace.setFocus(pane(3))
    #expect(workspace.isZoomed)
    workspace.setFocus(pane(1))
    #expect(!workspace.isZoomed)
    workspace.toggleZoom()
    workspace.split(pane(1), with: pane(4), at: .down)
    #expect(!workspace.isZoomed)
    workspace.toggleZoom()
    workspace.remove(pane(4))
    #expect(!workspace.isZoomed)
    workspace.toggleZoom()
    workspace.rearrange { $0.rotate() }
    #expect(!workspace.isZoomed)
  }

  @Test("closing another pane keeps the zoom until one pane is left")
  func zoomAndRemoval() {
    var workspace = workspace()
    workspace.toggleZoom()
    workspace.remove(pane(1))
    #expect(workspace.isZoomed)
    workspace.remove(pane(2))
    #expect(!workspace.isZoomed)
    workspace.toggleZoom()
    #expect(!workspace.isZoomed)
  }

  @Test("a replaced pane passes on its focus and its place in the history")
  func replacement() {
    var workspace = workspace()
    workspace.toggleZoom()
    #expect(workspace.replace(pane(3), with: pane(8)) == true)
    #expect(workspace.focus == pane(8))
    #expect(workspace.history == [pane(8), pane(2), pane(1)])
    #expect(workspace.isZoomed)
  }

  @Test("rearranging cannot add or drop panes")
  func rearranging() {
    var workspace = workspace()
    let before = workspace
    workspace.rearrange { tree in
      tree.remove(pane(1))
      tree.split(pane(2), with: pane(9), at: .up)
    }
    #expect(workspace == before)
    let moved = workspace.rearrange { $0.resize(pane(1), .right, by: 3, in: area) }
    #expect(moved == 3)
    #expect(workspace.layout(in: area).rectangle(of: pane(1))?.columns == 43)
  }

  @Test("the focused pane is the last one to be hidden")
  func crowded() {
    let layout = workspace().layout(in: CellRectangle(rows: 1, columns: 3), titleRow: true)
    #expect(layout.panes.map(\.pane) == [pane(3)])
  }
}
