public import TermindDomain

extension ServerModel {
  /// The close-pane action of a window.
  ///
  /// What lies on top is dismissed first. A workspace in front loses its focused pane, and goes with
  /// its last one; another destination is left. The window stays in every case.
  public mutating func closePane(in window: WindowID) -> ClosePaneOutcome {
    guard let model = self.window(window) else { return .nothing }
    if let overlay = update(window, { $0.dismissTop() }) ?? nil { return .dismissed(overlay) }
    guard let workspace = model.activeWorkspace else {
      return (update(window) { $0.leaveDestination() } ?? nil).map { .left($0) } ?? .nothing
    }
    return close(workspace.focus)
  }

  /// Closes one pane, wherever it is.
  ///
  /// - Returns: `closed`, or `nothing` when there is no such pane.
  public mutating func close(_ pane: PaneID) -> ClosePaneOutcome {
    guard let workspace = workspace(of: pane) else { return .nothing }
    let removed = update(workspace: workspace.id) { $0.remove(pane) } ?? false
    if !removed { closeWorkspace(workspace.id) }
    return .closed(pane: pane, workspace: workspace.id, endedWorkspace: !removed)
  }

  /// Closes a workspace.
  ///
  /// - Returns: Its panes, whose sessions end; empty when there is no such workspace.
  @discardableResult public mutating func closeWorkspace(_ id: WorkspaceID) -> [PaneID] {
    guard let window = window(owning: id)?.id,
      let workspace = update(window, { $0.take(id) }) ?? nil
    else { return [] }
    remember(closed: workspace)
    return workspace.panes
  }

  /// Whether a window may be closed, and what that would end.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - work: App-wide work, which goes on.
  ///   - describe: Tells what a pane holds; a pane that it does not know counts as empty.
  /// - Returns: A question whenever the window owns a workspace, live or not, shown or not.
  public func requestClose(
    of window: WindowID,
    work: AppWideWork = AppWideWork(),
    describe: (PaneID) -> PaneSummary?
  ) -> CloseWindowRequest {
    guard let model = self.window(window) else { return .unknownWindow }
    guard !model.workspaces.isEmpty else { return .immediate }
    return .needsConfirmation(
      CloseWindowQuestion(
        window: window,
        ending: Self.ending(in: model, describe),
        kept: work
      )
    )
  }

  /// Closes a window with its workspaces; other windows and app-wide work are not touched.
  ///
  /// - Returns: The panes whose sessions end.
  @discardableResult public mutating func closeWindow(_ id: WindowID) -> [PaneID] {
    guard let window = removeWindow(id) else { return [] }
    for workspace in window.workspaces { remember(closed: workspace) }
    return window.panes
  }

  /// Whether the server may end, and everything that this would end.
  ///
  /// - Parameters:
  ///   - work: App-wide work, which ends too.
  ///   - describe: Tells what a pane holds; a pane that it does not know counts as empty.
  /// - Returns: A question when any window owns a workspace or app-wide work goes on.
  public func requestQuit(
    work: AppWideWork = AppWideWork(),
    describe: (PaneID) -> PaneSummary?
  ) -> QuitRequest {
    let ending = windows.flatMap { Self.ending(in: $0, describe) }
    guard !ending.isEmpty || !work.isEmpty else { return .immediate }
    return .needsConfirmation(QuitQuestion(ending: ending, work: work))
  }

  /// What closing one workspace would end; nil when there is no such workspace.
  public func ending(
    of workspace: WorkspaceID,
    describe: (PaneID) -> PaneSummary?
  ) -> EndingWorkspace? {
    window(owning: workspace).flatMap { window in
      Self.ending(in: window, describe).first { $0.id == workspace }
    }
  }

  private static func ending(
    in window: WindowModel,
    _ describe: (PaneID) -> PaneSummary?
  ) -> [EndingWorkspace] {
    window.workspaces.map { workspace in
      EndingWorkspace(
        id: workspace.id,
        name: window.name(of: workspace),
        window: window.id,
        panes: workspace.panes.map { pane in
          describe(pane) ?? PaneSummary(pane: pane, kind: .empty, isLive: false)
        }
      )
    }
  }
}
