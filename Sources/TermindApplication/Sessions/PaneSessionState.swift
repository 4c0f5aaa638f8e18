public import TermindDomain

/// Numbers the attempts and waits of a pane; what arrives with an older number is dropped.
public struct SessionGeneration: Hashable, Sendable, Comparable, RawRepresentable {
  /// The number, from one; zero before the first start.
  public let rawValue: UInt64

  /// Wraps a number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Orders by age.
  public static func < (left: SessionGeneration, right: SessionGeneration) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The number that follows.
  var next: SessionGeneration { SessionGeneration(rawValue: rawValue + 1) }
}

/// Why a pane has no running program although one was asked for.
public enum PaneFailure: Error, Hashable, Sendable {
  /// The connection could not be opened, or was lost and is not retried.
  case connection(ConnectionFailure)
  /// No route leads to the host of this name, so that nothing was tried.
  case noRoute(RouteBuildError, host: String)
  /// A local program could not be started; the text is the system's.
  case launch(path: String, diagnostic: String)
  /// The connection is there, but no files can be had over it.
  case files(FileError)
  /// The person stopped the attempt.
  case cancelled
}

/// What an attempt asks the person.
public enum PaneQuestion: Hashable, Sendable {
  /// Whether to trust a host key.
  case hostKey
  /// A password, a passphrase or a round of prompts.
  case credentials
}

/// How far an attempt is.
public struct PaneProgress: Hashable, Sendable {
  /// Zero-based index of the hop; zero for a local program.
  public var hop: Int
  /// How many hops the route has; zero for a local program.
  public var hopCount: Int
  /// What is being done there.
  public var step: ConnectionStep
  /// Whether it is a silent one, which asks nothing.
  public var isSilent: Bool

  /// Makes a progress.
  public init(hop: Int, hopCount: Int, step: ConnectionStep, isSilent: Bool) {
    self.hop = hop
    self.hopCount = hopCount
    self.step = step
    self.isSilent = isSilent
  }
}

/// Where the session of a pane stands.
public enum PaneSessionState: Hashable, Sendable {
  /// Nothing was started yet, or a restart of the server left it so; `start` leaves it.
  case idle
  /// An attempt is on its way; ends with a question, a channel, a failure, or `cancel`.
  case connecting(PaneProgress)
  /// The attempt waits for an answer, as long as it takes; ends as `connecting` does.
  case waiting(PaneQuestion, PaneProgress)
  /// The program runs since a reading of the clock; ends when its channel ends.
  case live(since: Duration)
  /// The connection was lost and is tried again at a reading of the clock; ends then, or by `start`,
  /// which tries at once, or by `cancel`.
  case lost(ConnectionFailure, retryAt: Duration, attempt: Int)
  /// Nothing runs, and only `start` goes on; `stop` tells why nothing is retried, for a connection.
  case failed(PaneFailure, stop: ReconnectPolicy.StopReason?)
  /// The program ended by itself or was closed; `start` runs it again.
  case ended(TerminalChannelEnd)
  /// The pane is gone; every later event is dropped.
  case closed

  /// Whether closing the pane would end something.
  public var isLive: Bool {
    switch self {
    case .connecting, .waiting, .live, .lost: true
    case .idle, .failed, .ended, .closed: false
    }
  }

  /// Whether the restart key does something.
  public var canStart: Bool {
    switch self {
    case .idle, .lost, .failed, .ended: true
    case .connecting, .waiting, .live, .closed: false
    }
  }
}

/// What the person does with a pane's session.
public enum PaneCommand: Hashable, Sendable {
  /// Start, restart or reconnect; a running session is left alone.
  case start
  /// Stop the attempt or the retries.
  case cancel
  /// The pane is being closed.
  case close
}

/// What an attempt or a channel reports.
public enum PaneEvent: Hashable, Sendable {
  /// The attempt has come to a step at a hop.
  case progressed(ConnectionStep, hop: Int)
  /// The person is being asked.
  case asked(PaneQuestion)
  /// The person has answered.
  case answered
  /// The program runs.
  case opened
  /// The attempt failed.
  case openFailed(PaneFailure)
  /// The channel ended.
  case ended(TerminalChannelEnd)
  /// The time of a wait is over.
  case timerFired
}

/// What a mark in the scrollback says; the program draws it as a line.
public enum PaneMark: Hashable, Sendable {
  /// The connection was lost.
  case lost(ConnectionFailure)
  /// The program ended.
  case ended(TerminalChannelEnd)
}

/// What the owner of a pane has to do.
public enum PaneEffect: Hashable, Sendable {
  /// Start an attempt and report its events with this generation; a silent one may ask nothing.
  case open(SessionGeneration, silent: Bool)
  /// Cancel the attempt of a generation.
  case cancelOpening(SessionGeneration)
  /// Close the channel of a generation.
  case closeChannel(SessionGeneration)
  /// Report `timerFired` with this generation after a time.
  case schedule(SessionGeneration, after: Duration)
  /// Forget the timer of a generation.
  case cancelTimer(SessionGeneration)
  /// Reset the modes that the dead program left on.
  case resetModes
  /// Write a mark below the last screen.
  case mark(PaneMark)
}
