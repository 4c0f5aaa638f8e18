/// The form in which a template's layout is stored and exported.
///
/// `{"tree": …, "panes": [{"pane": 1, "kind": "ssh", "host": UUID, "name": …}, …]}`, where the tree has the
/// form that saved workspaces have.
public struct TemplateLayout: Hashable, Sendable, Codable {
  /// How the workspace is divided.
  public let tree: SplitTree
  /// What each pane of the tree holds.
  public let panes: [PaneID: TemplatePane]

  /// Takes the layout of a template.
  public init(of template: WorkspaceTemplate) {
    tree = template.tree
    panes = template.panes
  }

  /// Reads a stored layout.
  ///
  /// - Parameter decoder: Where it stands.
  /// - Throws: `DecodingError` when the tree is none, or a pane has no kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    tree = try container.decode(SplitTree.self, forKey: .tree)
    let saved = try container.decode([SavedPane].self, forKey: .panes)
    panes = Dictionary(saved.map { ($0.pane, $0.content) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes the layout.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(tree, forKey: .tree)
    let saved = tree.panes.compactMap { pane in
      panes[pane].map { SavedPane(pane: pane, content: $0) }
    }
    try container.encode(saved, forKey: .panes)
  }

  private enum Key: String, CodingKey {
    case tree
    case panes
  }
}

/// The stored form of one pane.
private struct SavedPane: Codable {
  let pane: PaneID
  let content: TemplatePane

  enum Kind: String, Codable {
    case ssh
    case sftp
    case local
    case files
    case empty
  }

  enum Key: String, CodingKey {
    case pane
    case kind
    case host
    case name
    case directory
    case label
  }

  init(pane: PaneID, content: TemplatePane) {
    self.pane = pane
    self.content = content
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    pane = try container.decode(PaneID.self, forKey: .pane)
    func host() throws -> HostID { try container.decode(HostID.self, forKey: .host) }
    func text(_ key: Key) throws -> String {
      try container.decodeIfPresent(String.self, forKey: key) ?? ""
    }
    switch try container.decode(Kind.self, forKey: .kind) {
    case .ssh: content = .ssh(try host(), name: try text(.name))
    case .sftp: content = .sftp(try host(), name: try text(.name))
    case .local: content = .local(directory: try text(.directory))
    case .files: content = .files(directory: try text(.directory))
    case .empty: content = .empty(label: try text(.label))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(pane, forKey: .pane)
    switch content {
    case .ssh(let host, let name), .sftp(let host, let name):
      let isSFTP = if case .sftp = content { true } else { false }
      try container.encode(isSFTP ? Kind.sftp : .ssh, forKey: .kind)
      try container.encode(host, forKey: .host)
      try container.encode(name, forKey: .name)
    case .local(let directory):
      try container.encode(Kind.local, forKey: .kind)
      try container.encode(directory, forKey: .directory)
    case .files(let directory):
      try container.encode(Kind.files, forKey: .kind)
      try container.encode(directory, forKey: .directory)
    case .empty(let label):
      try container.encode(Kind.empty, forKey: .kind)
      try container.encode(label, forKey: .label)
    }
  }
}

extension WorkspaceTemplate {
  /// Makes a template of a stored layout.
  public init(
    id: TemplateID = TemplateID(),
    name: String,
    layout: TemplateLayout,
    times: RecordTimes = .unsaved
  ) {
    self.init(id: id, name: name, tree: layout.tree, panes: layout.panes, times: times)
  }
}
