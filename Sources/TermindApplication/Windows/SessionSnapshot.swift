public import TermindDomain

/// What a restart brings back: windows, workspaces, what their panes were opened for, and their last text.
///
/// Connections are not in it, and neither is a secret. The pane numbers mean something in this snapshot only.
public struct SessionSnapshot: Hashable, Sendable, Codable {
  /// The form that is written; another one is not read.
  public static let currentForm = 1
  /// The most lines of text that are kept of a pane.
  public static let maximumLines = 300
  /// The most characters that are kept of a line.
  public static let maximumLineLength = 2_000

  /// How many servers in a row may bring a window back that no terminal shows; else they would only become more.
  public static let maximumUnseen = 3

  /// A pane.
  public struct Pane: Hashable, Sendable, Codable {
    /// Its place in the workspace's tree.
    public var id: PaneID
    /// What it was opened for.
    public var content: SavedPaneContent
    /// The name that a person gave it.
    public var name: String?
    /// Its last lines, the newest last; empty where text is not kept.
    public var text: [String]

    /// Makes a pane; more text than is kept loses its oldest lines.
    public init(id: PaneID, content: SavedPaneContent, name: String? = nil, text: [String] = []) {
      self.id = id
      self.content = content
      self.name = name
      self.text = text.suffix(SessionSnapshot.maximumLines).map {
        String($0.prefix(SessionSnapshot.maximumLineLength))
      }
    }
  }

  /// A workspace.
  public struct Workspace: Hashable, Sendable, Codable {
    /// What people call it; nil when it only has its number.
    public var name: String?
    /// How it is divided.
    public var tree: SplitTree
    /// The pane with the focus.
    public var focus: PaneID
    /// Whether that one is shown alone.
    public var isZoomed: Bool
    /// What its panes hold; one that is missing is empty.
    public var panes: [Pane]

    /// Makes a workspace.
    public init(name: String?, tree: SplitTree, focus: PaneID, isZoomed: Bool, panes: [Pane]) {
      self.name = name
      self.tree = tree
      self.focus = focus
      self.isZoomed = isZoomed
      self.panes = panes
    }
  }

  /// A window that owns workspaces.
  public struct Window: Hashable, Sendable, Codable {
    /// What people call it; nil when it only has its number.
    public var name: String?
    /// How much of the sidebar it shows.
    public var sidebar: SidebarState
    /// Its workspaces, in the order of the tab bar.
    public var workspaces: [Workspace]
    /// Which of them is in front; nil when it shows something else.
    public var front: Int?
    /// How many servers in a row showed other windows, and never this one.
    public var unseen: Int

    /// Makes a window.
    public init(
      name: String?,
      sidebar: SidebarState,
      workspaces: [Workspace],
      front: Int?,
      unseen: Int = 0
    ) {
      self.unseen = unseen
      self.name = name
      self.sidebar = sidebar
      self.workspaces = workspaces
      self.front = front
    }
  }

  /// The form in which it was written.
  public var form: Int
  /// The windows, the one that was shown last at the end.
  public var windows: [Window]

  /// Makes a snapshot; windows without workspaces, and those that nobody looks at any more, are not worth one.
  public init(windows: [Window]) {
    form = Self.currentForm
    self.windows = windows.filter { !$0.workspaces.isEmpty && $0.unseen <= Self.maximumUnseen }
  }

  /// Whether there is nothing to bring back.
  public var isEmpty: Bool { windows.isEmpty }
}

/// What a pane was opened for, as a restart finds it again.
public enum SavedPaneContent: Hashable, Sendable, Codable {
  /// Nothing.
  case empty
  /// A local shell, or a program with its arguments; the directory where it was last.
  case local(words: [String]?, directory: String?)
  /// A terminal on a server: a saved host, or the words that lead there.
  case ssh(SavedHost)
  /// The files of a server; the path's bytes.
  case sftp(SavedHost, directory: [UInt8]?)
  /// The files of this machine; the path's bytes.
  case files(directory: [UInt8]?)

  /// A server as a pane knows it.
  public struct SavedHost: Hashable, Sendable, Codable {
    /// The saved host; nil when it was only typed.
    public var host: HostID?
    /// What it is called.
    public var name: String
    /// What to type to come there again.
    public var line: String
    /// Whether its files are those that root sees; nil as well when they are not.
    public var isRoot: Bool?

    /// Makes a server.
    public init(host: HostID?, name: String, line: String) {
      self.host = host
      self.name = name
      self.line = line
    }
  }
}
