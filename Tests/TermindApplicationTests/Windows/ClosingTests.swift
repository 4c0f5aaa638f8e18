import TermindApplication
import TermindDomain
import Testing

@Suite("Close pane, close window, quit") struct ClosingTests {
  let work = AppWideWork(transfers: 1, forwardings: 2, monitors: 0)

  func describe(_ pane: PaneID) -> PaneSummary? {
    PaneSummary(pane: pane, kind: .ssh, isLive: pane.rawValue != 2, title: "p\(pane.rawValue)")
  }

  @Test("close pane closes the focused pane only")
  func closesFocusedPane() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let workspace = try unwrap(server.newWorkspace(in: window))
    let added = try unwrap(server.split(workspace.focus, at: .right))
    let outcome = server.closePane(in: window)
    #expect(outcome == .closed(pane: added, workspace: workspace.id, endedWorkspace: false))
    #expect(server.panes == workspace.panes)
    #expect(server.closeHistory.isEmpty)
  }

  @Test("closing the last pane takes its workspace along, and the window stays")
  func lastPane() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let first = try unwrap(server.newWorkspace(in: window, name: "first"))
    let second = try unwrap(server.newWorkspace(in: window, name: "second"))
    #expect(
      server.closePane(in: window)
        == .closed(pane: second.focus, workspace: second.id, endedWorkspace: true)
    )
    #expect(server.window(window)?.destination == .workspace(first.id))
    #expect(
      server.closePane(in: window)
        == .closed(pane: first.focus, workspace: first.id, endedWorkspace: true)
    )
    #expect(server.window(window)?.destination == .welcome)
    #expect(server.window(window)?.workspaces.isEmpty == true)
    #expect(server.closeHistory.map(\.name) == ["first", "second"])
    #expect(server.closePane(in: window) == .nothing)
    #expect(server.window(window) != nil)
  }

  @Test("with something on top, close pane dismisses that and no pane")
  func dismissesOverlay() {
    var server = ServerModel()
    let window = server.openWindow()
    server.newWorkspace(in: window)
    server.update(window) { $0.present(.quickOpen) }
    #expect(server.closePane(in: window) == .dismissed(.quickOpen))
    #expect(server.panes.count == 1)
  }

  @Test("with no workspace in front, close pane leaves the destination")
  func leavesSettings() {
    var server = ServerModel()
    let window = server.openWindow()
    server.update(window) { $0.show(.settings) }
    #expect(server.closePane(in: window) == .left(.settings))
    #expect(server.window(window)?.destination == .welcome)
    let workspace = server.newWorkspace(in: window)
    server.update(window) { $0.show(.vault) }
    #expect(server.closePane(in: window) == .left(.vault))
    #expect(server.window(window)?.destination == workspace.map { .workspace($0.id) })
    #expect(server.panes.count == 1)
    server.update(window) { $0.show(.welcome) }
    #expect(server.closePane(in: window) == .left(.welcome))
  }

  @Test("close window asks whenever the window owns a workspace, also hidden and dead ones")
  func closeWindowAsks() throws {
    var server = ServerModel()
    let window = server.openWindow()
    #expect(server.requestClose(of: window, describe: describe) == .immediate)
    let first = try unwrap(server.newWorkspace(in: window, name: "one"))
    let dead = try unwrap(server.newWorkspace(in: window, name: "dead"))
    server.update(window) { $0.show(.settings) }
    let request = server.requestClose(of: window, work: work, describe: describe)
    guard case .needsConfirmation(let question) = request else {
      Issue.record("not asked")
      return
    }
    #expect(question.ending.map(\.id) == [first.id, dead.id])
    #expect(question.ending.map(\.livePanes.count) == [1, 0])
    #expect(question.kept == work)
    let onlyDead = server.closeWorkspace(first.id)
    #expect(onlyDead == first.panes)
    #expect(server.requestClose(of: window) { _ in nil } != .immediate)
    #expect(server.requestClose(of: WindowID(rawValue: 9), describe: describe) == .unknownWindow)
  }

  @Test("close window asks for a detached window too")
  func closeDetached() {
    var server = ServerModel()
    let window = server.openWindow()
    server.newWorkspace(in: window)
    server.detach(window)
    #expect(server.requestClose(of: window, describe: describe) != .immediate)
  }

  @Test("a window that was detached with something on top closes its pane first when it is back")
  func detachForgetsOverlays() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let workspace = try unwrap(server.newWorkspace(in: window, panes: 2))
    server.update(window) {
      $0.present(.quickOpen)
      $0.present(.keys)
    }
    server.detach(window)
    server.attach(window)
    let outcome = server.closePane(in: window)
    #expect(
      outcome
        == .closed(pane: workspace.focus, workspace: workspace.id, endedWorkspace: false)
    )
  }

  @Test("close window ends only what the window owns")
  func closeWindowEndsItsOwn() throws {
    var server = ServerModel()
    let first = server.openWindow()
    let second = server.openWindow()
    let ending = try unwrap(server.newWorkspace(in: first, panes: 3))
    let staying = try unwrap(server.newWorkspace(in: second))
    #expect(server.closeWindow(first) == ending.panes)
    #expect(server.window(first) == nil)
    #expect(server.panes == staying.panes)
    #expect(server.closeWindow(first) == [])
    let third = server.openWindow()
    #expect(third > second)
  }

  @Test("quit names everything that would end, in every window")
  func quitNamesAll() throws {
    var server = ServerModel()
    #expect(server.requestQuit(describe: describe) == .immediate)
    let first = server.openWindow()
    let second = server.openWindow()
    #expect(server.requestQuit(describe: describe) == .immediate)
    let one = try unwrap(server.newWorkspace(in: first))
    let two = try unwrap(server.newWorkspace(in: second))
    server.detach(second)
    guard
      case .needsConfirmation(let question) = server.requestQuit(work: work, describe: describe)
    else {
      Issue.record("not asked")
      return
    }
    #expect(question.ending.map(\.id) == [one.id, two.id])
    #expect(question.ending.map(\.window) == [first, second])
    #expect(question.work == work)
  }

  @Test("quit asks for app-wide work even without any window")
  func quitWithTransfers() {
    let server = ServerModel()
    #expect(server.requestQuit(work: work, describe: describe) != .immediate)
  }

  @Test("closing a single pane by its id works from anywhere")
  func closeByID() throws {
    var server = ServerModel()
    let window = server.openWindow()
    let workspace = try unwrap(server.newWorkspace(in: window, panes: 2))
    server.update(window) { $0.show(.vault) }
    let pane = workspace.panes[0]
    #expect(
      server.close(pane) == .closed(pane: pane, workspace: workspace.id, endedWorkspace: false)
    )
    #expect(server.close(pane) == .nothing)
    #expect(server.window(window)?.destination == .vault)
  }

  @Test("the close history is bounded")
  func historyBound() {
    var server = ServerModel()
    let window = server.openWindow()
    for _ in 0..<30 {
      server.newWorkspace(in: window)
      _ = server.closePane(in: window)
    }
    #expect(server.closeHistory.count == ServerModel.closeHistoryLimit)
    #expect(server.closeHistory.first?.id == WorkspaceID(rawValue: 30))
  }
}
