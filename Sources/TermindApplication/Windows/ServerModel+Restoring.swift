public import TermindDomain

extension ServerModel {
  /// What a restart brings back of the windows that own a workspace.
  ///
  /// - Parameters:
  ///   - unseen: How often windows were brought back without being shown.
  ///   - describe: What a pane holds; nil counts as empty.
  /// - Returns: The windows in the order in which they were shown, with everything that is in them.
  public func snapshot(
    unseen: [WindowID: Int] = [:],
    describing describe: (PaneID) -> SessionSnapshot.Pane?
  ) -> SessionSnapshot {
    let shown = windowsByAttachment.reversed().compactMap { window($0) }
    return SessionSnapshot(
      windows: shown.map { window in
        SessionSnapshot.Window(
          name: window.customName,
          sidebar: window.sidebar,
          workspaces: window.workspaces.map { workspace in
            SessionSnapshot.Workspace(
              name: workspace.isNamed ? workspace.name : nil,
              tree: workspace.tree,
              focus: workspace.focus,
              isZoomed: workspace.isZoomed,
              panes: workspace.panes.compactMap(describe)
            )
          },
          front: window.workspaces.firstIndex { .workspace($0.id) == window.destination },
          unseen: unseen[window.id] ?? 0
        )
      }
    )
  }

  /// A window that was brought back, and its panes with what they held.
  public struct RestoredWindow: Hashable, Sendable {
    /// The window, which no terminal shows.
    public let id: WindowID
    /// Its panes under their new numbers.
    public let panes: [SessionSnapshot.Pane]
    /// How many servers before brought it back without its being shown.
    public let unseen: Int
  }

  /// Brings the windows of a snapshot back, detached, as if each had been left in turn.
  ///
  /// - Parameter snapshot: What was kept.
  /// - Returns: The windows, in the snapshot's order; every pane of their trees is named.
  public mutating func restore(_ snapshot: SessionSnapshot) -> [RestoredWindow] {
    snapshot.windows.filter { !$0.workspaces.isEmpty }.map { saved in
      let id = openWindow()
      var panes: [SessionSnapshot.Pane] = []
      var made: [WorkspaceID] = []
      for old in saved.workspaces {
        let workspace = workspace(like: old)
        let known = Dictionary(
          old.panes.map { ($0.id, $0) },
          uniquingKeysWith: { first, _ in first }
        )
        panes += zip(old.tree.panes, workspace.panes).map { before, now in
          var pane = known[before] ?? SessionSnapshot.Pane(id: now, content: .empty)
          pane.id = now
          return pane
        }
        made.append(workspace.id)
        update(id) { $0.add(workspace) }
      }
      update(id) { window in
        window.sidebar = saved.sidebar
        if let name = saved.name { window.rename(name) }
        if let front = saved.front, made.indices.contains(front) {
          window.show(.workspace(made[front]))
        } else {
          window.show(.welcome)
        }
      }
      detach(id)
      return RestoredWindow(id: id, panes: panes, unseen: saved.unseen)
    }
  }

  private mutating func workspace(like old: SessionSnapshot.Workspace) -> Workspace {
    let tree = old.tree.replacingPanes { newPaneID() }
    let place = old.tree.panes.firstIndex(of: old.focus)
    var workspace = Workspace(
      id: newWorkspaceID(),
      name: old.name ?? "",
      tree: tree,
      focus: place.map { tree.panes[$0] }
    )
    if old.isZoomed { workspace.toggleZoom() }
    return workspace
  }
}
