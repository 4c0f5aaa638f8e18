import TermindApplication
import TermindDomain
import TermindPresentation

/// What is known of a pane, for the person who asks.
enum PaneDetails {
  /// The sheet with it.
  static func sheet(_ pane: Pane, now: Duration) -> ConfirmSheet {
    ConfirmSheet(
      title: ErrorText.shown(PaneText.title(pane)),
      lines: rows(pane, now: now).map { "\($0.label): \(ErrorText.shown($0.text))" },
      buttons: [ConfirmSheet.Button(id: "close", label: "Close", role: .cancel)]
    )
  }

  private static func rows(_ pane: Pane, now: Duration) -> [(label: String, text: String)] {
    var rows: [(label: String, text: String)] = []
    if let target = pane.content.server {
      rows.append(("Host", PaneText.account(pane)))
      let hops = target.route.hops
      if hops.count > 1 {
        rows.append(("Way", hops.map { "\($0.endpoint)" }.joined(separator: " › ")))
      }
    }
    rows.append(("State", state(pane, now)))
    if let engine = pane.engine {
      rows.append(("Engine", engine.reason.map { "\(engine.name), since \($0)" } ?? engine.name))
    }
    if let directory = pane.files?.model.directory?.text ?? pane.workingDirectory {
      rows.append(("Directory", directory))
    }
    if let program = pane.foregroundProgram { rows.append(("Program", program)) }
    rows.append(("Size", "\(pane.size.columns) columns, \(pane.size.rows) rows"))
    for note in pane.notes { rows.append(("Note", note)) }
    return rows
  }

  private static func state(_ pane: Pane, _ now: Duration) -> String {
    if let explanation = PaneText.explanation(pane) { return explanation.detail }
    return switch PaneText.state(pane, now: now).0 {
    case .quiet: "running"
    case .up: "up"
    case .waiting(let word), .dead(let word): word
    }
  }
}

extension Window {
  /// Shows what is known of the focused pane.
  func showDetails() {
    guard let pane = focusedPane else {
      return show(Notice(.info, "No pane is in front."))
    }
    present(QuestionSheet(PaneDetails.sheet(pane, now: server.services.now)) { _ in })
  }
}
