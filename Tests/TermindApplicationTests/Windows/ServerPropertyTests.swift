import TermindApplication
import TermindDomain
import Testing

@Suite("Server model under random actions") struct ServerPropertyTests {
  struct Run {
    var random: SeededGenerator
    var server = ServerModel()
    /// What must exist: every pane that was made and neither closed nor ended.
    var panes: Set<PaneID> = []

    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func anyWindow() -> WindowID? { server.windows.randomElement(using: &random)?.id }

    mutating func anyPane() -> PaneID? { server.panes.randomElement(using: &random) }

    mutating func anyWorkspace() -> WorkspaceID? {
      server.windows.flatMap(\.workspaces).randomElement(using: &random)?.id
    }

    mutating func side() -> PaneDirection {
      PaneDirection.allCases.randomElement(using: &random) ?? .left
    }

    mutating func step() {
      guard let window = anyWindow() else {
        _ = server.openWindow()
        return
      }
      let choice = number(15)
      switch choice {
      case 0 where server.windows.count < 4: _ = server.openWindow()
      case 1, 2: make(in: window)
      case 3...12: changePanes(choice, window)
      case 13:
        guard number(4) == 0 else { return }
        let owned = server.window(window)?.panes ?? []
        #expect(server.closeWindow(window) == owned)
        panes.subtract(owned)
      default: navigate(in: window)
      }
    }

    private mutating func make(in window: WindowID) {
      let count = number(4) + 1
      let made = server.newWorkspace(in: window, panes: count, showing: number(2) == 0)
      #expect(made?.panes.count == count)
      panes.formUnion(made?.panes ?? [])
    }

    private mutating func changePanes(_ choice: Int, _ window: WindowID) {
      guard let pane = anyPane(), let other = anyPane(), let workspace = anyWorkspace() else {
        return
      }
      switch choice {
      case 3, 4:
        let side = side()
        if let added = server.split(pane, at: side) { panes.insert(added) }
      case 5:
        if case .closed(let closed, _, _) = server.closePane(in: window) { panes.remove(closed) }
      case 6:
        if case .closed(let closed, _, _) = server.close(pane) { panes.remove(closed) }
      case 7:
        let side = side()
        server.move(pane, beside: other, at: side)
      case 8: server.move(pane, to: workspace)
      case 9: server.moveToNewWorkspace(pane, in: window)
      case 10: server.moveWorkspace(workspace, to: window)
      case 11 where number(3) == 0: panes.subtract(server.closeWorkspace(workspace))
      default: server.update(window) { $0.reorder(workspace, to: 1) }
      }
    }

    private mutating func navigate(in window: WindowID) {
      let choice = number(8)
      server.update(window) { model in
        switch choice {
        case 0: model.show(.settings)
        case 1: model.showLast()
        case 2: model.showLastWorkspace()
        case 3: model.showNextWorkspace(offset: -1)
        case 4: model.present(.quickOpen)
        case 5: model.dismissTop()
        default: model.updateActive { $0.toggleZoom() }
        }
      }
      if choice == 7 { server.detach(window) }
      if choice == 6 { server.attach(window) }
    }

    func check() {
      let all = server.panes
      #expect(all.count == panes.count && Set(all) == panes)
      let workspaces = server.windows.flatMap(\.workspaces)
      #expect(Set(workspaces.map(\.id)).count == workspaces.count)
      for workspace in workspaces {
        #expect(workspace.tree.contains(workspace.focus))
        #expect(workspace.history.first == workspace.focus)
        #expect(Set(workspace.history).isSubset(of: Set(workspace.panes)))
        #expect(!workspace.isZoomed || workspace.tree.count > 1)
      }
      for window in server.windows {
        let owned = Set(window.workspaces.map(\.id))
        #expect(Set(window.workspaceHistory) == owned)
        if let front = window.destination.workspace { #expect(owned.contains(front)) }
        if let last = window.lastDestination?.workspace { #expect(owned.contains(last)) }
      }
    }
  }

  @Test("every pane stays in exactly one workspace", arguments: 0..<40 as Range<UInt64>)
  func invariants(seed: UInt64) {
    var run = Run(random: SeededGenerator(seed: seed))
    for _ in 0..<150 {
      run.step()
      run.check()
    }
  }
}
