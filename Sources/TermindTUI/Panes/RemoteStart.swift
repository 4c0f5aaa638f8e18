import TermindApplication
import TermindDomain
import TermindInfrastructure

/// One start of a remote shell, with what its host wants besides: a directory, variables, a snippet.
///
/// It belongs to one attempt of a pane and is what the pane can tell about it afterwards.
final class RemoteStart {
  /// Where to, and what is wanted there.
  let target: PaneContent.SSHTarget
  /// Whether nobody asked for the attempt.
  let isSilent: Bool
  /// Whether the directory was given up, since the server ran no command of ours.
  private(set) var isPlain: Bool
  /// When the shell was there.
  private(set) var openedAt: Duration?
  private var refused: [String] = []
  private var snippetNote: String?
  /// Holds back what came before the sign, until it is clear which program runs.
  private var watching: SignWatchingFeed?
  private var patience: Task<Void, Never>?
  private let isIntegrated: Bool
  private let sign = StartSign()

  /// A shell that has ended later than this was used.
  private static let shortest = Duration.seconds(10)
  /// How long another program than ours is waited for to end, before what it wrote is shown.
  private static let longestHold = Duration.milliseconds(500)

  /// Makes a start; a plain one asks for no directory and no prompt marks.
  ///
  /// - Parameters:
  ///   - target: Where to.
  ///   - isSilent: Whether nobody asked for it.
  ///   - isPlain: Whether the server is to start its own shell.
  ///   - isIntegrated: Whether the shell is to mark its prompts; settled once for the attempt.
  init(
    _ target: PaneContent.SSHTarget,
    isSilent: Bool,
    isPlain: Bool = false,
    isIntegrated: Bool = false
  ) {
    self.target = target
    self.isSilent = isSilent
    self.isPlain = isPlain
    self.isIntegrated = isIntegrated
  }

  /// What the server is asked for in place of its own shell.
  private var login: LoginShellStart? {
    isPlain || target.shell.command != nil
      ? nil
      : LoginShellStart(in: StartDirectory(target.shell.directory), isIntegrated: isIntegrated)
  }

  /// Opens the shell; a server that runs no commands is asked for its own shell then.
  ///
  /// - Parameters:
  ///   - services: Makes the request.
  ///   - size: The first size.
  ///   - feed: Takes the output.
  ///   - open: Opens a request's terminal.
  /// - Returns: The shell.
  /// - Throws: Why there is none.
  func open(
    _ services: Services,
    size: TerminalDimensions,
    feed: any TerminalOutputReceiving,
    _ open: (ShellRequest, any TerminalOutputReceiving) async throws(ConnectionFailure) ->
      any TerminalChannel
  ) async throws(ConnectionFailure) -> any TerminalChannel {
    guard let login else {
      return try await open(services.shellRequest(size: size, target.shell), feed)
    }
    do throws(ConnectionFailure) {
      let request = services.shellRequest(size: size, target.shell, login)
      let watching = SignWatchingFeed(feed, sign)
      self.watching = watching
      return try await open(request, watching)
    } catch {
      guard case .channelRefused(request: "exec", _) = error.cause else { throw error }
      isPlain = true
      services.plainAccounts.insert(target.route)
      return try await open(services.shellRequest(size: size, target.shell), feed)
    }
  }

  /// Takes note of the shell that was opened.
  func opened(_ channel: any TerminalChannel, at now: Duration) {
    openedAt = now
    let own = Set(target.shell.environment.map(\.name))
    refused = channel.refusedVariables.filter(own.contains)
    patience = Task { [watching] in
      // Cancelled when the program has ended.
      guard (try? await Task.sleep(for: Self.longestHold)) != nil else { return }
      watching?.release()
    }
  }

  /// The program has ended.
  ///
  /// - Returns: What it wrote and nobody has seen, when it was another one than ours.
  func closed() -> [UInt8] {
    patience?.cancel()
    return watching?.takeHeld() ?? []
  }

