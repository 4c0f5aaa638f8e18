import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen
import TermindTerminal

/// What each action does in a window.
extension Window {
  func perform(_ action: Action) {
    switch action {
    case .newSplit(let side): splitFocused(side.domain)
    case .openLocal: openLocal()
    case .openSSH: openConnectBar()
    case .openFiles: openFiles()
    case .openLocalFiles: openLocalFiles()
    case .openRootFiles: openRootFiles()
    case .dropFiles: dropFiles()
    case .showTransfers: showTransfers()
    case .downloadFile: downloadFile()
    case .closePane: closePane()
    case .focus(let side): moveFocus { $0.focusNeighbour(side.domain, in: $1, titleRow: true) }
    case .focusNext: moveFocus { workspace, _ in workspace.focusNext() }
    case .focusPrevious: moveFocus { workspace, _ in workspace.focusNext(offset: -1) }
    case .focusLast: moveFocus { workspace, _ in workspace.focusLast() }
    case .focusPane(let place):
      moveFocus { workspace, _ in
        workspace.panes.indices.contains(place - 1)
          && workspace.setFocus(workspace.panes[place - 1])
      }
    case .resize(let side, let cells): resizeFocused(side.domain, cells)
    case .swap(let target): swapFocused(target)
    case .rotate(let turn): rearrange { $0.rotate(forward: turn == .forward) }
    case .evenOut: rearrange { $0.evenOut() }
    case .layout(let preset): arrange(preset.domain)
    case .nextLayout: arrangeNext()
    case .zoom: change { $0.toggleZoom() }
    case .renamePane: renamePane()
    case .breakPane: breakPane()
    case .movePaneToWorkspace(let place): movePane(to: place)
    case .broadcast(let members): broadcast(members)
    case .sameSize: toggleSameSize()
    case .runSnippet(let target): chooseSnippet(toRunOn: target)
    case .record(let format): record(format)
    case .reconnect: focusedPane?.start()
    case .saveHost: saveHost()
    case .showDetails: showDetails()
    case .reconnectAll: for id in model.panes { server.panes[id]?.start() }
    default: performOnWindow(action)
    }
  }

  private func performOnWindow(_ action: Action) {
    switch action {
    case .newWorkspace: server.openWorkspace(in: id, [.local(.loginShell, directory: directory)])
    case .closeWorkspace: closeWorkspace()
    case .nextWorkspace: show { $0.showNextWorkspace() }
    case .previousWorkspace: show { $0.showNextWorkspace(offset: -1) }
    case .lastWorkspace: show { $0.showLastWorkspace() }
    case .gotoWorkspace(let place): show { $0.showWorkspace(at: place - 1) }
    case .moveWorkspaceLeft: moveWorkspace(by: -1)
    case .moveWorkspaceRight: moveWorkspace(by: 1)
    case .moveWorkspaceToWindow: chooseWindowForWorkspace()
    case .renameWorkspace: renameWorkspace()
    case .saveTemplate: saveTemplate()
    case .renameWindow: renameWindow()
    case .newWindow: server.openWindow(inPlaceOf: self)
    case .closeWindow: vault.leaveEditor { [weak self] _ in self?.closeWindow() }
    case .detach: server.detach(id)
    case .suspend: terminal?.suspend()
    case .quit: vault.leaveEditor { [weak self] _ in self?.quit() }
    case .go(let destination): show { $0.show(destination.domain) }
    case .toggleSidebar:
      keepSidebar()
      show { $0.sidebar = $0.sidebar.next }
    case .redraw: terminal?.repaint()
    case .reloadConfiguration: server.reloadConfiguration()
    case .quickOpen: openQuickOpen()
    case .find: openFind()
    case .findNext: findAgain(older: true)
    case .findPrevious: findAgain(older: false)
    case .findInPanes: openTextSearch()
    case .copyMode: enterCopyMode()
    case .copy: copySelection()
    case .selectOutput: selectOutput()
    case .copyOutput: copyOutput()
    case .editText(let part): editText(part)
    case .pageText(let part): pageText(part)
    case .saveText(let part): saveText(part)
    case .commandHistory: openCommandHistory()
    case .paste: pasteNewest()
    case .choosePasteBuffer: choosePasteBuffer()
    case .commandPalette: openPalette()
    case .showKeys: openKeys()
    case .chooseTheme: openThemes()
    case .lockMode: break
    case .scroll(let scroll): scrollFocused(scroll)
    case .jumpToPrompt(let jump): jumpToPrompt(jump)
    case .clearScrollback:
      focusedPane?.surface?.withTerminal { $0.clearScrollback() }
      focusedPane?.scroll(to: 0)
    case .resetTerminal: focusedPane?.surface?.withTerminal { $0.reset() }
    case .text(let text): focusedPane?.send(Array(text.utf8))
    case .sendLeader, .ignore: break
    default: break
    }
    requestFrame()
  }

