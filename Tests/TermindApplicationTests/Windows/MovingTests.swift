import TermindApplication
import TermindDomain
import Testing

@Suite("Moving panes and workspaces") struct MovingTests {
  @Test("a workspace moves to another window whole and leaves no close history")
  func workspaceKeepsAll() throws {
    var server = ServerModel()
    let first = server.openWindow()
    let second = server.openWindow()
    let made = try unwrap(server.newWorkspace(in: first, name: "prod", panes: 3))
    let left = try unwrap(server.newWorkspace(in: first, name: "left"))
    server.update(workspace: made.id) { workspace in
      workspace.setFocus(made.panes[1])
      workspace.toggleZoom()
    }
    server.update(first) { $0.show(.workspace(made.id)) }
    let before = try unwrap(server.workspace(made.id))
    #expect(server.moveWorkspace(made.id, to: second) == true)
    #expect(server.workspace(made.id) == before)
    #expect(server.window(owning: made.id)?.id == second)
    #expect(server.window(second)?.destination == .workspace(made.id))
    #expect(server.window(first)?.destination == .workspace(left.id))
    #expect(server.closeHistory.isEmpty)
    #expect(server.moveWorkspace(made.id, to: second) == false)
    #expect(server.moveWorkspace(made.id, to: WindowID(rawValue: 44)) == false)
    #expect(server.window(owning: made.id)?.id == second)
  }

  @Test("a pane moves to another workspace, and the emptied one goes without being closed")
  func paneToWorkspace() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let source = try unwrap(server.newWorkspace(in: window))
    let target = try unwrap(server.newWorkspace(in: window, panes: 2))
    let pane = source.focus
    #expect(server.move(pane, to: target.id) == true)
    #expect(server.workspace(source.id) == nil)
    #expect(server.workspace(target.id)?.focus == pane)
    #expect(Set(server.panes) == Set(source.panes + target.panes))
    #expect(server.closeHistory.isEmpty)
    #expect(server.move(pane, to: target.id) == false)
  }

  @Test("a pane moves across windows")
  func paneAcrossWindows() throws {
    var server = ServerModel()
    let first = server.openWindow()
    let second = server.openWindow()
    let source = try unwrap(server.newWorkspace(in: first, panes: 2))
    let target = try unwrap(server.newWorkspace(in: second))
    #expect(server.move(source.panes[0], beside: target.focus, at: .left) == true)
    #expect(server.workspace(target.id)?.panes == [source.panes[0], target.focus])
    #expect(server.workspace(source.id)?.panes == [source.panes[1]])
  }

  @Test("within a workspace a move keeps every pane and ends the zoom")
  func withinWorkspace() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let workspace = try unwrap(server.newWorkspace(in: window, panes: 3))
    server.update(workspace: workspace.id) { $0.toggleZoom() }
    #expect(server.move(workspace.panes[0], beside: workspace.panes[2], at: .down) == true)
    let after = try unwrap(server.workspace(workspace.id))
    #expect(Set(after.panes) == Set(workspace.panes))
    #expect(after.focus == workspace.panes[0])
    #expect(!after.isZoomed)
    #expect(server.move(workspace.panes[0], beside: workspace.panes[0], at: .up) == false)
  }

  @Test("a pane moves to a workspace of its own")
  func newWorkspace() throws {
    var server = ServerModel()
    let first = server.openWindow()
    let second = server.openWindow()
    let workspace = try unwrap(server.newWorkspace(in: first, panes: 2))
    let pane = workspace.panes[1]
    let made = try unwrap(server.moveToNewWorkspace(pane, in: first, name: "own"))
    #expect(server.workspace(made)?.panes == [pane])
    #expect(server.window(first)?.destination == .workspace(made))
    #expect(server.moveToNewWorkspace(pane, in: first) == nil)
    let other = try unwrap(server.moveToNewWorkspace(pane, in: second))
    #expect(server.workspace(made) == nil)
    #expect(server.window(owning: other)?.id == second)
    #expect(other > made)
  }

  @Test("ids are handed out once")
  func idsOnce() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let first = try unwrap(server.newWorkspace(in: window, panes: 2))
    server.closeWorkspace(first.id)
    let second = try unwrap(server.newWorkspace(in: window))
    #expect(second.id > first.id)
    #expect(second.focus.rawValue == 3)
    #expect(server.split(first.focus, at: .down) == nil)
  }
}
