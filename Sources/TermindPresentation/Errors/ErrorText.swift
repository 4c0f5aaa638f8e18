public import TermindApplication
public import TermindDomain

/// Words for every error; the only place where they are made.
///
/// Each text says what failed, on which hop, at which step and why, and what to press next. Text that
/// a server sent is quoted without its control characters.
public enum ErrorText {
  /// Explains a failed or ended connection.
  public static func explain(
    _ failure: ConnectionFailure,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let hop = place(failure)
    let step = words(for: failure.step)
    let retry = "Press \(keys.retry) to try again."
    switch failure.cause {
    case .unknownHost(let text):
      return Explanation(
        state: "unknown host",
        detail: "The name of \(hop) was not found\(because(text)).",
        next: "Check the name and your DNS, then press \(keys.retry) to try again."
      )
    case .refused:
      return Explanation(
        state: "refused",
        detail: "\(hop) refused the connection while \(step): nothing listens on port "
          + "\(failure.endpoint.port), or a firewall turns it away.",
        next: retry
      )
    case .unreachable(let text):
      return Explanation(
        state: "unreachable",
        detail: "There is no way to \(hop)\(because(text)).",
        next: "Check the network or VPN, then press \(keys.retry) to try again."
      )
    case .timedOut(let seconds):
      return Explanation(
        state: "timed out",
        detail: "\(hop) did not answer within \(seconds) s while \(step).",
        next: retry
      )
    case .notSSH(let banner):
      let said = quoted(banner)
      let what =
        said.isEmpty
        ? "closed the connection before it sent an SSH greeting"
        : "does not speak SSH; it sent \(said)"
      return Explanation(
        state: "not SSH",
        detail: "\(hop) \(what).",
        next: "Check the port, then press \(keys.retry) to try again."
      )
    case .noCommonAlgorithm(let kind, let offered, let supported):
      return noCommonAlgorithm(hop, kind: kind, offered: offered, supported: supported, keys: keys)
    case .oldAlgorithmsOnly(let kind, let offered):
      return Explanation(
        state: "old algorithms only",
        detail:
          "\(hop) has only old \(plain(kind)) algorithms (\(list(offered))), which no longer protect "
          + "a connection. Nothing was sent.",
        next:
          "Let the server offer newer ones. Or save the host and turn on Old algorithms in its form "
          + "(termind host edit NAME --old-algorithms), then press \(keys.retry) to try again."
      )
    case .hostKeyRejected, .hostKeyChanged, .hostKeyRevoked:
      return hostKey(failure.cause, hop, keys)
    case .authenticationFailed(let tried, let offered):
      return authentication(hop, tried: tried, offered: offered, keys: keys)
    case .disconnected(let reason):
      let hasTriedTooMuch =
        failure.step == .authentication && reason.lowercased().contains("too many authentication")
      return Explanation(
        state: "disconnected",
        detail: "\(hop) closed the connection while \(step)\(because(reason)).",
        next: hasTriedTooMuch
          ? "Name the right key with -i, or turn the agent off in the host's identity; then press "
            + "\(keys.retry) to try again."
          : retry
      )
    case .keyUnusable(let path, let reason):
      return Explanation(
        state: "key unusable",
        detail: "The key \(quoted(path)) for \(hop) cannot be used\(because(reason)).",
        next: "Choose another key, or press \(keys.retry) to try again."
      )
    case .channelRefused(let request, let reason):
      return Explanation(
        state: "channel refused",
        detail: "\(hop) let you in, but refused to open \(named(request))\(because(reason)).",
        next: retry
      )
    case .unsupported(let obstacle):
      return Explanation(
        state: "not possible",
        detail: "This connection to \(hop) cannot do that: \(plain(obstacle)).",
        next: "Choose the other engine for \(hop), then press \(keys.retry) to try again."
      )
    case .lost(let reason):
      return Explanation(
        state: "lost",
        detail: "The connection to \(hop) was lost\(because(reason)).",
        next: "Press \(keys.retry) to connect again."
      )
    case .keepaliveTimedOut(let seconds):
      return Explanation(
        state: "lost",
        detail: "\(hop) has not answered for \(seconds) s, so the connection counts as lost.",
        next: "Press \(keys.retry) to connect again."
      )
    case .interactionRequired(let what):
      return Explanation(
        state: "needs you",
        detail: "\(hop) asks for something that only you can answer\(because(what)); "
          + "a silent reconnect does not ask.",
        next: "Press \(keys.retry) to connect and answer."
      )
    case .cancelled:
      return Explanation(
        state: "cancelled",
        detail: "Connecting to \(hop) was cancelled while \(step).",
        next: retry
      )
    case .internalError(let diagnostic):
      return Explanation(
        state: "failed",
        detail: "The connection to \(hop) failed while \(step)\(because(wordy(diagnostic))).",
        next: "The log has the details. \(retry)"
      )
    }
  }

  /// What to do about a store that cannot be used, where no key can be pressed; empty when the store is not the trouble.
  public static func remedy(for error: StoreError) -> String {
    remedy(for: error, thenAgain: "then try again")
  }

  /// The reason, and what to do where the store cannot be used, for the command line.
  public static func text(of error: StoreError) -> String {
    let remedy = remedy(for: error)
    return explain(error).detail + (remedy.isEmpty ? "" : " \(remedy)")
  }

