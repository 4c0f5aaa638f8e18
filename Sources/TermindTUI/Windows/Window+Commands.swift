import TermindDomain
import TermindPresentation
import TermindTerminal

/// Prompts and commands of shells that tell of them.
extension Window {
  private static let noPrompts =
    "The shell of this pane marks no prompts; shell integration is off there, or its shell was replaced by another, or is no bash, zsh or fish."

  /// Shows the prompt before or after.
  func jumpToPrompt(_ jump: Action.PromptJump) {
    guard let pane = focusedPane else { return }
    if pane.jumpToPrompt(isForward: jump == .next) { return }
    if jump == .next { return pane.scroll(to: 0) }
    show(Notice(.info, "There is no prompt above."))
  }

  /// Selects what the last command printed.
  func selectOutput() {
    guard let pane = focusedPane, let surface = pane.surface else { return }
    guard let output = pane.lastOutput else { return show(Notice(.info, missingOutput(pane))) }
    pane.copying = CopyMode(pane, surface, selecting: output)
    let rows = surface.withTerminal { $0.shownRow(of: output.first) } ?? 0
    if rows + pane.scrolledBack < 0 { pane.scroll(to: -rows) }
  }

  /// Copies what the last command printed.
  func copyOutput() {
    guard let pane = focusedPane else { return }
    guard let text = pane.lastOutputText, !text.isEmpty else {
      return show(Notice(.info, missingOutput(pane)))
    }
    copy(Array(text.utf8))
  }

  /// Why there is no output.
  func missingOutput(_ pane: Pane) -> String {
    let hasPrompts = pane.surface?.withTerminal { terminal in
      terminal.prompt(from: terminal.textLines.upperBound, isForward: false) != nil
    }
    return hasPrompts == true ? "The last command printed nothing." : Self.noPrompts
  }

  // MARK: Notifications

  /// Tells of a command that took long, when nobody looked on.
  func commandEnded(_ command: EndedCommand, in pane: PaneID) {
    let limit = server.looks.preferences.notifyAfter
    guard limit > 0, let duration = command.duration, duration >= .seconds(limit), !isInView(pane)
    else { return }
    let name = server.panes[pane].map(PaneText.title) ?? "pane \(pane.rawValue)"
    let text = CommandText.notification(
      name: name,
      command: command.text,
      status: command.status,
      duration: duration
    )
    terminal?.notify(NotificationSequence.write(text))
    paneRang(pane)
    show(Notice((command.status ?? 0) == 0 ? .done : .problem, text))
  }

  /// Whether a person who looks at the terminal sees a pane.
  private func isInView(_ pane: PaneID) -> Bool {
    guard isLookedAt, let split else { return false }
    return split.rectangle(of: pane) != nil
  }
}