  // MARK: Changing the model

  /// Changes the workspace in front.
  private func change(_ body: (inout Workspace) -> Void) {
    server.model.update(id) { _ = $0.updateActive(body) }
    server.reconcile()
  }

  private func rearrange(_ body: (inout SplitTree) -> Void) { change { $0.rearrange(body) } }

  /// Changes what the window shows.
  func show(_ body: (inout WindowModel) -> Void) {
    server.model.update(id) { body(&$0) }
    modelChanged()
  }

  private func moveFocus(_ body: (inout Workspace, CellRectangle) -> Bool) {
    let area = layout.content
    server.model.update(id) { window in _ = window.updateActive { body(&$0, area) } }
    modelChanged()
  }

  // MARK: Panes

  /// The directory that a new local pane starts in: the focused pane's.
  var directory: String? {
    focusedPane?.workingDirectory ?? terminal?.request.directory
  }

  private func splitFocused(_ side: PaneDirection) {
    guard let workspace else { return perform(.newWorkspace) }
    guard hasRoom(in: workspace, beside: workspace.focus, for: side) else {
      return show(Notice(.problem, "There is no room for another pane; zoom out or close one."))
    }
    let content = server.panes[workspace.focus]?.content
    // A split of a remote pane opens the same host, one of files the same directory; any other one a local shell.
    if let files = server.panes[workspace.focus]?.files {
      var target = files.target
      target.directory = files.model.directory
      server.split(workspace.focus, at: side, .files(target))
    } else if case .ssh(var target) = content {
      if let told = focusedPane?.remoteDirectory { target.shell.directory = told }
      server.split(workspace.focus, at: side, .ssh(target))
    } else {
      server.split(workspace.focus, at: side, .local(.loginShell, directory: directory))
    }
  }

  /// Whether a pane is large enough to give another one room.
  func hasRoom(in workspace: Workspace, beside pane: PaneID, for side: PaneDirection) -> Bool {
    let split = workspace.layout(in: layout.content, titleRow: true)
    // What a zoom hides has its room back when the zoom ends.
    guard let area = split.rectangle(of: pane) else { return workspace.isZoomed }
    return side == .left || side == .right ? area.columns >= 5 : area.rows >= 3
  }

  func openLocal() {
    if let pane = focusedPane, case .empty = pane.content {
      pane.fill(with: .local(.loginShell, directory: directory))
      pane.start()
    } else {
      server.openWorkspace(in: id, [.local(.loginShell, directory: directory)])
    }
  }

  private func closePane() {
    if !sheets.isEmpty { return dismissTopSheet() }
    _ = server.model.closePane(in: id)
    server.reconcile()
  }

  private func resizeFocused(_ side: PaneDirection, _ cells: Int) {
    guard let workspace else { return }
    let area = layout.content
    rearrange { $0.resize(workspace.focus, side, by: cells, in: area, titleRow: true) }
  }

  private func swapFocused(_ target: Action.SwapTarget) {
    guard let workspace, let split else { return }
    let other: PaneID? =
      switch target {
      case .neighbour(let side):
        split.neighbour(of: workspace.focus, side.domain, history: workspace.history, wraps: false)
      case .next: workspace.tree.pane(after: workspace.focus)
      case .previous: workspace.tree.pane(after: workspace.focus, offset: -1)
      }
    if let other { rearrange { $0.swap(workspace.focus, other) } }
  }

  private func arrange(_ preset: SplitPreset) {
    guard let workspace else { return }
    lastPreset = preset
    rearrange { $0.arrange(preset, main: workspace.focus) }
  }

  private func arrangeNext() {
    let all = SplitPreset.allCases
    let place = lastPreset.flatMap { all.firstIndex(of: $0) } ?? -1
    arrange(all[(place + 1) % all.count])
  }

  private func breakPane() {
    guard let workspace else { return }
    if server.model.moveToNewWorkspace(workspace.focus, in: id) == nil {
      show(Notice(.info, "The pane is alone in its workspace already."))
    }
    server.reconcile()
  }

  private func movePane(to place: Int?) {
    guard let workspace else { return }
    guard let place else { return chooseWorkspaceForPane() }
    let workspaces = model.workspaces
    guard workspaces.indices.contains(place - 1) else {
      return show(Notice(.problem, "There is no workspace \(place)."))
    }
    server.model.move(workspace.focus, to: workspaces[place - 1].id)
    server.reconcile()
  }