  private static func remedy(for error: StoreError, thenAgain again: String) -> String {
    switch error {
    case .cannotOpen, .notWritable:
      "Check the permissions of the file and its folder, \(again)."
    case .corrupt: "Put a copy from before in its place, \(again)."
    case .newerSchema: "Start the newer Termind."
    case .locked: "End it, \(again)."
    case .diskFull: "Free some space, \(again)."
    case .nameTaken, .missingReference, .alreadyThere, .notFound, .conflict, .failed: ""
    }
  }

  /// Explains why the store could not do what was asked.
  public static func explain(
    _ error: StoreError,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let close = "Press \(keys.close) to go on."
    let retry = remedy(for: error, thenAgain: "then press \(keys.retry) to try again")
    switch error {
    case .cannotOpen(let path, let diagnostic):
      return Explanation(
        state: "store closed",
        detail: "The store \(quoted(path)) cannot be opened\(because(wordy(diagnostic))). "
          + "It was left as it is.",
        next: retry
      )
    case .corrupt(let path, let diagnostic):
      return Explanation(
        state: "store damaged",
        detail: "The store \(quoted(path)) is damaged\(because(wordy(diagnostic))). "
          + "It was left as it is.",
        next: retry
      )
    case .newerSchema(let path, let found, let supported):
      return Explanation(
        state: "store too new",
        detail: "The store \(quoted(path)) was written by a newer Termind "
          + "(its format is \(found); this one knows up to \(supported)).",
        next: retry
      )
    case .locked(let path):
      return Explanation(
        state: "store in use",
        detail: "Another process holds the store \(quoted(path)).",
        next: retry
      )
    case .notWritable(let path, let diagnostic):
      return Explanation(
        state: "not saved",
        detail: "The store \(quoted(path)) cannot be written\(because(wordy(diagnostic))); "
          + "nothing in it was changed.",
        next: retry
      )
    case .diskFull(let path):
      return Explanation(
        state: "disk full",
        detail: "Nothing was saved: there is no room left for the store \(quoted(path)).",
        next: retry
      )
    case .nameTaken(let kind, let name):
      return Explanation(
        state: "not saved",
        detail: "Nothing was saved: another \(kindName(kind)) has the name \(quoted(name)).",
        next: "Change the name and save again, or press \(keys.close) to leave it."
      )
    case .missingReference(let kind):
      return Explanation(
        state: "not saved",
        detail: "Nothing was saved: the \(kindName(kind)) that is named there is gone.",
        next: "Choose another one and save again, or press \(keys.close) to leave it."
      )
    case .alreadyThere(let record):
      return Explanation(
        state: "not saved",
        detail: "Nothing was saved: one \(kindName(record.kind)) is there already, "
          + "and nothing is overwritten.",
        next: close
      )
    case .notFound:
      return Explanation(
        state: "gone",
        detail: "The entry is not in the store any more; another window may have removed it.",
        next: close
      )
    case .conflict(let what):
      return Explanation(
        state: "not saved",
        detail: "Nothing was saved\(because(what.isEmpty ? "the name is taken" : what)).",
        next: "Change it and save again, or press \(keys.close) to leave it."
      )
    case .failed(let diagnostic):
      return Explanation(
        state: "store failed",
        detail: "The store could not do this\(because(wordy(diagnostic))); nothing was changed.",
        next: "The log has the details. \(close)"
      )
    }
  }

  /// What a kind of record is called within a sentence.
  static func kindName(_ kind: VaultKind) -> String {
    switch kind {
    case .host: "host"
    case .identity: "identity"
    case .key: "key"
    case .knownHost: "known host"
    case .snippet: "snippet"
    case .template: "template"
    case .history: "history entry"
    case .setting: "setting"
    }
  }

  /// Explains why hops are no route.
  public static func explain(
    _ error: RouteError,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let next = "Change the jump hosts, or press \(keys.close) to leave it."
    switch error {
    case .empty:
      return Explanation(state: "no host", detail: "No host is named to connect to.", next: next)
    case .tooManyHops(let count):
      return Explanation(
        state: "too many hops",
        detail:
          "The way has \(count) hops, the host included; at most \(Route.maximumHops) are allowed.",
        next: next
      )
    case .cycle(let endpoint):
      return Explanation(
        state: "loop",
        detail: "The way leads through \(plain(endpoint.description)) twice.",
        next: next
      )
    }
  }

  /// Explains how the program of a pane ended.
  ///
  /// - Parameters:
  ///   - end: How it ended.
  ///   - program: What ran there, such as `shell on web1`.
  ///   - keys: What to press.
  /// - Returns: The words.
  public static func explain(
    _ end: TerminalChannelEnd,
    program: String = "shell",
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let next = "Press \(keys.retry) to start it again."
    let name = "The \(plain(program))"
    switch end {
    case .exited(status: 0):
      return Explanation(state: "ended", detail: "\(name) has ended.", next: next)
    case .exited(let status):
      return Explanation(
        state: "exited \(status)",
        detail: "\(name) has ended with status \(status)\(meaning(ofStatus: status)).",
        next: next
      )
    case .signalled(let signal):
      return Explanation(
        state: "SIG\(plain(signal))",
        detail: "\(name) was \(meaning(ofSignal: signal)) (SIG\(plain(signal))).",
        next: next
      )
    case .failed(let failure): return explain(failure, keys: keys)
    case .closed:
      return Explanation(state: "closed", detail: "\(name) was closed from here.", next: next)
    }
  }
}
