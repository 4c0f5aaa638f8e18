/// One connection of the history: it was tried, and this became of it.
public struct ConnectionEvent: Hashable, Sendable, Identifiable {
  /// What was opened.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A terminal.
    case terminal
    /// A file browser.
    case files
  }

  /// What became of it.
  public enum Outcome: Hashable, Sendable {
    /// It was authenticated.
    case connected
    /// It failed; the text is a stable word for the cause, never what a server said.
    case failed(String)
    /// The person gave up.
    case cancelled
  }

  /// Its identity.
  public let id: ConnectionEventID
  /// What to type to get there again.
  public let target: String
  /// The saved host; nil when it was none, or is deleted by now.
  public let host: HostID?
  /// What was opened.
  public let kind: Kind
  /// When the attempt began, seconds since 1970.
  public let started: Int64
  /// When the connection ended, seconds since 1970; nil while it is up, or when this was never learnt.
  public var ended: Int64?
  /// What became of the attempt.
  public let outcome: Outcome

  /// Makes an entry.
  public init(
    id: ConnectionEventID = ConnectionEventID(),
    target: String,
    host: HostID?,
    kind: Kind,
    started: Int64,
    ended: Int64? = nil,
    outcome: Outcome
  ) {
    self.id = id
    self.target = target
    self.host = host
    self.kind = kind
    self.started = started
    self.ended = ended
    self.outcome = outcome
  }
}