  private func record(_ format: RecordingFormat) {
    guard let pane = focusedPane else { return }
    if let recorder = pane.recorder {
      pane.stopRecording()
      show(Notice(.info, "Written: \(recorder.path)"))
      if recorder.format == format { return }
    }
    do throws(RecordingProblem) {
      guard let path = try pane.startRecording(format) else {
        return show(Notice(.info, "There is nothing to record here yet."))
      }
      show(Notice(.info, "Recording to \(path)"))
    } catch {
      show(Notice(.problem, PaneText.recordingStopped(error)))
    }
  }

  private func broadcast(_ members: Action.Broadcast) {
    guard let workspace else { return }
    let panes = workspace.panes.compactMap { server.panes[$0] }.filter {
      $0.content.kind.isTerminal
    }
    switch members {
    case .pane:
      guard let pane = focusedPane, pane.content.kind.isTerminal else {
        return show(Notice(.info, "Only a terminal takes part in a broadcast."))
      }
      pane.isBroadcasting.toggle()
    case .workspace:
      let joins = !panes.allSatisfy(\.isBroadcasting)
      for pane in panes { pane.isBroadcasting = joins }
    case .tag: chooseBroadcastTag(panes)
    case .off: for pane in panes { pane.isBroadcasting = false }
    }
    broadcastChanged()
  }

  private func scrollFocused(_ scroll: Action.Scroll) {
    guard let workspace, let pane = focusedPane else { return }
    let page = max((split?.rectangle(of: workspace.focus)?.rows ?? 2) - 1, 1)
    switch scroll {
    case .up(let lines): pane.scroll(to: pane.scrolledBack + lines)
    case .down(let lines): pane.scroll(to: pane.scrolledBack - lines)
    case .halfPageUp: pane.scroll(to: pane.scrolledBack + max(page / 2, 1))
    case .halfPageDown: pane.scroll(to: pane.scrolledBack - max(page / 2, 1))
    case .pageUp: pane.scroll(to: pane.scrolledBack + page)
    case .pageDown: pane.scroll(to: pane.scrolledBack - page)
    case .top: pane.scroll(to: .max)
    case .bottom: pane.scroll(to: 0)
    }
  }

  // MARK: Workspaces and windows

  private func closeWorkspace() {
    guard let workspace else { return }
    let live = workspace.panes.compactMap { server.describe($0) }.filter(\.isLive).count
    guard live > 0 else { return endWorkspace(workspace.id) }
    let sessions = live == 1 ? "1 session" : "\(live) sessions"
    let question = ConfirmSheet(
      title: "Close this workspace?",
      lines: ["\(model.name(of: workspace)) ends with \(sessions)."],
      buttons: [
        ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
        ConfirmSheet.Button(id: "close", label: "Close workspace", role: .danger),
      ]
    )
    present(
      QuestionSheet(question) { [weak self] answer in
        if answer == "close" { self?.endWorkspace(workspace.id) }
      }
    )
  }

  private func endWorkspace(_ workspace: WorkspaceID) {
    server.model.closeWorkspace(workspace)
    server.reconcile()
  }

  private func moveWorkspace(by step: Int) {
    guard let workspace, let place = model.workspaces.firstIndex(where: { $0.id == workspace.id })
    else { return }
    show { $0.reorder(workspace.id, to: place + step) }
  }

  private func closeWindow() {
    switch server.model.requestClose(
      of: id,
      work: server.work,
      describe: server.describe
    ) {
    case .immediate, .unknownWindow: server.closeWindow(id)
    case .needsConfirmation(let question):
      present(
        QuestionSheet(.closeWindow(question)) { [weak self] answer in
          guard let self else { return }
          switch answer {
          case "close": server.closeWindow(id)
          case "detach": server.detach(id)
          default: break
          }
        }
      )
    }
  }

  private func quit() {
    switch server.model.requestQuit(
      work: server.work,
      describe: server.describe
    ) {
    case .immediate: server.stop()
    case .needsConfirmation(let question):
      present(
        QuestionSheet(.quit(question)) { [weak self] answer in
          guard let self else { return }
          switch answer {
          case "quit": server.stop()
          case "detach": server.detach(id)
          default: break
          }
        }
      )
    }
  }
}

extension Action.Direction {
  var domain: PaneDirection {
    switch self {
    case .left: .left
    case .right: .right
    case .up: .up
    case .down: .down
    }
  }
}

extension Action.Preset {
  var domain: SplitPreset {
    switch self {
    case .evenColumns: .evenColumns
    case .evenRows: .evenRows
    case .mainStack: .mainAndStack
    case .tiled: .tiled
    }
  }
}

extension Action.Destination {
  var domain: WindowDestination {
    switch self {
    case .welcome: .welcome
    case .vault: .vault
    }
  }
}
