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
    carryOut(StartupText(services.vault.contents.snippet(id), wasUsed: wasUsed), start)
  }

  private func carryOut(_ text: StartupText, _ start: RemoteStart) {
    switch text {
    case .nothing: break
    case .refused(let reason): runsNothing(start, because: reason)
    case .text(let text):
      if !submit(text) { runsNothing(start, because: StartupText.fullQueue) }
    case .asks(let snippet):
      // The question takes the keys meanwhile; it goes with the shell.
      runFirst?.ask { [weak self, prompts] in
        guard case .places(let texts) = await prompts.ask(.places(snippet)),
          let self, remote === start, session.state.isTyping, !Task.isCancelled
        else { return }
        guard let texts else { return runsNothing(start, because: StartupText.unfilled) }
        carryOut(StartupText(filled: snippet.filled(inOrder: texts)), start)
      }
    }
  }

  private func runsNothing(_ start: RemoteStart, because reason: String) {
    start.snippetWasNotSent(reason)
    observer?.pane(id, says: reason)
  }

  /// Sends a text as if it were pasted, and Enter.
  private func submit(_ text: String) -> Bool {
    paste(Array(text.utf8)) && surface?.send([0x0D]) == true
  }

  /// What its host wishes for and did not get, one sentence each.
  var notes: [String] { remote?.notes ?? [] }
}
