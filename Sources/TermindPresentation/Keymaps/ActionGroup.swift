/// Where an action stands in the list of keys.
public enum ActionGroup: String, Hashable, Sendable, CaseIterable {
  /// Opening, closing and focusing panes.
  case panes = "Panes"
  /// Sizes and places of panes.
  case layout = "Layout"
  /// Workspaces of the window.
  case workspaces = "Workspaces"
  /// Connections and who receives what is typed.
  case connections = "Connections"
  /// The window, the client and the server.
  case window = "Window"
  /// Lists, help and looks.
  case finding = "Finding and help"
  /// Lines above the screen.
  case scrolling = "Scrolling"
  /// What keys themselves send.
  case keys = "Keys"
}
