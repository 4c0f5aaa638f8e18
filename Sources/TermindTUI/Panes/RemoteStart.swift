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
  private let sign = StartSign()

  /// A shell that has ended later than this was used.
  private static let shortest = Duration.seconds(10)

  /// Makes a start; a plain one asks for no directory.
  init(_ target: PaneContent.SSHTarget, isSilent: Bool, isPlain: Bool = false) {
    self.target = target
    self.isSilent = isSilent
    self.isPlain = isPlain
  }

  /// The directory that the server is asked for.
  private var directory: StartDirectory? {
    isPlain || target.shell.command != nil ? nil : StartDirectory(target.shell.directory)
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
    guard let directory else {
      return try await open(services.shellRequest(size: size, target.shell), feed)
    }
    do throws(ConnectionFailure) {
      let request = services.shellRequest(size: size, target.shell, in: directory)
      return try await open(request, SignWatchingFeed(feed, sign))
    } catch {
      guard case .channelRefused(request: "exec", _) = error.cause else { throw error }
      isPlain = true
      return try await open(services.shellRequest(size: size, target.shell), feed)
    }
  }

  /// Takes note of the shell that was opened.
  func opened(_ channel: any TerminalChannel, at now: Duration) {
    openedAt = now
    let own = Set(target.shell.environment.map(\.name))
    refused = channel.refusedVariables.filter(own.contains)
  }

  /// Whether the shell's own start is not to be waited for any more: it runs, or is none of ours.
  var isPastSign: Bool { directory == nil || sign.outcome != nil }

  /// Whether a program that has ended was none that we asked for, so that the server's own shell is to be started.
  ///
  /// Restricted shells and dispatchers refuse a command with an error; a program that did its work, or
  /// that the person has used, is never started a second time.
  func wantsPlainShell(after end: TerminalChannelEnd, at now: Duration, wasUsed: Bool) -> Bool {
    guard directory != nil, sign.outcome == nil, !wasUsed, let openedAt,
      now - openedAt < Self.shortest, case .exited(let status) = end
    else { return false }
    return status != 0
  }

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

/// Passes output on, and looks for the sign in it first.
nonisolated private final class SignWatchingFeed: TerminalOutputReceiving {
  private let feed: any TerminalOutputReceiving
  private let sign: StartSign

  init(_ feed: any TerminalOutputReceiving, _ sign: StartSign) {
    self.feed = feed
    self.sign = sign
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    unsafe sign.feed(bytes)
    unsafe feed.received(bytes)
  }

  func ended(_ end: TerminalChannelEnd) { feed.ended(end) }
}
