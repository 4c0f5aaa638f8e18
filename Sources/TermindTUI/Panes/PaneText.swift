import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Words about one pane, for its frame, its marks and the lists.
enum PaneText {
  /// The name in the frame: the person's, else the host's, else the program's.
  static func title(_ pane: Pane) -> String {
    if let name = pane.customName { return name }
    switch pane.content {
    case .empty: return "empty"
    case .ssh(let target): return target.name
    case .files(let target): return target.name
    case .noRoute(let host): return host.name
    case .local(.loginShell, _): return pane.foregroundProgram ?? "local"
    case .local(.command(let words), _): return words.first ?? "local"
    }
  }

  /// `user@address` of a remote pane.
  static func account(_ pane: Pane) -> String {
    guard let target = pane.content.server else { return "" }
    let hop = target.route.destination
    return "\(hop.credentials.username)@\(hop.endpoint)"
  }

  /// What stands behind the name: the account of a terminal, or that these are files.
  static func subtitle(_ pane: Pane) -> String {
    switch pane.content.kind {
    case .sftp: pane.content.isRoot ? "SFTP as root" : "SFTP"
    case .files: "files"
    case .ssh, .local, .empty: account(pane)
    }
  }

  /// The directory, beside the name, and what the program calls itself unless that only repeats it, as shells do.
  static func detail(_ pane: Pane) -> String {
    if let files = pane.files { return files.model.directory?.text ?? "" }
    guard let directory = pane.shownDirectory else { return pane.title }
    let path = shortened(directory, home: home(of: pane))
    return pane.title.isEmpty || pane.title.hasSuffix(path) ? path : "\(path) · \(pane.title)"
  }

  /// A path with the home directory as `~`.
  static func shortened(_ path: String, home: String) -> String {
    guard path == home || path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }

  private static func home(of pane: Pane) -> String {
    guard let target = pane.content.server else { return pane.services.home }
    // Only a guess, but one that is right nearly everywhere.
    let user = target.route.destination.credentials.username
    return user == "root" ? "/root" : "/home/\(user)"
  }

  /// The state at the right end of the frame, and what to press about it.
  static func state(_ pane: Pane, now: Duration) -> (PaneFace.State, hint: String) {
    switch pane.session.state {
    case .idle: return explanation(pane).map { (.dead($0.state), "r starts") } ?? (.quiet, "")
    case .closed: return (.quiet, "")
    case .live: return pane.content.server != nil ? (.up(upWord(pane)), "") : (.quiet, "")
    case .connecting where pane.waitsToAsk: return (.waiting("waits to ask"), "")
    case .connecting(let progress): return (.waiting(ErrorText.words(for: progress.step)), "")
    case .waiting: return (.waiting("asks"), "")
    case .lost:
      let left = pane.session.timeToRetry(at: now).map { max(Int($0.components.seconds), 0) } ?? 0
      return (.waiting("lost, retry in \(left) s"), "r now")
    case .failed, .ended:
      return (.dead(explanation(pane)?.state ?? "ended"), "r again")
    }
  }

  /// That a connection is up, with the engine where that is not the usual one.
  private static func upWord(_ pane: Pane) -> String {
    guard let engine = pane.engine, engine.reason != nil else { return "up" }
    return "up · \(engine.name.prefix { $0 != " " })"
  }

  /// Why a recording has ended, or could not begin.
  static func recordingStopped(_ problem: RecordingProblem) -> String {
    switch problem {
    case .file(let path, let reason):
      "Nothing is recorded: \(path): \(reason). The session goes on."
    case .tooSlow(let path):
      "The recording has ended: the disk under \(path) takes too long. The session goes on."
    }
  }

  /// Whether the pane's program or connection is gone.
  static func isDead(_ pane: Pane) -> Bool {
    switch pane.session.state {
    case .lost, .failed, .ended: true
    case .idle, .connecting, .waiting, .live, .closed: false
    }
  }

  /// Why nothing runs in the pane, and what to press.
  static func explanation(_ pane: Pane) -> Explanation? {
    let keys = ExplanationKeys(close: pane.hasBeenUp ? "ctrl+d" : "esc")
    return switch pane.session.state {
    case .lost(let failure, _, _): ErrorText.explain(failure, keys: keys)
    case .failed(let failure, _): ErrorText.explain(failure, keys: keys)
    case .ended(let end): ErrorText.explain(end, program: program(pane.content), keys: keys)
    case .idle: pane.content.kind == .empty ? nil : ErrorText.explainRestored(pane.content.kind)
    case .connecting, .waiting, .live, .closed: nil
    }
  }

  /// What an attempt is doing, hop by hop, with what the server said before the login.
  static func progress(_ pane: Pane, _ progress: PaneProgress) -> [String] {
    var lines = banner(pane)
    guard let target = pane.content.server else { return lines + ["starting"] }
    let hop = target.route.hops[min(progress.hop, target.route.hops.count - 1)]
    let place = progress.hopCount > 1 ? " (hop \(progress.hop + 1) of \(progress.hopCount))" : ""
    lines.append("\(hop.credentials.username)@\(hop.endpoint)\(place)")
    lines.append(ErrorText.words(for: progress.step))
    return lines
  }

  private static func banner(_ pane: Pane) -> [String] {
    guard !pane.banner.isEmpty else { return [] }
    let lines = pane.banner.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.prefix(12).map(String.init) + [""]
  }

  /// What a pane runs, as a sentence calls it.
  private static func program(_ content: PaneContent) -> String {
    switch content {
    case .local(.command(let words), _): words.first ?? "program"
    case .ssh(let target) where target.shell.command != nil: "command"
    case .empty, .local, .ssh, .noRoute, .files: "shell"
    }
  }

  /// The line that a mark leaves in the scrollback of a pane.
  static func mark(_ mark: PaneMark, in content: PaneContent) -> String {
    switch mark {
    case .lost(let failure): ErrorText.explain(failure).detail
    case .ended(let end): ErrorText.explain(end, program: program(content)).detail
    }
  }

  /// A cause as the log has it: keys by their fingerprint, everything else as it is.
  static func logged(_ cause: ConnectionFailureCause) -> String {
    func name(_ key: HostKey) -> String { "\(key.type) \(key.fingerprint)" }
    return switch cause {
    case .hostKeyRejected(let offered): "hostKeyRejected(\(name(offered)))"
    case .hostKeyChanged(let offered, let known):
      "hostKeyChanged(offered: \(name(offered)), known: \(known.joined(separator: ", ")))"
    case .hostKeyRevoked(let offered): "hostKeyRevoked(\(name(offered)))"
    default: "\(cause)"
    }
  }

  /// What a local program could not be started with.
  static func failure(_ error: LocalProgramError) -> PaneFailure {
    switch error {
    case .notFound(let program): .launch(path: program, diagnostic: "there is no such program")
    case .denied(let program): .launch(path: program, diagnostic: "it may not be executed")
    case .failed(let program, let diagnostic): .launch(path: program, diagnostic: diagnostic)
    }
  }
}
