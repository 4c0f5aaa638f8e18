/// Names one window of the server; numbered from 1 in the order in which windows were opened.
public struct WindowID: Hashable, Sendable, Comparable, Codable, RawRepresentable {
  /// The number shown to people and used by `termind ctl --window`.
  public let rawValue: UInt32

  /// Wraps a window number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Orders windows by age.
  public static func < (left: WindowID, right: WindowID) -> Bool { left.rawValue < right.rawValue }
}

/// Names one workspace; unique in the server, whatever window owns the workspace.
public struct WorkspaceID: Hashable, Sendable, Comparable, Codable, RawRepresentable {
  /// The number used by `termind ctl --workspace`.
  public let rawValue: UInt32

  /// Wraps a workspace number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Orders workspaces by age.
  public static func < (left: WorkspaceID, right: WorkspaceID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Names one pane; unique in the server, kept when the pane moves to another workspace or window.
public struct PaneID: Hashable, Sendable, Comparable, Codable, RawRepresentable {
  /// The number used by `termind ctl --pane`.
  public let rawValue: UInt32

  /// Wraps a pane number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Orders panes by age.
  public static func < (left: PaneID, right: PaneID) -> Bool { left.rawValue < right.rawValue }
}
