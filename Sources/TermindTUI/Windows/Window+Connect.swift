import TermindApplication
import TermindDomain
import TermindPresentation

/// Opening hosts: by what is typed, by name, by the arguments of `termind ssh`.
extension Window {
  /// Connects to what stands in the Welcome screen's bar; a fault is shown under it.
  func connect(line: String) {
    switch target(line: line) {
    case .success(let target):
      welcome.clear()
      server.openWorkspace(in: id, name: target.name, [.ssh(target)])
    case .failure(let explanation):
      welcome.problem = explanation.paragraph
      requestFrame()
    }
  }

  /// Connects to the arguments of `termind ssh`.
  func connect(arguments: [String]) { open(HostTarget.parse(arguments, routes), .newWorkspace) }

  /// Connects to a saved host in a new workspace.
  func open(_ host: HostRecord) { open([host], .newWorkspace) }

  /// Opens saved hosts together; those that no route leads to are named, and the others still open.
  func open(_ hosts: [HostRecord], _ placement: HostPlacement) {
    let builder = routes
    var targets: [PaneContent.SSHTarget] = []
    var problems: [String] = []
    for host in hosts {
      switch HostTarget.target(host, builder) {
      case .success(let target): targets.append(target)
      case .failure(let explanation): problems.append("\(host.name): \(explanation.paragraph)")
      }
    }
    open(targets, placement)
    if let first = problems.first {
      let rest = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
      show(Notice(.problem, first + rest))
    }
  }

  /// Opens what typed words led to, or says why they lead nowhere.
  func open(_ result: ConnectResult, _ placement: HostPlacement) {
    switch result {
    case .success(let target): open([target], placement)
    case .failure(let explanation): show(Notice(.problem, explanation.paragraph))
    }
  }

  private func open(_ targets: [PaneContent.SSHTarget], _ placement: HostPlacement) {
    guard !targets.isEmpty else { return }
    let contents = targets.map { target -> PaneContent in
      guard case .files = placement else { return .ssh(target) }
      return .files(PaneContent.FilesTarget(host: target, directory: nil))
    }
    switch placement {
    case .here, .files:
      if targets.count == 1, let pane = focusedPane, case .empty = pane.content {
        pane.fill(with: contents[0])
        return pane.start()
      }
    case .split:
      if let workspace {
        return server.open(contents, beside: workspace.focus)
      }
    case .newWorkspace: break
    }
    server.openWorkspace(in: id, name: PaneContent.SSHTarget.name(of: targets), contents)
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
        case .success(let target):
          if let pane = focusedPane, case .empty = pane.content {
            pane.fill(with: .ssh(target))
            pane.start()
          } else {
            server.openWorkspace(in: id, name: target.name, [.ssh(target)])
          }
          return nil
        }
      }
    )
  }

  // MARK: Targets

  private var routes: RouteBuilder {
    server.services.routeBuilder(directory: terminal?.request.directory ?? "")
  }

  /// What a line of the connect bar leads to.
  func target(line: String) -> ConnectResult { HostTarget.parse(line, routes) }
}
