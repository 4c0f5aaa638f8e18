/// What a pane of a template opens.
public enum TemplatePane: Hashable, Sendable {
  /// A terminal on a saved host; the name is shown when the host is gone.
  case ssh(HostID, name: String)
  /// A file browser on a saved host; the name is shown when the host is gone.
  case sftp(HostID, name: String)
  /// A local shell in a directory; empty means the home directory.
  case local(directory: String)
  /// The files of this machine in a directory; empty means the home directory.
  case files(directory: String)
  /// Nothing, with what stands there.
  case empty(label: String)

  /// The saved host that it needs.
  public var host: HostID? {
    switch self {
    case .ssh(let host, _), .sftp(let host, _): host
    case .local, .files, .empty: nil
    }
  }
}

/// A named workspace to open again: how it is divided, and what its panes hold.
public struct WorkspaceTemplate: Hashable, Sendable, Identifiable {
  /// Its identity; kept when everything else changes.
  public let id: TemplateID
  /// The name that people type; unique, without blanks at its ends.
  public var name: String
  /// How the workspace is divided; its pane numbers mean something in this template only.
  public private(set) var tree: SplitTree
  /// What each pane of the tree holds; exactly one entry for each.
  public private(set) var panes: [PaneID: TemplatePane]
  /// When it was made and changed; the store sets it.
  public var times: RecordTimes

  /// Makes a template.
  ///
  /// - Parameters:
  ///   - id: Its identity.
  ///   - name: The name that people type.
  ///   - tree: How the workspace is divided.
  ///   - panes: What the panes hold; a pane that is missing is empty, others are dropped.
  ///   - times: When it was made and changed.
  public init(
    id: TemplateID = TemplateID(),
    name: String,
    tree: SplitTree,
    panes: [PaneID: TemplatePane],
    times: RecordTimes = .unsaved
  ) {
    self.id = id
    self.name = name
    self.tree = tree
    self.panes = Dictionary(
      uniqueKeysWithValues: tree.panes.map { ($0, panes[$0] ?? .empty(label: "")) }
    )
    self.times = times
  }

  /// What stands in the tree, in reading order.
  public var contents: [TemplatePane] { tree.panes.compactMap { panes[$0] } }

  /// Every saved host in it once, in reading order.
  public var hosts: [HostID] {
    var seen: Set<HostID> = []
    return contents.compactMap(\.host).filter { seen.insert($0).inserted }
  }

  /// The template as it can be opened now: panes of hosts that are gone are empty and say their name.
  public func without(hostsOutside known: Set<HostID>) -> WorkspaceTemplate {
    let left = panes.mapValues { pane -> TemplatePane in
      switch pane {
      case .ssh(let host, let name), .sftp(let host, let name):
        known.contains(host) ? pane : .empty(label: name)
      case .local, .files, .empty: pane
      }
    }
    return WorkspaceTemplate(id: id, name: name, tree: tree, panes: left, times: times)
  }
}
