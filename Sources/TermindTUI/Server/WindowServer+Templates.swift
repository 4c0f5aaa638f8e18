import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Workspaces as templates, and templates as workspaces.
extension WindowServer {
  /// Opens a template as a new workspace and starts what is in it; a host that is gone leaves an empty pane
  /// with its name.
  ///
  /// - Parameters:
  ///   - template: What to open.
  ///   - window: Where.
  ///   - name: The workspace's name; nil means the template's.
  /// - Returns: The workspace; nil when there is no such window.
  @discardableResult
  func open(
    _ template: WorkspaceTemplate,
    in window: WindowID,
    name: String? = nil
  ) -> Workspace? {
    let vault = services.vault.contents
    let usable = template.without(
      hostsOutside: Set(template.hosts.filter { vault.host($0) != nil })
    )
    guard
      let made = model.newWorkspace(in: window, name: name ?? template.name, like: usable.tree)
    else { return nil }
    let builder = services.routeBuilder(directory: "")
    for (id, content) in zip(made.panes, usable.contents) {
      let (filled, label) = content.content(vault, builder)
      let pane = add(id, filled)
      if let label { pane.customName = label }
    }
    start(made.panes)
    return made
  }

  /// A workspace as a template: its division, the saved hosts in it, and the directories of local shells.
  ///
  /// - Parameters:
  ///   - workspace: The workspace.
  ///   - name: The template's name.
  /// - Returns: The template; nothing is saved by this.
  func template(of workspace: Workspace, name: String) -> WorkspaceTemplate {
    var contents: [PaneID: TemplatePane] = [:]
    for id in workspace.panes {
      guard let pane = panes[id] else { continue }
      switch pane.content {
      case .empty: contents[id] = .empty(label: pane.customName ?? "")
      case .local: contents[id] = .local(directory: pane.workingDirectory ?? "")
      case .files(let target): contents[id] = template(of: target, pane)
      case .ssh(let target):
        // What is not saved cannot be found again; its name says what stood there.
        contents[id] =
          target.host.map { .ssh($0, name: target.name) } ?? .empty(label: target.name)
      case .noRoute(let host): contents[id] = .ssh(host.host, name: host.name)
      }
    }
    return WorkspaceTemplate(name: name, tree: workspace.tree, panes: contents)
  }
}

extension WindowServer {
  /// The files of a saved host, or of this machine, as a template keeps them.
  fileprivate func template(of files: PaneContent.FilesTarget, _ pane: Pane) -> TemplatePane {
    guard let host = files.host else {
      return .files(directory: pane.workingDirectory ?? "")
    }
    return host.host.map { .sftp($0, name: host.name) } ?? .empty(label: host.name)
  }
}

extension TemplatePane {
  /// What a pane is opened with, and the name that an empty one is given.
  fileprivate func content(
    _ vault: VaultContents,
    _ builder: RouteBuilder
  ) -> (PaneContent, label: String?) {
    switch self {
    case .ssh(let id, let name):
      guard let host = vault.host(id) else { return (.empty, name) }
      return (HostTarget.content(host, builder), nil)
    case .sftp(let id, let name):
      guard let host = vault.host(id) else { return (.empty, name) }
      return (HostTarget.content(host, builder).asFiles, nil)
    case .local(let directory):
      return (.local(.loginShell, directory: directory.isEmpty ? nil : directory), nil)
    case .files(let directory):
      let files = PaneContent.FilesTarget(host: nil, directory: RemotePath(directory))
      return (.files(files), nil)
    case .empty(let label): return (.empty, label.isEmpty ? nil : label)
    }
  }
}
