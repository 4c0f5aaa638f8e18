public import TermindDomain

/// A window: its destination, its workspaces in order, its sidebar; a pure value.
///
/// Panes and workspaces get their ids from `ServerModel`, which owns all windows.
public struct WindowModel: Hashable, Sendable, Identifiable {
  /// Its identity.
  public let id: WindowID
  /// What people call it; nil until it is given a name.
  public private(set) var customName: String?
  /// What it shows; a workspace only while the window owns it.
  public private(set) var destination = WindowDestination.welcome
  /// The destination shown before, for the last-used key; nil when there is none any more.
  public private(set) var lastDestination: WindowDestination?
  /// The workspaces, in the order of the tab bar.
  public private(set) var workspaces: [Workspace] = []
  /// How much of the sidebar is shown.
  public var sidebar = SidebarState.wide
  /// Whether a terminal shows it.
  public internal(set) var isAttached = true
  /// What lies over the content, the top one last.
  public private(set) var overlays: [WindowOverlay] = []
  /// The workspaces by use, the latest first.
  public private(set) var workspaceHistory: [WorkspaceID] = []

  /// Makes a window that shows Welcome.
  public init(id: WindowID) { self.id = id }

  /// What people call it, else its number in words.
  public var name: String { customName ?? "window \(id.rawValue)" }

  /// Gives it a name; one without visible characters is refused.
  @discardableResult public mutating func rename(_ name: String) -> Bool {
    guard let cleaned = Workspace.cleanedName(name) else { return false }
    customName = cleaned
    return true
  }

  /// The workspace in front, also when an overlay lies over it.
  public var activeWorkspace: Workspace? { destination.workspace.flatMap(workspace) }

  /// The workspace with an id; nil when another window owns it.
  public func workspace(_ id: WorkspaceID) -> Workspace? { workspaces.first { $0.id == id } }

  /// What a workspace is called in sentences and lists: by its name, else by its place in the tab bar.
  public func name(of workspace: Workspace) -> String {
    guard !workspace.isNamed, let index = workspaces.firstIndex(where: { $0.id == workspace.id })
    else { return workspace.name }
    return "workspace \(index + 1)"
  }

  /// The workspace that a pane is in.
  public func workspace(of pane: PaneID) -> Workspace? {
    workspaces.first { $0.tree.contains(pane) }
  }

  /// Every pane of every workspace.
  public var panes: [PaneID] { workspaces.flatMap(\.panes) }

  /// Who takes the keys.
  public var focus: WindowFocus {
    if let top = overlays.last { return .overlay(top) }
    if let workspace = activeWorkspace { return .pane(workspace.focus) }
    return .destination(destination)
  }

  // MARK: Destinations

  /// Shows a destination.
  ///
  /// - Returns: Whether it can be shown: a workspace must belong to this window.
  @discardableResult public mutating func show(_ target: WindowDestination) -> Bool {
    if let id = target.workspace {
      guard workspace(id) != nil else { return false }
      workspaceHistory.removeAll { $0 == id }
      workspaceHistory.insert(id, at: 0)
    }
    if target != destination { lastDestination = destination }
    destination = target
    return true
  }

  /// Shows what was shown before.
  @discardableResult public mutating func showLast() -> Bool {
    lastDestination.map { show($0) } ?? false
  }

  /// Shows the workspace at a place of the tab bar, counted from zero.
  @discardableResult public mutating func showWorkspace(at index: Int) -> Bool {
    workspaces.indices.contains(index) && show(.workspace(workspaces[index].id))
  }

  /// Shows the workspace used before the one in front; in another destination the latest used one.
  @discardableResult public mutating func showLastWorkspace() -> Bool {
    guard let id = workspaceHistory.first(where: { $0 != destination.workspace }) else {
      return false
    }
    return show(.workspace(id))
  }

