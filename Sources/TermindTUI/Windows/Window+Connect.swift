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
  func connect(arguments: [String]) { openOrSay(HostTarget.parse(arguments, routes)) }

  /// Connects to a saved host in a new workspace.
  func open(_ host: HostRecord) { openOrSay(HostTarget.target(host, routes)) }

  /// Connects to what was typed into Quick Open.
  func connectOrSay(_ line: String) { openOrSay(target(line: line)) }

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

  private func openOrSay(_ result: ConnectResult) {
    switch result {
    case .success(let target): server.openWorkspace(in: id, name: target.name, [.ssh(target)])
    case .failure(let explanation): show(Notice(.problem, explanation.paragraph))
    }
  }
}
