import TermindApplication
import TermindDomain
import TermindPersistence
import TermindPresentation

/// Opening several hosts, those of a tag, or a template as one new workspace.
extension WindowServer {
  /// What a request opens, before anything of it is on the screen.
  private enum Opening {
    case template(WorkspaceTemplate)
    case hosts([PaneContent], name: String)

    var count: Int {
      switch self {
      case .template(let template): template.contents.count
      case .hosts(let contents, _): contents.count
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

  /// Opens a window for the words of `termind ssh`; such as lead nowhere refuse the terminal.
  func connect(
    _ words: [String],
    _ connection: TTYConnection,
    _ terminal: AttachedTerminal
  ) {
    Task {
      await services.storeSettled()
      // The client may have given up meanwhile.
      guard connection.isOffered else { return }
      let routes = services.routeBuilder(directory: connection.request.directory)
      switch HostTarget.parse(words, routes) {
      case .found(let content):
        openWorkspace(
          in: openWindow(in: terminal),
          name: PaneContent.name(of: [content]),
          [content]
        )
      case .failure(let explanation): connection.refuse(explanation.detail)
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
    case .hosts(let contents, let name):
      made = openWorkspace(
        in: window,
        name: request.name ?? name,
        request.showsFiles ? contents.map(\.asFiles) : contents
      )
    }
    guard let made, let layout = request.layout else { return made }
    model.update(workspace: made.id) { workspace in
      workspace.rearrange { $0.arrange(layout) }
    }
    reconcile()
    return made
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
      opening = try hosts(request, directory)
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

  private func hosts(_ request: OpenRequest, _ directory: String) throws(ControlError) -> Opening {
    let builder = services.routeBuilder(directory: directory)
    var contents: [PaneContent] = []
    for word in request.hosts {
      switch HostTarget.parse(word, builder) {
      case .found(let content): contents.append(content)
      case .failure(let explanation):
        throw ControlError(.notFound, "\(word): \(explanation.detail)")
      }
    }
    for tag in request.tags {
      let found = services.hosts.filter { $0.tags.contains(tag) }
      guard !found.isEmpty else {
        let tags = Set(services.hosts.flatMap(\.tags)).sorted()
        let near = NearName.nearest(tag, among: tags).map { "; did you mean '\($0)'?" }
        throw ControlError(.notFound, "No saved host has the tag '\(tag)'" + (near ?? "."))
      }
      // A host that several tags or words mean is opened once.
      for host in found where !contents.contains(where: { $0.host == host.id }) {
        contents.append(HostTarget.content(host, builder))
      }
    }
    // A workspace of nothing but reasons helps nobody: the first is told where it was asked for.
    let reasons = contents.compactMap { content -> PaneContent.NoRoute? in
      if case .noRoute(let host) = content { host } else { nil }
    }
    if let first = reasons.first, reasons.count == contents.count {
      let explanation = ErrorText.explain(first.error)
      throw ControlError(.notPossible, "\(first.name): \(explanation.detail)")
    }
    let name = PaneContent.name(of: contents)
    return .hosts(contents, name: request.hosts.isEmpty ? request.tags.first ?? name : name)
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
