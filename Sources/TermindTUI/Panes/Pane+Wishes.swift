import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindTerminal

/// What a saved host wants of its shells besides the connection.
extension Pane {
  /// Goes on where a remote shell was opened.
  func begin(_ start: RemoteStart, _ channel: any TerminalChannel) {
    start.opened(channel, at: services.now)
    // What ran at the person's own start is not run again by a recovery.
    guard !start.isSilent, let id = start.target.shell.snippet else { return }
    runFirst = RunFirst { [weak self] in self?.runFirst(id, start) }
  }

  /// The shell has printed, and may have come to its prompt.
  func shellPrinted() {
    guard let runFirst, let surface, remote?.isPastSign == true else { return }
    runFirst.printed(isReady: surface.withTerminal { $0.modes.bracketedPaste })
  }

  private func runFirst(_ id: SnippetID, _ start: RemoteStart) {
    guard remote === start, session.state.isTyping else { return }
    let snippet = services.vault.contents.snippet(id)
    let note: String? =
      switch StartupText(snippet, wasUsed: wasUsed) {
      case .nothing: nil
      case .refused(let reason): reason
      case .text(let text): submit(text) ? nil : StartupText.fullQueue
      }
    guard let note else { return }
    start.snippetWasNotSent(note)
    observer?.pane(self.id, says: note)
  }

  /// Sends a text as if it were pasted, and Enter.
  private func submit(_ text: String) -> Bool {
    paste(Array(text.utf8)) && surface?.send([0x0D]) == true
  }

  /// What its host wishes for and did not get, one sentence each.
  var notes: [String] { remote?.notes ?? [] }
}
