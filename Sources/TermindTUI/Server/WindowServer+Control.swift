import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen
import TermindTerminal

/// The verbs of `termind ctl`.
extension WindowServer {
  func handle(_ request: ControlRequest) async -> ControlReply {
    do throws(ControlError) {
      return try await answer(request)
    } catch {
      return .failed(error)
    }
  }

  private func answer(_ request: ControlRequest) async throws(ControlError) -> ControlReply {
    let target = request.target
    switch request.command {
    case .windows: return .windows(try listedWindows(target).map(row))
    case .workspaces: return .workspaces(try workspaces(target).map(row))
    case .panes: return .panes(try panes(target).map(row))
    case .newWorkspace(let name):
      return try created(openWorkspace(in: try window(target).id, name: name ?? "", [.empty]))
    case .open(let request): return try await open(request, in: try window(target).id)
    case .records(let question):
      return .records(RecordAnswer(try await answer(question.request, request.secrets)))
    case .split(let side, let command): return try split(target, side, command)
    case .capture(let scrollback, let ansi):
      return .text(capture(try pane(target), scrollback: scrollback, ansi: ansi))
    case .wait(let condition, let seconds): return try await wait(target, condition, seconds)
    default:
      try change(request.command, target)
      return .done
    }
  }

  private func change(_ command: ControlCommand, _ target: ControlTarget) throws(ControlError) {
    switch command {
    case .focus(let focus): try move(focus, target)
    case .zoom(let wanted): try zoom(target, wanted)
    case .resize(let side, let cells): try resize(target, side, cells)
    case .sendText(let text): try send(Array(text.utf8), to: try pane(target))
    case .sendKeys(let names): try sendKeys(names, to: try pane(target))
    case .rename(let name): try rename(target, name)
    case .closePane: try close(try pane(target))
    case .closeWorkspace(let force): try closeWorkspace(try workspace(target), force: force)
    case .closeWindow(let force): try closeWindow(try window(target), force: force)
    case .moveWorkspace(let window): try moveWorkspace(try workspace(target), to: window)
    case .detach: try detachWindow(try window(target))
    case .quit(let force):
      if let loss = endServer(force: force) { throw .needingForce(loss) }
    case .windows, .workspaces, .panes, .newWorkspace, .open, .records, .split, .capture, .wait:
      break
    }
  }

  // MARK: Targets

  private func window(_ target: ControlTarget) throws(ControlError) -> WindowModel {
    switch target {
    case .active:
      guard let id = activeWindow ?? model.windows.last?.id, let found = model.window(id) else {
        throw ControlError(.notFound, "There is no window.")
      }
      return found
    case .window(let id):
      guard let found = model.window(id) else {
        throw ControlError(.notFound, "There is no window \(id.rawValue).")
      }
      return found
    case .workspace(let id):
      guard let found = model.window(owning: id) else {
        throw ControlError(.notFound, "There is no workspace \(id.rawValue).")
      }
      return found
    case .pane(let id):
      guard let found = model.window(of: id) else {
        throw ControlError(.notFound, "There is no pane \(id.rawValue).")
      }
      return found
    }
  }

  private func workspace(_ target: ControlTarget) throws(ControlError) -> Workspace {
    let window = try window(target)
    switch target {
    case .workspace(let id):
      if let found = window.workspace(id) { return found }
    case .pane(let id):
      if let found = window.workspace(of: id) { return found }
    case .active, .window:
      if let found = window.activeWorkspace ?? window.workspaces.first { return found }
    }
    throw ControlError(.notFound, "Window \(window.id.rawValue) shows no workspace.")
  }

  func pane(_ target: ControlTarget) throws(ControlError) -> Pane {
    let id: PaneID
    if case .pane(let named) = target { id = named } else { id = try workspace(target).focus }
    guard let found = panes[id] else {
      throw ControlError(.notFound, "There is no pane \(id.rawValue).")
    }
    return found
  }

  // Lists show everything unless something is named, and then what is in it, or what it is in.

