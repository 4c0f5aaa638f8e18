import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// Finding text in the focused pane.
extension Window {
  /// Opens the find bar of the focused pane.
  func openFind() {
    guard let pane = focusedPane else { return }
    guard pane.surface != nil else {
      return show(Notice(.info, "There is no text in this pane to search."))
    }
    pane.find.open()
  }

  /// Shows the next older or newer match; the bar opens when it is not there.
  func findAgain(older: Bool) {
    guard let find = focusedPane?.find else { return }
    if find.isOpen { find.step(older: older) } else { openFind() }
  }

  /// Closes the find bars of all panes of the window.
  func closeFind() {
    for id in model.panes { server.panes[id]?.find.close() }
  }
}

/// Finding text in all panes of the window.
extension Window {
  /// Opens Quick Open with the text of all panes; the focused pane's matches come first.
  ///
  /// - Parameter query: What is typed already.
  func openTextSearch(_ query: String = "") {
    closeFind()
    let focused = workspace?.focus
    let front = workspace.map { $0.panes } ?? []
    let order = (focused.map { [$0] } ?? []) + front.filter { $0 != focused }
    let all = order + model.panes.filter { !order.contains($0) }
    let panes = all.compactMap { id in server.panes[id]?.surface.map { (id: id, surface: $0) } }
    let names = panes.map { pane in
      let title = server.panes[pane.id].map(PaneText.title) ?? ""
      let place = model.workspaces.firstIndex { $0.tree.contains(pane.id) }
      guard let place else { return (pane.id, title) }
      let workspace = model.workspaces[place]
      return (pane.id, "\(workspace.isNamed ? workspace.name : "\(place + 1)") › \(title)")
    }
    present(
      TextSearchSheet(
        panes: panes,
        names: Dictionary(names, uniquingKeysWith: { first, _ in first }),
        query: query,
        worker: server.services.finding,
        changed: { [weak self] in self?.requestFrame() },
        leave: { [weak self] in self?.openQuickOpen(query: $0) },
        chosen: { [weak self] choice in
          guard let self, let pane = server.panes[choice.pane] else { return }
          focus(choice.pane)
          pane.find.open(choice.text, choice.options, at: choice.place)
        }
      )
    )
  }
}
