import TermindApplication
import TermindDomain
import Testing

@Suite("Window") struct WindowModelTests {
  /// A server with one window of `count` workspaces with names from a on.
  func server(workspaces count: Int) -> (server: ServerModel, window: WindowID, ids: [WorkspaceID])
  {
    var server = ServerModel()
    let window = server.openWindow()
    let names = ["a", "b", "c", "d"]
    let ids = (0..<count).compactMap { server.newWorkspace(in: window, name: names[$0])?.id }
    return (server, window, ids)
  }

  @Test("a new window starts at Welcome with nothing in it")
  func welcome() throws {
    var server = ServerModel()
    let id = server.openWindow()
    let window = try unwrap(server.window(id))
    #expect(window.destination == .welcome)
    #expect(window.workspaces.isEmpty)
    #expect(window.isAttached)
    #expect(window.focus == .destination(.welcome))
  }

  @Test("destinations are local to the window, and a foreign workspace cannot be shown")
  func destinations() throws {
    var (server, first, ids) = server(workspaces: 1)
    let second = server.openWindow()
    server.update(first) { $0.show(.vault) }
    #expect(server.window(first)?.destination == .vault)
    #expect(server.window(second)?.destination == .welcome)
    let shown = server.update(second) { $0.show(.workspace(ids[0])) }
    #expect(shown == false)
  }

  @Test("switching by place, order and last use")
  func switching() throws {
    var (server, window, ids) = server(workspaces: 3)
    var model = try unwrap(server.update(window) { $0 })
    #expect(model.destination == .workspace(ids[2]))
    #expect(model.showWorkspace(at: 0) == true)
    #expect(model.showLast() == true)
    #expect(model.destination == .workspace(ids[2]))
    #expect(model.showNextWorkspace() == true)
    #expect(model.destination == .workspace(ids[0]))
    #expect(model.showNextWorkspace(offset: -1) == true)
    #expect(model.destination == .workspace(ids[2]))
    #expect(model.showWorkspace(at: 3) == false)
    model.show(.settings)
    #expect(model.showLastWorkspace() == true)
    #expect(model.destination == .workspace(ids[2]))
    #expect(model.showLastWorkspace() == true)
    #expect(model.destination == .workspace(ids[0]))
    model.show(.metrics)
    #expect(model.showNextWorkspace() == true)
    #expect(model.destination == .workspace(ids[0]))
  }

  @Test("a workspace without a name is called by its place, whatever number it has")
  func unnamed() throws {
    var (server, window, ids) = server(workspaces: 3)
    let added = try unwrap(server.newWorkspace(in: window))
    #expect(!added.isNamed)
    func names() throws -> [String] {
      let model = try unwrap(server.window(window))
      return model.workspaces.map(model.name(of:))
    }
    #expect(try names() == ["a", "b", "c", "workspace 4"])
    for id in ids { _ = server.closeWorkspace(id) }
    #expect(try names() == ["workspace 1"])
    server.update(workspace: added.id) { $0.rename("own") }
    #expect(try names() == ["own"])
  }

  @Test("the tab bar is reordered within its ends")
  func reordering() {
    var (server, window, ids) = server(workspaces: 3)
    server.update(window) { model in
      model.reorder(ids[0], to: 99)
      model.reorder(ids[2], to: -4)
      model.reorder(WorkspaceID(rawValue: 99), to: 0)
    }
    #expect(server.window(window)?.workspaces.map(\.id) == [ids[2], ids[1], ids[0]])
  }

  @Test("the sidebar cycles wide, narrow, hidden")
  func sidebar() {
    #expect(SidebarState.wide.next == .narrow)
    #expect(SidebarState.narrow.next == .hidden)
    #expect(SidebarState.hidden.next == .wide)
  }

  @Test("an overlay takes the keys and gives them back")
  func overlays() throws {
    var (server, window, _) = server(workspaces: 1)
    let pane = try unwrap(server.window(window)?.activeWorkspace?.focus)
    server.update(window) { $0.present(.find) }
    server.update(window) { $0.present(.quickOpen) }
    #expect(server.window(window)?.overlays == [.quickOpen])
    #expect(server.window(window)?.focus == .overlay(.quickOpen))
    server.update(window) { $0.dismiss(.quickOpen) }
    #expect(server.window(window)?.focus == .pane(pane))
  }

  @Test("focusing a pane shows its workspace")
  func focusPane() throws {
    var (server, window, ids) = server(workspaces: 2)
    let pane = try unwrap(server.workspace(ids[0])?.focus)
    server.update(window) { $0.focusPane(pane) }
    #expect(server.window(window)?.destination == .workspace(ids[0]))
    #expect(server.update(window) { $0.focusPane(PaneID(rawValue: 99)) } == false)
  }

  @Test("a terminal that vanishes detaches its window, and attach brings it back as it was")
  func detachAndAttach() throws {
    var (server, window, _) = server(workspaces: 2)
    let other = server.openWindow()
    server.update(window) { $0.present(.confirmation) }
    let before = try unwrap(server.window(window)?.workspaces)
    #expect(server.windowToAttach == nil)
    #expect(server.detach(window) == true)
    #expect(server.detach(window) == false)
    #expect(server.window(window)?.workspaces == before)
    #expect(server.window(window)?.overlays == [])
    #expect(server.windowToAttach == window)
    server.detach(other)
    #expect(server.windowToAttach == other)
    #expect(server.attach(window) == true)
    #expect(server.attach(window) == false)
    #expect(server.attach(WindowID(rawValue: 99)) == false)
    #expect(server.window(window)?.isAttached == true)
  }

  @Test("a workspace of several panes tiles them, as a batch needs it")
  func batch() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let workspace = try unwrap(server.newWorkspace(in: window, name: "batch", panes: 5))
    #expect(workspace.panes.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(server.newWorkspace(in: WindowID(rawValue: 9)) == nil)
  }
}
