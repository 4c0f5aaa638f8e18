import Foundation
import TermindApplication
import TermindDomain
import Testing

@Suite("Windows across a restart") struct RestoringTests {
  /// A server with two windows; the first one was shown last.
  private func server() throws -> ServerModel {
    var server = ServerModel()
    let first = server.openWindow()
    let wide = try unwrap(server.newWorkspace(in: first, name: "production", panes: 3))
    server.update(workspace: wide.id) { workspace in
      workspace.setFocus(workspace.panes[1])
      workspace.toggleZoom()
    }
    let plain = try unwrap(server.newWorkspace(in: first))
    server.update(first) { window in
      window.rename("left screen")
      window.sidebar = .narrow
      window.show(.workspace(wide.id))
    }
    let second = server.openWindow()
    server.newWorkspace(in: second, name: "logs")
    _ = server.openWindow()
    server.detach(first)
    server.attach(first)
    #expect(server.workspace(plain.id) != nil)
    return server
  }

  private func described(_ pane: PaneID) -> SessionSnapshot.Pane {
    let words = ["program", "\(pane.rawValue)"]
    return SessionSnapshot.Pane(
      id: pane,
      content: .local(words: words, directory: "/tmp"),
      text: ["line of \(pane.rawValue)"]
    )
  }

  @Test("names, trees, focus, zoom, front and order come back, under new numbers and detached")
  func restored() throws {
    let old = try server()
    let snapshot = old.snapshot(describing: described)
    #expect(snapshot.windows.map(\.name) == [nil, "left screen"])
    let written = try JSONDecoder().decode(
      SessionSnapshot.self,
      from: JSONEncoder().encode(snapshot)
    )
    #expect(written == snapshot)
    var new = ServerModel()
    let windows = new.restore(written)
    #expect(windows.count == 2)
    #expect(new.windowToAttach == windows[1].id)
    let window = try unwrap(new.window(windows[1].id))
    #expect(window.name == "left screen")
    #expect(window.sidebar == .narrow)
    #expect(!window.isAttached)
    #expect(window.workspaces.map(\.name) == ["production", "\(window.workspaces[1].id.rawValue)"])
    #expect(window.destination == .workspace(window.workspaces[0].id))
    let production = window.workspaces[0]
    #expect(production.focus == production.panes[1])
    #expect(production.isZoomed)
    #expect(windows[1].panes.map(\.id) == window.panes)
    // Each pane keeps what stood at its place.
    let before = old.windows[0].panes
    #expect(
      windows[1].panes.map(\.content)
        == before.map { .local(words: ["program", "\($0.rawValue)"], directory: "/tmp") }
    )
    // What was brought back is what would be kept again.
    let again = new.snapshot { pane in windows.flatMap(\.panes).first { $0.id == pane } }
    #expect(again.windows.map(\.name) == snapshot.windows.map(\.name))
    #expect(again.windows.map { $0.workspaces.map(\.panes.count) } == [[1], [3, 1]])
  }

  @Test(
    "a tree with panes that nothing is known of has them empty; a focus from elsewhere is the first"
  )
  func incomplete() throws {
    var tree = SplitTree(PaneID(rawValue: 7))
    tree.split(PaneID(rawValue: 7), with: PaneID(rawValue: 8), at: .right)
    let workspace = SessionSnapshot.Workspace(
      name: "odd",
      tree: tree,
      focus: PaneID(rawValue: 99),
      isZoomed: false,
      panes: []
    )
    var server = ServerModel()
    let windows = server.restore(
      SessionSnapshot(windows: [
        .init(name: nil, sidebar: .wide, workspaces: [workspace], front: 12),
        .init(name: "nothing", sidebar: .wide, workspaces: [], front: nil),
      ])
    )
    #expect(windows.count == 1)
    #expect(windows[0].panes.map(\.content) == [.empty, .empty])
    let window = try unwrap(server.window(windows[0].id))
    #expect(window.destination == .welcome)
    #expect(window.workspaces[0].focus == window.panes[0])
  }

  @Test("text is bounded by lines and by their length, and the newest stays")
  func bounds() {
    let long = String(repeating: "x", count: SessionSnapshot.maximumLineLength + 5)
    let lines = (0..<SessionSnapshot.maximumLines + 3).map { "\($0)" } + [long]
    let pane = SessionSnapshot.Pane(id: PaneID(rawValue: 1), content: .empty, text: lines)
    #expect(pane.text.count == SessionSnapshot.maximumLines)
    #expect(pane.text.first == "4")
    #expect(pane.text.last?.count == SessionSnapshot.maximumLineLength)
  }
}
