import TermindApplication
import TermindDomain
import TermindPresentation

/// Snippets in the focused pane.
extension Window {
  /// Puts a snippet's text where the person types, after asking for what has to be filled in.
  ///
  /// It is pasted, not typed: nothing runs before the person presses Enter. Where the program cannot tell the two apart,
  /// several lines are asked about, as any paste is.
  func insert(_ snippet: SnippetRecord) {
    guard let pane = focusedPane, pane.session.state.isTyping else {
      return show(Notice(.problem, "A snippet goes into a running terminal; focus one first."))
    }
    guard !snippet.placeholders.isEmpty else { return paste(snippet.filled(with: [:]), into: pane) }
    present(
      FormSheet(.filling(snippet, mayBeEmpty: true, verb: "insert")) {
        [weak self, weak pane] texts in
        guard let self, let pane else { return nil }
        if let problem = snippet.problem(of: texts) { return problem }
        paste(snippet.filled(inOrder: texts), into: pane)
        return nil
      }
    )
  }

  private func paste(_ text: String, into pane: Pane) {
    let bytes = Array(text.utf8)
    guard !mustConfirm(bytes, into: pane) else {
      // Presented once the form is gone.
      Task { [weak self, weak pane] in
        self?.confirm(bytes) { if let pane { self?.send(bytes, to: pane) } }
      }
      return
    }
    send(bytes, to: pane)
  }

  private func send(_ bytes: [UInt8], to pane: Pane) {
    if !pane.paste(bytes) {
      show(Notice(.problem, "The program takes no more input just now; the snippet was not sent."))
    }
  }
}
