import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindTerminal

/// What the shell of a pane tells of its prompts and commands.
extension Pane {
  /// The shell runs a command.
  func commandStarted(_ text: String?) {
    command = RunningCommand(text: text, started: WallClock.seconds)
  }

  /// The command has ended.
  func commandEnded(_ result: CommandResult) {
    guard let ended = command else { return }
    command = nil
    keep(ended, result)
    observer?.pane(
      id,
      ended: EndedCommand(text: ended.text, status: result.status, duration: result.duration)
    )
  }

  /// The shell itself has ended; what became of its command is not known.
  func commandLost() {
    guard let lost = command else { return }
    command = nil
    keep(lost, CommandResult())
  }

  /// Where its commands are run; nil where that is no place with a history.
  var commandPlace: CommandPlace? {
    switch content {
    case .local(.loginShell, _): .local
    case .ssh(let target): target.host.map { .host($0) } ?? .target(target.line)
    case .local, .files, .empty, .noRoute: nil
    }
  }

  private func keep(_ command: RunningCommand, _ result: CommandResult) {
    guard services.looks.preferences.keepsCommands, let place = commandPlace,
      let text = command.text
    else { return }
    let (seconds, rest) = result.duration?.components ?? (0, 0)
    let record = CommandRecord(
      text: text,
      started: command.started,
      status: result.status,
      milliseconds: result.duration.map { _ in seconds * 1_000 + rest / 1_000_000_000_000_000 }
    )
    services.record(record, at: place)
  }

  /// Shows the prompt before what is in view, or after it; false when there is none.
  func jumpToPrompt(isForward: Bool) -> Bool {
    guard let surface else { return false }
    let back = scrolledBack
    let found: Int? = surface.withTerminal { terminal in
      guard let first = terminal.shownParts(row: 0, scrolledBack: back).first?.line,
        let prompt = terminal.prompt(from: first, isForward: isForward),
        let row = terminal.shownRow(of: TextPlace(line: prompt, column: 0))
      else { return nil }
      return max(-row, 0)
    }
    guard let found, found != back else { return false }
    scroll(to: found)
    return true
  }

  /// The output of the last command.
  var lastOutput: TextSelection? { surface?.withTerminal { $0.lastOutput } }

  /// The text of the last command's output.
  var lastOutputText: String? {
    surface?.withTerminal { terminal in terminal.lastOutput.map { terminal.text(of: $0) } }
  }
}
