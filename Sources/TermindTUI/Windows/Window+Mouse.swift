import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// The mouse: tabs, sidebar, borders to drag, panes to focus, and programs that ask for it.
extension Window {
  func handle(_ mouse: MouseEvent) {
    typedTime = nil
    if let sheet = sheets.last { return finish(sheet.handle(mouse), of: sheet) }
    if case .press = mouse.kind { resolver.reset() }
    if let grip { return drag(grip, mouse) }
    switch mouse.kind {
    case .press: press(mouse)
    case .wheel: turnWheel(mouse)
    case .motion: passMotion(mouse)
    case .release: break
    }
  }

  private func press(_ mouse: MouseEvent) {
    let layout = layout
    if layout.tabs.contains(row: mouse.row, column: mouse.column) { return pressTab(mouse) }
    if layout.sidebar.contains(row: mouse.row, column: mouse.column) { return pressSidebar(mouse) }
    guard let workspace, let split else {
      return model.destination == .vault ? vault.handle(mouse) : pressWelcome(mouse)
    }
    if let border = split.border(row: mouse.row, column: mouse.column) {
      if let id = border.id, mouse.button == .left { grip = .border(id) }
      if let titled = split.titledPane(row: mouse.row, column: mouse.column) { focus(titled) }
      return
    }
    guard let id = split.pane(row: mouse.row, column: mouse.column), let pane = server.panes[id]
    else {
      return
    }
    let hadFocus = workspace.focus == id
    focus(id)
    if let prompt = prompt(of: id), prompt.click(row: mouse.row, column: mouse.column) { return }
    if let files = pane.files {
      if files.press(mouse, in: self) { grip = .files(id) }
      return
    }
    if pressLink(mouse, in: pane, split.rectangle(of: id) ?? layout.content) { return }
    // The click that brings the focus is not the program's.
    if hadFocus, !mouse.modifiers.contains(.shift), pane.copying?.origin != .keys,
      pane.report(bridged(mouse, in: split, pane: id))
    {
      grip = .program(id)
    } else if mouse.button == .right, server.looks.preferences.pastesOnRightClick {
      pasteNewest()
    } else {
      beginSelecting(mouse, in: pane, split.rectangle(of: id) ?? layout.content)
    }
  }

  private func drag(_ grip: Grip, _ mouse: MouseEvent) {
    switch (grip, mouse.kind) {
    case (_, .wheel): break
    case (.border(let border), .motion):
      let area = layout.content
      server.model.update(id) { window in
        window.updateActive { workspace in
          workspace.rearrange {
            $0.drag(border, toRow: mouse.row, column: mouse.column, in: area, titleRow: true)
          }
        }
      }
      modelChanged()
    case (.border, .release): self.grip = nil
    case (.border, .press): break
    case (.files(let id), _): dragFiles(id, mouse)
    case (.selection(let id), _): dragSelection(id, mouse)
    case (.program(let id), _):
      if let split, let pane = server.panes[id] {
        _ = pane.report(bridged(mouse, in: split, pane: id))
      }
      if mouse.kind == .release { self.grip = nil }
    }
  }

  private func turnWheel(_ mouse: MouseEvent) {
    if model.destination == .vault { return vault.handle(mouse) }
    guard let split, let id = split.pane(row: mouse.row, column: mouse.column),
      let pane = server.panes[id]
    else { return }
    if let files = pane.files { return files.turnWheel(by: mouse.kind == .wheel(.up) ? -3 : 3) }
    pane.turnWheel(
      bridged(mouse, in: split, pane: id),
      isBypassing: mouse.modifiers.contains(.shift)
    )
  }

  /// Motion without a button goes to the focused program only, inside its own cells.
  private func passMotion(_ mouse: MouseEvent) {
    guard let workspace, let split,
      split.pane(row: mouse.row, column: mouse.column) == workspace.focus
    else { return }
    _ = server.panes[workspace.focus]?.report(bridged(mouse, in: split, pane: workspace.focus))
  }

  private func pressTab(_ mouse: MouseEvent) {
    guard let hit = targets.tabs.first(where: { $0.columns.contains(mouse.column) }) else { return }
    switch hit.target {
    case .workspace(let index):
      server.model.update(id) { _ = $0.showWorkspace(at: index) }
      modelChanged()
    case .newWorkspace: perform(.newWorkspace)
    }
  }

  private func pressSidebar(_ mouse: MouseEvent) {
    guard let hit = targets.sidebar.first(where: { $0.row == mouse.row }) else { return }
    switch hit.target {
    case .destination(let index):
      let destinations = WindowPainter.destinations
      guard destinations.indices.contains(index) else { return }
      server.model.update(id) { _ = $0.show(destinations[index].destination) }
    case .workspace(let index): server.model.update(id) { _ = $0.showWorkspace(at: index) }
    case .running(let index):
      let open = server.transfers.list.open
      return showTransfers(batch: open.indices.contains(index) ? open[index].number : nil)
    }
    modelChanged()
  }

  private func pressWelcome(_ mouse: MouseEvent) {
    guard model.destination == .welcome,
      let hit = targets.welcomeHosts.first(where: { $0.row == mouse.row })
    else { return }
    follow(welcome.choose(hit.host))
  }

  func focus(_ pane: PaneID) {
    guard workspace?.focus != pane else { return }
    focusedPane?.reportFocus(false)
    server.model.update(id) { _ = $0.focusPane(pane) }
    focusedPane?.reportFocus(true)
    modelChanged()
  }

  /// The event in the pane's own cells, clamped to them.
  private func bridged(_ mouse: MouseEvent, in split: SplitLayout, pane: PaneID) -> TerminalMouse {
    let area = split.rectangle(of: pane) ?? layout.content
    let row = min(max(mouse.row - area.row, 0), max(area.rows - 1, 0))
    let column = min(max(mouse.column - area.column, 0), max(area.columns - 1, 0))
    return MouseBridge.mouse(mouse, row: row, column: column)
  }
}
