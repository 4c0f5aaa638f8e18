import TermindApplication
import TermindDomain
import TermindPresentation

/// Opening hosts: by what is typed, by name, by the arguments of `termind ssh`.
extension Window {
  /// Connects to what stands in the Welcome screen's bar; a fault is shown under it.
  func connect(line: String) {
    switch target(line: line) {
    case .found(let content):
      welcome.clear()
      open([content], .newWorkspace)
    case .failure(let explanation):
      welcome.problem = explanation.paragraph
      requestFrame()
    }
  }

  /// Connects to a saved host in a new workspace.
  func open(_ host: HostRecord) { open([host], .newWorkspace) }

  /// Opens saved hosts together; those that no route leads to have a pane that says why.
  func open(_ hosts: [HostRecord], _ placement: HostPlacement) {
    let builder = routes
    open(hosts.map { HostTarget.content($0, builder) }, placement)
  }

  /// Opens what typed words led to, or says why they lead nowhere.
  func open(_ result: ConnectResult, _ placement: HostPlacement) {
    switch result {
    case .found(let content): open([content], placement)
    case .failure(let explanation): show(Notice(.problem, explanation.paragraph))
    }
  }

  private func open(_ hosts: [PaneContent], _ placement: HostPlacement) {
    guard !hosts.isEmpty else { return }
    var contents = hosts
    if case .files = placement { contents = hosts.map(\.asFiles) }
    switch placement {
    case .here, .files:
      if contents.count == 1, let pane = focusedPane, case .empty = pane.content {
        pane.fill(with: contents[0])
        return pane.start()
      }
    case .split:
      if let workspace {
        return server.open(contents, beside: workspace.focus)
      }
    case .newWorkspace, .drop: break
    }
    server.openWorkspace(in: id, name: PaneContent.name(of: contents), contents)
  }

  /// Asks for a host in a sheet, and opens it in the empty pane or in a new workspace.
  func openConnectBar() {
    let form = Form(
      title: "Connect",
      rows: [Form.Row("Host", placeholder: "[user@]host[:port], a saved name, or ssh options")],
      hints: [KeyHint("enter", "connect"), KeyHint("esc", "close")]
    )
    present(
      FormSheet(form) { [weak self] texts in
        guard let self, let line = texts.first, !line.isEmpty else { return "Type a host." }
        switch target(line: line) {
        case .failure(let explanation): return explanation.paragraph
        case .found(let content):
          open([content], .here)
          return nil
        }
      }
    )
  }

  // MARK: Targets

  var routes: RouteBuilder {
    server.services.routeBuilder(directory: terminal?.request.directory ?? "")
  }

  /// What a line of the connect bar leads to.
  func target(line: String) -> ConnectResult { HostTarget.parse(line, routes) }
}