  private func listedWindows(_ target: ControlTarget) throws(ControlError) -> [WindowModel] {
    if case .active = target { return model.windows }
    return [try window(target)]
  }

  private func workspaces(_ target: ControlTarget) throws(ControlError) -> [Workspace] {
    switch target {
    case .active: model.windows.flatMap(\.workspaces)
    case .window: try window(target).workspaces
    case .workspace, .pane: [try workspace(target)]
    }
  }

  private func panes(_ target: ControlTarget) throws(ControlError) -> [Pane] {
    switch target {
    case .active: model.panes.compactMap { panes[$0] }
    case .window: try window(target).panes.compactMap { panes[$0] }
    case .workspace: try workspace(target).panes.compactMap { panes[$0] }
    case .pane: [try pane(target)]
    }
  }

  // MARK: Making

  func created(_ workspace: Workspace?) throws(ControlError) -> ControlReply {
    guard let workspace, let window = model.window(owning: workspace.id) else {
      throw ControlError(.failed, "The window has gone.")
    }
    return .created(
      ControlCreated(window: window.id, workspace: workspace.id, panes: workspace.panes)
    )
  }

  private func split(
    _ target: ControlTarget,
    _ side: ControlDirection,
    _ command: [String]
  ) throws(ControlError) -> ControlReply {
    let pane = try pane(target)
    let owner = try workspace(.pane(pane.id))
    if let window = windows[try window(.pane(pane.id)).id],
      !window.hasRoom(in: owner, beside: pane.id, for: side.domain)
    {
      throw ControlError(.notPossible, "There is no room for another pane beside it.")
    }
    let directory = pane.workingDirectory
    let content: PaneContent =
      command.isEmpty
      ? .local(.loginShell, directory: directory) : .local(.command(command), directory: directory)
    guard let made = split(pane.id, at: side.domain, content),
      let owner = model.workspace(of: made),
      let window = model.window(of: made)
    else { throw ControlError(.notPossible, "The pane cannot be split.") }
    return .created(ControlCreated(window: window.id, workspace: owner.id, panes: [made]))
  }

  // MARK: Changing

  private func move(_ focus: ControlFocus, _ target: ControlTarget) throws(ControlError) {
    let workspace = try workspace(target)
    let area =
      windows[try window(target).id]?.layout.content ?? CellRectangle(rows: 24, columns: 80)
    let moved: Bool
    switch focus {
    case .target:
      if case .pane(let id) = target {
        moved = model.update(try window(target).id) { $0.focusPane(id) } ?? false
      } else {
        moved = model.update(try window(target).id) { $0.show(.workspace(workspace.id)) } ?? false
      }
    case .direction(let side):
      moved =
        model.update(workspace: workspace.id) {
          $0.focusNeighbour(side.domain, in: area, titleRow: true)
        } ?? false
    case .last: moved = model.update(workspace: workspace.id) { $0.focusLast() } ?? false
    case .next: moved = model.update(workspace: workspace.id) { $0.focusNext() } ?? false
    case .previous:
      moved = model.update(workspace: workspace.id) { $0.focusNext(offset: -1) } ?? false
    }
    reconcile()
    guard moved else { throw ControlError(.notPossible, "There is no pane to move the focus to.") }
  }

  private func zoom(_ target: ControlTarget, _ wanted: Bool?) throws(ControlError) {
    let workspace = try workspace(target)
    model.update(workspace: workspace.id) { workspace in
      if case .pane(let id) = target { workspace.setFocus(id) }
      if wanted == nil || wanted != workspace.isZoomed { workspace.toggleZoom() }
    }
    reconcile()
  }

  private func resize(
    _ target: ControlTarget,
    _ side: ControlDirection,
    _ cells: Int
  ) throws(ControlError) {
    let pane = try pane(target)
    let area =
      windows[try window(target).id]?.layout.content ?? CellRectangle(rows: 24, columns: 80)
    let owner = try workspace(.pane(pane.id))
    let moved = model.update(workspace: owner.id) { workspace in
      workspace.rearrange { $0.resize(pane.id, side.domain, by: cells, in: area, titleRow: true) }
    }
    reconcile()
    guard let moved, moved != 0 else {
      throw ControlError(.notPossible, "The pane has no border that can move \(side.rawValue).")
    }
  }

