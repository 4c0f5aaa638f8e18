public import TermindDomain

extension ServerModel {
  /// Makes a workspace at the end of a window and shows it.
  ///
  /// - Parameters:
  ///   - window: Who gets it.
  ///   - name: Its name; empty for its number.
  ///   - count: How many panes it has, at least one; they are tiled.
  ///   - showing: Whether the window shows it at once.
  /// - Returns: The workspace with its new panes; nil when there is no such window.
  @discardableResult public mutating func newWorkspace(
    in window: WindowID,
    name: String = "",
    panes count: Int = 1,
    showing: Bool = true
  ) -> Workspace? {
    guard self.window(window) != nil else { return nil }
    var tree = SplitTree(newPaneID())
    let first = tree.firstPane
    for _ in 1..<max(count, 1) {
      let last = tree.panes.last ?? first
      tree.split(last, with: newPaneID(), at: .right)
    }
    if count > 1 { tree.arrange(.tiled) }
    let workspace = Workspace(id: newWorkspaceID(), name: name, tree: tree)
    update(window) { $0.add(workspace, showing: showing) }
    return workspace
  }

  /// Makes a workspace that is divided like another one, and shows it.
  ///
  /// - Parameters:
  ///   - window: Where.
  ///   - name: Its name; empty means the usual one.
  ///   - tree: How it is divided; its panes are replaced by new ones, in reading order.
  /// - Returns: The workspace; nil when there is no such window.
  @discardableResult public mutating func newWorkspace(
    in window: WindowID,
    name: String,
    like tree: SplitTree
  ) -> Workspace? {
    guard self.window(window) != nil else { return nil }
    let own = tree.replacingPanes { newPaneID() }
    let workspace = Workspace(id: newWorkspaceID(), name: name, tree: own)
    update(window) { $0.add(workspace, showing: true) }
    return workspace
  }

  /// Splits a pane and focuses the new one in its workspace.
  ///
  /// - Returns: The new pane, or nil when there is no such pane.
  @discardableResult public mutating func split(
    _ pane: PaneID,
    at side: PaneDirection
  ) -> PaneID? {
    guard let workspace = workspace(of: pane)?.id else { return nil }
    let added = newPaneID()
    update(workspace: workspace) { $0.split(pane, with: added, at: side) }
    return added
  }

  /// Moves a pane beside a pane of any workspace, with everything behind it; nothing is closed.
  ///
  /// A workspace that loses its last pane goes. The moved pane gets the focus of its new workspace.
  /// - Returns: Whether both panes exist and differ.
  @discardableResult public mutating func move(
    _ pane: PaneID,
    beside other: PaneID,
    at side: PaneDirection
  ) -> Bool {
    guard pane != other, let target = workspace(of: other)?.id,
      let source = workspace(of: pane)?.id
    else { return false }
    if source == target {
      update(workspace: source) { workspace in
        workspace.rearrange { $0.move(pane, beside: other, at: side) }
        workspace.setFocus(pane)
      }
      return true
    }
    takeOut(pane, of: source)
    update(workspace: target) { $0.split(other, with: pane, at: side) }
    return true
  }

  /// Moves a pane to another workspace, right of its focused pane.
  @discardableResult public mutating func move(
    _ pane: PaneID,
    to workspace: WorkspaceID
  ) -> Bool {
    guard let target = self.workspace(workspace), !target.tree.contains(pane) else { return false }
    return move(pane, beside: target.focus, at: .right)
  }

  /// Moves a pane to a new workspace at the end of a window, and shows it there.
  ///
  /// - Returns: The new workspace, or nil when there is no such pane or window, or when the pane is
  ///   alone in a workspace of that window already.
  @discardableResult public mutating func moveToNewWorkspace(
    _ pane: PaneID,
    in window: WindowID,
    name: String = ""
  ) -> WorkspaceID? {
    guard self.window(window) != nil, let source = workspace(of: pane) else { return nil }
    guard source.tree.count > 1 || self.window(owning: source.id)?.id != window else { return nil }
    takeOut(pane, of: source.id)
    let id = newWorkspaceID()
    update(window) { $0.add(Workspace(id: id, name: name, tree: SplitTree(pane))) }
    return id
  }

  /// Moves a workspace to the end of another window, which shows it.
  ///
  /// Its id, name, splits, focus and zoom stay, and so do all sessions; it leaves no close history.
  /// - Returns: Whether both exist and the workspace was in another window.
  @discardableResult public mutating func moveWorkspace(
    _ id: WorkspaceID,
    to window: WindowID
  ) -> Bool {
    guard self.window(window) != nil, let source = self.window(owning: id)?.id, source != window,
      let workspace = update(source, { $0.take(id) }) ?? nil
    else { return false }
    update(window) { $0.add(workspace) }
    return true
  }

  /// Takes a pane out of its workspace without ending it, and an emptied workspace with it.
  private mutating func takeOut(_ pane: PaneID, of workspace: WorkspaceID) {
    guard let window = window(owning: workspace)?.id else { return }
    update(window) { window in
      if window.update(workspace, { $0.remove(pane) }) == false { _ = window.take(workspace) }
    }
  }
}
