import TermindDomain
import TermindPresentation

/// One thing that Quick Open finds.
enum QuickOpenEntry {
  /// A saved host.
  case host(HostRecord)
  /// A workspace of this window.
  case workspace(WorkspaceID)
  /// A pane of this window.
  case pane(PaneID)
  /// Something that can be done, with its row: what it does and its keys.
  case action(Action, ChooserRow)
  /// A text for the focused terminal.
  case snippet(SnippetRecord)
  /// A workspace to open again.
  case template(WorkspaceTemplate)
  /// A theme, by its name.
  case theme(String)
  /// A setting of the configuration file.
  case setting(Setting)
  /// What is typed, as a host to connect to.
  case typed

  /// The prefixes that narrow the list.
  static let scopes = [
    FilterScope("@", "hosts"), FilterScope("#", "workspaces"), FilterScope(">", "actions"),
    FilterScope("%", "snippets"), FilterScope(TextSearchSheet.prefix, "text in panes"),
  ]

  /// Whether two entries stand for the same thing, whatever became of it.
  func isSame(as other: QuickOpenEntry) -> Bool {
    switch (self, other) {
    case (.host(let mine), .host(let theirs)): mine.id == theirs.id
    case (.workspace(let mine), .workspace(let theirs)): mine == theirs
    case (.pane(let mine), .pane(let theirs)): mine == theirs
    case (.action(let mine, _), .action(let theirs, _)): mine == theirs
    case (.snippet(let mine), .snippet(let theirs)): mine.id == theirs.id
    case (.template(let mine), .template(let theirs)): mine.id == theirs.id
    case (.theme(let mine), .theme(let theirs)): mine == theirs
    case (.setting(let mine), .setting(let theirs)): mine == theirs
    case (.typed, .typed): true
    default: false
    }
  }

  /// Whether files can be dropped on it.
  var takesFiles: Bool {
    switch self {
    case .host, .pane, .typed: true
    case .workspace, .action, .snippet, .template, .theme, .setting: false
    }
  }

  /// Whether several of its kind can be opened together.
  var canBeMarked: Bool {
    if case .host = self { return true }
    return false
  }
}

/// Where the hosts that were chosen in Quick Open go.
enum HostPlacement {
  /// Into the focused pane when it is empty, else into a workspace of their own.
  case here
  /// Beside the focused pane.
  case split
  /// Into a workspace of their own.
  case newWorkspace
  /// Their files, in place of terminals on them; where `here` would put them.
  case files
  /// Files that are held go there, and nothing is opened.
  case drop
}

/// What was chosen in Quick Open.
enum QuickOpenChoice {
  /// One saved host, or several to be started together.
  case hosts([HostRecord], HostPlacement)
  /// Words that name a host.
  case connect(line: String, HostPlacement)
  case workspace(WorkspaceID)
  case pane(PaneID)
  /// A pane on which files are dropped.
  case dropOnPane(PaneID)
  case action(Action)
  case snippet(SnippetRecord)
  case template(WorkspaceTemplate)
  case theme(String)
  case setting(Setting)
}
