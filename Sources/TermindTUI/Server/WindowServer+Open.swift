import TermindApplication
import TermindDomain
import TermindPersistence
import TermindPresentation

/// Opening several hosts, those of a tag, or a template as one new workspace.
extension WindowServer {
  /// What a request opens, before anything of it is on the screen.
  private enum Opening {
    case template(WorkspaceTemplate)
    case targets([PaneContent.SSHTarget], name: String)

    var count: Int {
      switch self {
      case .template(let template): template.contents.count
      case .targets(let targets, _): targets.count
      }
    }
  }

  /// Opens a window for a request of `termind open`; what cannot be opened refuses the terminal.
  func attach(
    _ request: OpenRequest,
    to connection: TTYConnection,
    _ terminal: AttachedTerminal
  ) {
    let directory = connection.request.directory
    Task {
      do throws(ControlError) {
        let opening = try await prepare(request, directory: directory)
        // The client may have given up meanwhile.
        guard connection.isOffered else { return }
        open(opening, request, in: openWindow(in: terminal))
      } catch {
        connection.refuse(error.message)
      }
    }
  }

  /// Opens what a request of `termind ctl open` names.
  func open(_ request: OpenRequest, in window: WindowID) async throws(ControlError) -> ControlReply
  {
    let opening = try await prepare(request, directory: "")
    return try created(open(opening, request, in: window))
  }

  @discardableResult
  private func open(_ opening: Opening, _ request: OpenRequest, in window: WindowID) -> Workspace? {
    let made: Workspace?
    switch opening {
    case .template(let template):
      made = open(template, in: window, name: request.name)
    case .targets(let targets, let name):
      made = openWorkspace(
        in: window,
        name: request.name ?? name,
        targets.map { content($0, request) }
      )
    }
    guard let made, let layout = request.layout else { return made }
    model.update(workspace: made.id) { workspace in
      workspace.rearrange { $0.arrange(layout) }
    }
    reconcile()
    return made
  }

  /// What a pane on a host is to hold.
  private func content(_ target: PaneContent.SSHTarget, _ request: OpenRequest) -> PaneContent {
    guard request.showsFiles else { return .ssh(target) }
    return .files(PaneContent.FilesTarget(host: target, directory: nil))
  }

  // MARK: What is meant

  private func prepare(_ request: OpenRequest, directory: String) async throws(ControlError)
    -> Opening
  {
    await services.storeSettled()
    let opening: Opening
    if let word = request.template {
      opening = .template(try await template(word))
    } else {
      opening = try targets(request, directory)
    }
    guard opening.count <= OpenRequest.maximumPanes else {
      throw ControlError(
        .notPossible,
        "\(opening.count) panes are too many for one workspace;"
          + " \(OpenRequest.maximumPanes) can be opened at once."
      )
    }
    return opening
  }

  private func targets(_ request: OpenRequest, _ directory: String) throws(ControlError) -> Opening
  {
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
    let name = PaneContent.SSHTarget.name(of: targets)
    return .targets(targets, name: request.hosts.isEmpty ? request.tags.first ?? name : name)
  }

  private func template(_ word: String) async throws(ControlError) -> WorkspaceTemplate {
    guard let store = services.store else {
      throw ControlError(.store, "The store is not open.")
    }
    var vault = VaultSnapshot()
    do throws(StoreError) { vault.templates = try await store.templates() } catch {
      throw ControlError(error)
    }
    let reference = try vault.reference(.template, word)
    guard let template = vault.templates.first(where: { .template($0.id) == reference }) else {
      throw ControlError(.notFound, "There is no template '\(word)'.")
    }
    return template
  }
}
