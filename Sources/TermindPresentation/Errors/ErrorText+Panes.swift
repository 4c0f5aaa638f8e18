public import TermindApplication

extension ErrorText {
  /// Explains why nothing runs in a pane that a restart brought back.
  public static func explainRestored(
    _ kind: PaneKind,
    keys: ExplanationKeys = ExplanationKeys(close: "ctrl+d")
  ) -> Explanation {
    Explanation(
      state: kind.isRemote ? "not connected" : "not started",
      detail: "This pane comes from the last session"
        + (kind.isTerminal ? ", with its last text." : "."),
      next:
        "Press \(keys.retry) to \(kind.isRemote ? "connect" : "start"), or \(keys.close) to close the pane."
    )
  }

  /// Explains why a pane has no running program although one was asked for.
  public static func explain(
    _ failure: PaneFailure,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let next = "Press \(keys.retry) to try again, or \(keys.close) to close the pane."
    switch failure {
    case .connection(let failure): return explain(failure, keys: keys)
    case .noRoute(let error, let host):
      let reason = explain(error, keys: keys)
      return Explanation(
        state: reason.state,
        detail: reason.detail,
        next: "Edit \(quoted(host)) in the Vault, then press \(keys.retry) to try again, or "
          + "\(keys.close) to close the pane."
      )
    case .launch(let path, let diagnostic):
      return Explanation(
        state: "not started",
        detail: "\(quoted(path)) could not be started: \(plain(diagnostic)).",
        next: next
      )
    case .files(let error): return explain(error, keys: keys)
    case .cancelled:
      return Explanation(state: "stopped", detail: "The attempt was stopped.", next: next)
    }
  }
}
