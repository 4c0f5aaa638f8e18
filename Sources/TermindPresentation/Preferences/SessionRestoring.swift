/// What of the last session a start brings back; the names are those of the setting `restore-session`.
public enum SessionRestoring: String, Hashable, Sendable, CaseIterable {
  /// Windows and workspaces, and the last text of their panes.
  case text
  /// Windows and workspaces; no text is written to the disk.
  case layout
  /// Nothing, and nothing is written.
  case off
}