  private func send(_ bytes: [UInt8], to pane: Pane) throws(ControlError) {
    guard pane.session.state.isTyping else {
      throw ControlError(.notPossible, "Nothing runs in pane \(pane.id.rawValue).")
    }
    if let files = pane.files {
      return files.paste(String(decoding: bytes, as: UTF8.self))
    }
    guard pane.send(bytes) else { throw ControlError(.failed, Self.fullQueue(pane)) }
  }

  private static func fullQueue(_ pane: Pane) -> String {
    "The program in pane \(pane.id.rawValue) takes no more input just now."
  }

  private func sendKeys(_ names: [String], to pane: Pane) throws(ControlError) {
    var keys: [TerminalKey] = []
    var events: [KeyEvent] = []
    for name in names {
      do throws(KeySyntaxError) {
        let event = try KeyChord(text: name).event
        events.append(event)
        keys.append(KeyBridge.key(event))
      } catch {
        throw ControlError(.usage, "'\(name)' is no key: \(error)")
      }
    }
    guard pane.session.state.isTyping else {
      throw ControlError(.notPossible, "Nothing runs in pane \(pane.id.rawValue).")
    }
    if let files = pane.files {
      guard let window = model.window(of: pane.id).flatMap({ windows[$0.id] }) else { return }
      for event in events { files.handle(event, in: window) }
      return
    }
    for key in keys where !pane.type(key) { throw ControlError(.failed, Self.fullQueue(pane)) }
  }

  private func rename(_ target: ControlTarget, _ name: String) throws(ControlError) {
    let isNamed: Bool?
    switch target {
    case .pane:
      try pane(target).customName = name.isEmpty ? nil : name
      isNamed = true
    case .window: isNamed = model.update(try window(target).id) { $0.rename(name) }
    case .active, .workspace:
      isNamed = model.update(workspace: try workspace(target).id) { $0.rename(name) }
    }
    guard isNamed == true else {
      throw ControlError(.usage, "A name needs a visible character.")
    }
    reconcile()
  }

  private func close(_ pane: Pane) throws(ControlError) {
    _ = model.close(pane.id)
    reconcile()
  }

  private func closeWorkspace(_ workspace: Workspace, force: Bool) throws(ControlError) {
    let live = workspace.panes.compactMap { panes[$0] }.filter(\.isLive).count
    guard force || live == 0 else {
      let sessions = FileText.count(UInt64(live), "session")
      throw .needingForce("\(sessions) of '\(workspace.name)' would end.")
    }
    model.closeWorkspace(workspace.id)
    reconcile()
  }

  private func closeWindow(_ window: WindowModel, force: Bool) throws(ControlError) {
    if !force,
      case .needsConfirmation(let question) = model.requestClose(
        of: window.id,
        work: work,
        describe: describe
      )
    {
      throw .needingForce(ConfirmSheet.closeWindow(question).lines.joined(separator: " "))
    }
    closeWindow(window.id)
  }

  private func moveWorkspace(_ workspace: Workspace, to window: WindowID) throws(ControlError) {
    guard model.window(window) != nil else {
      throw ControlError(.notFound, "There is no window \(window.rawValue).")
    }
    guard model.moveWorkspace(workspace.id, to: window) else {
      throw ControlError(.notPossible, "The workspace is in window \(window.rawValue) already.")
    }
    reconcile()
  }

  private func detachWindow(_ window: WindowModel) throws(ControlError) {
    guard window.isAttached else {
      throw ControlError(.notPossible, "Window \(window.id.rawValue) is detached already.")
    }
    detach(window.id)
  }
}

extension ControlDirection {
  var domain: PaneDirection {
    switch self {
    case .left: .left
    case .right: .right
    case .up: .up
    case .down: .down
    }
  }
}
