public import TermindDomain

/// All windows of the server and the ids in them; a pure value.
///
/// It decides what ends and what stays; ending the sessions behind the panes that it names is the
/// caller's work. A pane or workspace id is handed out once and never again.
public struct ServerModel: Hashable, Sendable {
  /// How many closed workspaces are remembered.
  public static let closeHistoryLimit = 20

  /// The windows, the oldest first.
  public private(set) var windows: [WindowModel] = []
  /// The workspaces that were closed, the latest first; moves leave nothing here.
  public private(set) var closeHistory: [Workspace] = []
  private var lastWindow: UInt32 = 0
  private var lastWorkspace: UInt32 = 0
  private var lastPane: UInt32 = 0
  /// The windows by attachment, the latest first.
  private var attachmentHistory: [WindowID] = []

  /// Makes a server without windows.
  public init() {}

  /// The window with an id.
  public func window(_ id: WindowID) -> WindowModel? { windows.first { $0.id == id } }

  /// The window that owns a workspace.
  public func window(owning workspace: WorkspaceID) -> WindowModel? {
    windows.first { $0.workspace(workspace) != nil }
  }

  /// The window whose workspaces have a pane.
  public func window(of pane: PaneID) -> WindowModel? {
    windows.first { $0.workspace(of: pane) != nil }
  }

  /// A workspace, whatever window owns it.
  public func workspace(_ id: WorkspaceID) -> Workspace? {
    window(owning: id)?.workspace(id)
  }

  /// The workspace that a pane is in.
  public func workspace(of pane: PaneID) -> Workspace? {
    window(of: pane)?.workspace(of: pane)
  }

  /// Every pane of the server.
  public var panes: [PaneID] { windows.flatMap(\.panes) }

  /// Changes a window in place; nil when there is no such window.
  @discardableResult public mutating func update<Result>(
    _ id: WindowID,
    _ body: (inout WindowModel) -> Result
  ) -> Result? {
    guard let index = windows.firstIndex(where: { $0.id == id }) else { return nil }
    return body(&windows[index])
  }

  /// Changes a workspace in place, whatever window owns it.
  @discardableResult public mutating func update<Result>(
    workspace id: WorkspaceID,
    _ body: (inout Workspace) -> Result
  ) -> Result? {
    for index in windows.indices where windows[index].workspace(id) != nil {
      return windows[index].update(id, body)
    }
    return nil
  }

  // MARK: Windows

  /// Opens a window at Welcome, attached.
  public mutating func openWindow() -> WindowID {
    lastWindow += 1
    let id = WindowID(rawValue: lastWindow)
    windows.append(WindowModel(id: id))
    attachmentHistory.insert(id, at: 0)
    return id
  }

  /// Notes that a terminal shows a window again.
  ///
  /// - Returns: Whether the window exists and was detached.
  @discardableResult public mutating func attach(_ id: WindowID) -> Bool {
    guard window(id)?.isAttached == false else { return false }
    attachmentHistory.removeAll { $0 == id }
    attachmentHistory.insert(id, at: 0)
    update(id) { $0.isAttached = true }
    return true
  }

  /// Notes that no terminal shows a window any more, on purpose or because its terminal vanished.
  ///
  /// Its workspaces, panes and sessions live on; what waited for an answer on it is dismissed.
  /// - Returns: Whether the window exists and was attached.
  @discardableResult public mutating func detach(_ id: WindowID) -> Bool {
    guard window(id)?.isAttached == true else { return false }
    update(id) { window in
      window.isAttached = false
      while window.dismissTop() != nil {}
    }
    return true
  }

  /// The window that attaching without a number brings back: the detached one shown last.
  public var windowToAttach: WindowID? {
    attachmentHistory.first { window($0)?.isAttached == false }
  }

  /// Every window, the one that a terminal showed last first.
  public var windowsByAttachment: [WindowID] { attachmentHistory }

  mutating func removeWindow(_ id: WindowID) -> WindowModel? {
    guard let index = windows.firstIndex(where: { $0.id == id }) else { return nil }
    attachmentHistory.removeAll { $0 == id }
    return windows.remove(at: index)
  }

  mutating func remember(closed workspace: Workspace) {
    closeHistory.insert(workspace, at: 0)
    if closeHistory.count > Self.closeHistoryLimit { closeHistory.removeLast() }
  }

  // MARK: Ids

  /// A pane id that was never used.
  public mutating func newPaneID() -> PaneID {
    lastPane += 1
    return PaneID(rawValue: lastPane)
  }

  mutating func newWorkspaceID() -> WorkspaceID {
    lastWorkspace += 1
    return WorkspaceID(rawValue: lastWorkspace)
  }
}