  /// Shows the workspace some places further in the tab bar, around its ends.
  @discardableResult public mutating func showNextWorkspace(offset: Int = 1) -> Bool {
    guard !workspaces.isEmpty else { return false }
    let current = workspaces.firstIndex { $0.id == destination.workspace }
    let start = current ?? (offset > 0 ? -1 : workspaces.count)
    let target = (start + offset) % workspaces.count
    return showWorkspace(at: target < 0 ? target + workspaces.count : target)
  }

  // MARK: Workspaces

  /// Adds a workspace at the end and shows it.
  mutating func add(_ workspace: Workspace, showing: Bool = true) {
    workspaces.append(workspace)
    workspaceHistory.append(workspace.id)
    if showing { show(.workspace(workspace.id)) }
  }

  /// Takes a workspace out; when it was in front, the latest used one follows, else Welcome.
  mutating func take(_ id: WorkspaceID) -> Workspace? {
    guard let index = workspaces.firstIndex(where: { $0.id == id }) else { return nil }
    let workspace = workspaces.remove(at: index)
    workspaceHistory.removeAll { $0 == id }
    if destination == .workspace(id) {
      destination = workspaceHistory.first.map { .workspace($0) } ?? .welcome
    }
    if lastDestination == .workspace(id) || lastDestination == destination {
      lastDestination = nil
    }
    return workspace
  }

  /// Changes a workspace of this window in place.
  ///
  /// - Parameters:
  ///   - id: The workspace.
  ///   - body: Must keep the id; panes are added and closed through `ServerModel`.
  /// - Returns: What the body returned, or nil when the window does not own the workspace.
  @discardableResult public mutating func update<Result>(
    _ id: WorkspaceID,
    _ body: (inout Workspace) -> Result
  ) -> Result? {
    guard let index = workspaces.firstIndex(where: { $0.id == id }) else { return nil }
    return body(&workspaces[index])
  }

  /// Changes the workspace in front in place; nil when none is in front.
  @discardableResult public mutating func updateActive<Result>(
    _ body: (inout Workspace) -> Result
  ) -> Result? {
    destination.workspace.flatMap { update($0, body) }
  }

  /// Moves a workspace to a place of the tab bar, counted from zero and clamped.
  @discardableResult public mutating func reorder(_ id: WorkspaceID, to index: Int) -> Bool {
    guard let old = workspaces.firstIndex(where: { $0.id == id }) else { return false }
    let workspace = workspaces.remove(at: old)
    let new = min(max(index, 0), workspaces.count)
    workspaces.insert(workspace, at: new)
    return new != old
  }

  /// Focuses a pane and shows its workspace.
  @discardableResult public mutating func focusPane(_ pane: PaneID) -> Bool {
    guard let id = workspace(of: pane)?.id else { return false }
    update(id) { $0.setFocus(pane) }
    return show(.workspace(id))
  }

  // MARK: Overlays

  /// Puts an overlay on top; Quick Open closes Find.
  public mutating func present(_ overlay: WindowOverlay) {
    overlays.removeAll { $0 == overlay || (overlay == .quickOpen && $0 == .find) }
    overlays.append(overlay)
  }

  /// Takes an overlay away, wherever it lies; the focus goes back to what is below it.
  @discardableResult public mutating func dismiss(_ overlay: WindowOverlay) -> Bool {
    guard let index = overlays.firstIndex(of: overlay) else { return false }
    overlays.remove(at: index)
    return true
  }

  /// Takes the top overlay away.
  @discardableResult public mutating func dismissTop() -> WindowOverlay? { overlays.popLast() }

  /// Leaves a destination that is not a workspace for the latest used workspace, else for Welcome.
  ///
  /// - Returns: What was left, or nil when there was nothing to leave.
  mutating func leaveDestination() -> WindowDestination? {
    guard destination.workspace == nil else { return nil }
    let left = destination
    let target = workspaceHistory.first.map { WindowDestination.workspace($0) } ?? .welcome
    guard left != target else { return nil }
    show(target)
    return left
  }
}