  /// Whether the shell's own start is not to be waited for any more: it runs, or is none of ours.
  var isPastSign: Bool { login == nil || sign.outcome != nil }

  /// Whether a program that has ended was none that we asked for, so that the server's own shell is to be started.
  ///
  /// Restricted shells and dispatchers refuse a command with an error; a program that did its work, or
  /// that the person has used, is never started a second time.
  func wantsPlainShell(after end: TerminalChannelEnd, at now: Duration, wasUsed: Bool) -> Bool {
    guard login != nil, sign.outcome == nil, !wasUsed, let openedAt,
      now - openedAt < Self.shortest, case .exited(let status) = end
    else { return false }
    return status != 0
  }

  /// Whether the person wished for something that the server's own shell does not do.
  var hasWishes: Bool { StartDirectory(target.shell.directory) != nil }

  // MARK: What the person may want to know

  /// Why the snippet was not sent.
  func snippetWasNotSent(_ note: String) { snippetNote = note }

  /// What was wished for and did not happen, one sentence each.
  var notes: [String] {
    var notes: [String] = []
    if !refused.isEmpty {
      notes.append(
        "The server did not take these variables: \(refused.joined(separator: ", ")). "
          + "Its AcceptEnv must name them."
      )
    }
    if let note = directoryNote { notes.append(note) }
    if let snippetNote { notes.append(snippetNote) }
    return notes
  }

  private var directoryNote: String? {
    guard let wanted = StartDirectory(target.shell.directory), openedAt != nil else { return nil }
    if isPlain {
      return "The start directory \(wanted.path) was not used: the server runs no command for it."
    }
    guard target.shell.command == nil else { return nil }
    switch sign.outcome {
    case .entered: return nil
    case .missing: return "The start directory \(wanted.path) cannot be entered."
    case nil:
      return "The start directory \(wanted.path) was not used: "
        + "the server started a program of its own."
    }
  }
}

/// What the output of a shell told about its start directory; written by the channel's loop, read by the pane.
nonisolated private final class StartSign: Sendable {
  private struct State {
    var sign = StartDirectorySign()
    var outcome: StartDirectorySign.Outcome?
    /// How much is still looked through; start-up files may print before the sign.
    var room = 65_536
  }

  private let state = Locked(State())

  var outcome: StartDirectorySign.Outcome? { state.withLock { $0.outcome } }

  func feed(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      guard state.outcome == nil, state.room > 0 else { return }
      state.room -= bytes.count
      state.outcome = unsafe state.sign.feed(bytes)
    }
  }
}

/// Looks for the sign in output, and passes it on once the sign was there.
///
/// What comes before is held back: a server that runs no commands says so, ends, and is asked for its own shell.
nonisolated private final class SignWatchingFeed: TerminalOutputReceiving {
  /// More than this is no refusal.
  private static let longestHeld = 8_192

  private let feed: any TerminalOutputReceiving
  private let sign: StartSign
  /// Nil once output is passed on.
  private let held = Locked<[UInt8]?>([])

  init(_ feed: any TerminalOutputReceiving, _ sign: StartSign) {
    self.feed = feed
    self.sign = sign
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    unsafe sign.feed(bytes)
    let isPassedOn = held.withLock { held in
      guard var waiting = held else { return true }
      unsafe waiting.append(contentsOf: bytes)
      held = waiting
      guard sign.outcome != nil || waiting.count > Self.longestHeld else { return false }
      pass(&held)
      return false
    }
    if isPassedOn { unsafe feed.received(bytes) }
  }

  /// Passes on what was held, and what comes from now on.
  func release() { held.withLock { pass(&$0) } }

  /// What was held to the end.
  func takeHeld() -> [UInt8] { held.withLock { $0.take() ?? [] } }

  func ended(_ end: TerminalChannelEnd) { feed.ended(end) }

  /// Under the lock, so that nothing overtakes what waits.
  private func pass(_ held: inout [UInt8]?) {
    guard let waiting = held.take(), !waiting.isEmpty else { return }
    unsafe waiting.withUnsafeBytes { unsafe feed.received($0) }
  }
}
