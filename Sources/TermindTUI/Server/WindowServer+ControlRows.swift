import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen
import TermindTerminal

/// What `termind ctl` lists, captures and waits for.
extension WindowServer {
  func row(_ window: WindowModel) -> ControlWindow {
    let size = windows[window.id]?.size ?? TerminalDimensions(rows: 24, columns: 80)
    return ControlWindow(
      id: window.id,
      name: window.name,
      attached: window.isAttached,
      active: window.id == activeWindow,
      rows: size.rows,
      columns: size.columns,
      workspaces: window.workspaces.map(\.id)
    )
  }

  func row(_ workspace: Workspace) -> ControlWorkspace {
    let owner = model.window(owning: workspace.id)
    return ControlWorkspace(
      id: workspace.id,
      name: workspace.name,
      window: owner?.id ?? WindowID(rawValue: 0),
      active: owner?.activeWorkspace?.id == workspace.id,
      zoomed: workspace.isZoomed,
      panes: workspace.panes
    )
  }

  func row(_ pane: Pane) -> ControlPane {
    let workspace = model.workspace(of: pane.id)
    let window = model.window(of: pane.id)
    return ControlPane(
      id: pane.id,
      workspace: workspace?.id ?? WorkspaceID(rawValue: 0),
      window: window?.id ?? WindowID(rawValue: 0),
      kind: pane.content.controlName,
      title: PaneText.title(pane),
      state: pane.controlState,
      reason: PaneText.explanation(pane)?.detail,
      host: pane.content.kind.isRemote ? PaneText.account(pane) : nil,
      notes: pane.notes.isEmpty ? nil : pane.notes,
      engine: pane.engine?.name,
      engineReason: pane.engine?.reason,
      directory: pane.files?.model.directory?.text ?? pane.workingDirectory,
      program: pane.foregroundProgram,
      exitStatus: pane.exitStatus,
      focused: workspace?.focus == pane.id,
      rows: pane.size.rows,
      columns: pane.size.columns
    )
  }

  /// The looks of a capture without styles.
  private var captureLook: Appearance { Appearance(theme: looks.theme, depth: .monochrome) }

  func capture(_ pane: Pane, scrollback: Bool, ansi: Bool) -> String {
    if let files = pane.files {
      return files.text(rows: pane.size.rows, columns: pane.size.columns, captureLook)
    }
    guard let surface = pane.surface else { return "" }
    return surface.withTerminal { terminal in
      guard ansi else { return terminal.captureText(includingScrollback: scrollback) }
      return String(decoding: terminal.captureANSI(includingScrollback: scrollback), as: UTF8.self)
    }
  }

  /// Waits until a condition holds, or the time is over.
  ///
  /// What is active may not be there yet; a pane, workspace or window that is named must exist.
  func wait(
    _ target: ControlTarget,
    _ condition: ControlCondition,
    _ seconds: Double
  ) async throws(ControlError) -> ControlReply {
    if case .text(let pattern) = condition { try ScreenPattern.check(pattern) }
    let clock = ContinuousClock()
    let deadline = clock.now + .milliseconds(Int(min(seconds, 86_400) * 1000))
    while true {
      if let pane = try waitedPane(target), await holds(condition, in: pane) { return .done }
      guard clock.now < deadline, !Task.isCancelled else {
        throw ControlError(.timedOut, "It did not happen within \(seconds) seconds.")
      }
      await nextChange(until: deadline)
    }
  }

  private func waitedPane(_ target: ControlTarget) throws(ControlError) -> Pane? {
    do throws(ControlError) {
      return try pane(target)
    } catch {
      if case .active = target { return nil }
      throw error
    }
  }

  private func holds(_ condition: ControlCondition, in pane: Pane) async -> Bool {
    switch condition {
    case .state(let wanted): return pane.controlState == wanted
    case .text(let pattern):
      guard pane.surface != nil || pane.files != nil else { return false }
      let text = capture(pane, scrollback: false, ansi: false)
      return await ScreenPattern.matches(pattern, in: text)
    }
  }

  private func nextChange(until deadline: ContinuousClock.Instant) async {
    let waiting = Task { await nextChange() }
    let timer = Task {
      // Cancelled when the change came first.
      try? await Task.sleep(until: deadline, clock: .continuous)
      waiting.cancel()
    }
    await withTaskCancellationHandler {
      await waiting.value
    } onCancel: {
      waiting.cancel()
    }
    timer.cancel()
  }
}

extension PaneContent {
  /// The kind as `termind ctl panes` writes it.
  var controlName: String {
    switch self {
    case .empty: "empty"
    case .local(.loginShell, _): "shell"
    case .local(.command, _): "command"
    case .ssh, .noRoute: "ssh"
    case .files(let target): target.host == nil ? "files" : "sftp"
    }
  }
}

extension Pane {
  var controlState: ControlPaneState {
    switch session.state {
    case .idle: content.kind == .empty ? .empty : .ended
    case .connecting: .connecting
    case .waiting: .asking
    case .live: .up
    case .lost: .lost
    case .failed, .ended, .closed: .ended
    }
  }

  var exitStatus: Int? {
    guard case .ended(.exited(let status)) = session.state else { return nil }
    return status
  }
}
