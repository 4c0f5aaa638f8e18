import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindPresentation

/// Opening several hosts, those of a tag, or a template as one new workspace.
extension WindowServer {
  /// What a request opens, before anything of it is on the screen.
  struct Opening {
    var name: String
    var contents: [PaneContent]
    /// What stands on panes that hold nothing.
    var labels: [String?]
    /// How the panes are divided; nil for tiled.
    var tree: SplitTree?
  }

  /// Opens a window for a request of `termind open`; what cannot be opened refuses the terminal.
  func attach(_ request: OpenRequest, to connection: TTYConnection) {
    let directory = connection.request.directory
    Task {
      do throws(ControlError) {
        let opening = try await prepare(request, directory: directory)
        // The client may have given up meanwhile.
        guard connection.isOffered else { return }
        open(opening, request.layout, in: openWindow(in: connection))
      } catch {
        connection.refuse(error.message)
      }
    }
  }

  /// Opens what a request of `termind ctl open` names.
  func open(_ request: OpenRequest, in window: WindowID) async throws(ControlError) -> ControlReply
  {
    let opening = try await prepare(request, directory: "")
    return try created(open(opening, request.layout, in: window))
  }

  @discardableResult
  private func open(_ opening: Opening, _ layout: SplitPreset?, in window: WindowID) -> Workspace? {
    let contents = opening.contents
    guard
      let made = model.newWorkspace(in: window, name: opening.name, panes: contents.count)
    else { return nil }
    for (id, content) in zip(made.panes, contents) { add(id, content) }
    for (id, label) in zip(made.panes, opening.labels) where label != nil {
      panes[id]?.customName = label
    }
    model.update(workspace: made.id) { workspace in
      workspace.rearrange { tree in
        if let wanted = opening.tree { tree = wanted.renumbered(made.panes) }
        if let layout { tree.arrange(layout) }
      }
      workspace.setFocus(made.panes[0])
    }
    reconcile()
    for id in made.panes { panes[id]?.start() }
    return model.workspace(of: made.panes[0])
  }

  // MARK: What is meant

  private func prepare(_ request: OpenRequest, directory: String) async throws(ControlError)
    -> Opening
  {
    await services.storeSettled()
    var opening: Opening
    if let word = request.template {
      opening = try await template(word, directory)
    } else {
      opening = try hosts(request, directory)
    }
    guard opening.contents.count <= OpenRequest.maximumPanes else {
      throw ControlError(
        .notPossible,
        "\(opening.contents.count) panes are too many for one workspace;"
          + " \(OpenRequest.maximumPanes) can be opened at once."
      )
    }
    if let name = request.name { opening.name = name }
    return opening
  }

  private func hosts(_ request: OpenRequest, _ directory: String) throws(ControlError) -> Opening {
    let builder = services.routeBuilder(directory: directory)
    var targets: [PaneContent.SSHTarget] = []
    func take(_ word: String, _ result: ConnectResult) throws(ControlError) {
      switch result {
      case .success(let target): targets.append(target)
      case .failure(let explanation):
        throw ControlError(.notFound, "\(word): \(explanation.detail)")
      }
    }
    for word in request.hosts { try take(word, HostTarget.parse(word, builder)) }
    for tag in request.tags {
      let found = services.hosts.filter { $0.tags.contains(tag) }
      guard !found.isEmpty else {
        let tags = Set(services.hosts.flatMap(\.tags)).sorted()
        let near = NearName.nearest(tag, among: tags).map { "; did you mean '\($0)'?" }
        throw ControlError(.notFound, "No saved host has the tag '\(tag)'" + (near ?? "."))
      }
      // A host that several tags or words mean is opened once.
      for host in found where !targets.contains(where: { $0.host == host.id }) {
        try take(host.name, HostTarget.target(host, builder))
      }
    }
    return Opening(
      name: request.hosts.first ?? request.tags.first ?? "",
      contents: targets.map { .ssh($0) },
      labels: targets.map { _ in nil }
    )
  }

  private func template(_ word: String, _ directory: String) async throws(ControlError) -> Opening {
    guard let store = services.store else {
      throw ControlError(.store, "The store is not open.")
    }
    var vault = VaultSnapshot()
    do throws(StoreError) { vault.templates = try await store.templates() } catch {
      throw ControlError(error)
    }
    let reference = try vault.reference(.template, word)
    guard let record = vault.templates.first(where: { .template($0.id) == reference }) else {
      throw ControlError(.notFound, "There is no template '\(word)'.")
    }
    let template = record.without(hostsOutside: Set(services.hosts.map(\.id)))
    let builder = services.routeBuilder(directory: directory)
    var opening = Opening(name: template.name, contents: [], labels: [], tree: template.tree)
    for pane in template.contents {
      let (content, label) = content(of: pane, builder, directory)
      opening.contents.append(content)
      opening.labels.append(label)
    }
    return opening
  }

  /// What a pane of a template opens; what cannot be opened becomes an empty pane that says its name.
  private func content(of pane: TemplatePane, _ builder: RouteBuilder, _ directory: String) -> (
    PaneContent, label: String?
  ) {
    switch pane {
    case .local(let own):
      return (.local(.loginShell, directory: own.isEmpty ? directory : own), nil)
    case .empty(let label): return (.empty, label.isEmpty ? nil : label)
    case .sftp(_, let name): return (.empty, "files on \(name)")
    case .ssh(let id, let name):
      guard let host = services.hosts.first(where: { $0.id == id }),
        case .success(let target) = HostTarget.target(host, builder)
      else { return (.empty, name) }
      return (.ssh(target), nil)
    }
  }
}

extension SplitTree {
  /// The tree with other panes in the place of its own, in reading order.
  func renumbered(_ ids: [PaneID]) -> SplitTree {
    var tree = self
    let own = panes
    // First to numbers that neither side has, since the two may overlap.
    for (index, pane) in own.enumerated() {
      tree.replace(pane, with: PaneID(rawValue: UInt32.max - UInt32(index)))
    }
    for (index, id) in ids.enumerated() where index < own.count {
      tree.replace(PaneID(rawValue: UInt32.max - UInt32(index)), with: id)
    }
    return tree
  }
}
