public import TermindDomain

/// What a window shows; local to the window, while the data behind it is shared by all.
public enum WindowDestination: Hashable, Sendable {
  /// The connect bar and recent hosts; where a new window starts.
  case welcome
  /// Hosts, identities, keys, known hosts, rules, snippets.
  case vault
  /// The monitored hosts.
  case metrics
  /// The assistant's conversations.
  case assistant
  /// The settings.
  case settings
  /// One of the window's workspaces.
  case workspace(WorkspaceID)

  /// The workspace, when it is one.
  public var workspace: WorkspaceID? {
    guard case .workspace(let id) = self else { return nil }
    return id
  }
}

/// How much of the sidebar is shown.
public enum SidebarState: String, Hashable, Sendable, Codable, CaseIterable {
  /// With names.
  case wide
  /// With symbols and numbers only.
  case narrow
  /// Not at all.
  case hidden

  /// The state that the sidebar key leads to.
  public var next: SidebarState {
    switch self {
    case .wide: .narrow
    case .narrow: .hidden
    case .hidden: .wide
    }
  }
}

/// Something that lies over the window's content and takes the keys.
public struct WindowOverlay: Hashable, Sendable {
  /// Names it among the overlays; a window shows each at most once.
  public let name: String

  /// Names an overlay of the program's own.
  public init(_ name: String) { self.name = name }

  /// Quick Open.
  public static let quickOpen = WindowOverlay("quick-open")
  /// The find bar.
  public static let find = WindowOverlay("find")
  /// The list of bindings.
  public static let keys = WindowOverlay("keys")
  /// A question that waits for an answer.
  public static let confirmation = WindowOverlay("confirmation")
  /// A theme or other choice list.
  public static let chooser = WindowOverlay("chooser")
}

/// Who takes the keys in a window.
public enum WindowFocus: Hashable, Sendable {
  /// The top overlay.
  case overlay(WindowOverlay)
  /// A pane of the workspace in front.
  case pane(PaneID)
  /// A destination without panes.
  case destination(WindowDestination)
}
