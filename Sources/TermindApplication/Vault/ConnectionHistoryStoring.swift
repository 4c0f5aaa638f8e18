public import TermindDomain

/// One entry of the history: a target that was connected to.
public struct ConnectionHistoryEntry: Hashable, Sendable {
  /// What to type to get there again: a saved host's name, or a target with its options.
  public let target: String
  /// The saved host; nil when it was none, or is deleted by now.
  public let host: HostID?
  /// When it was last connected to, seconds since 1970.
  public let lastUsed: Int64
  /// How often, at least once.
  public let count: Int

  /// Makes an entry.
  public init(target: String, host: HostID?, lastUsed: Int64, count: Int) {
    self.target = target
    self.host = host
    self.lastUsed = lastUsed
    self.count = count
  }
}

/// Keeps what was connected to; each target once, the oldest dropped above a bound of 500.
public protocol ConnectionHistoryStoring: Sendable {
  /// Notes a connection at a time (seconds since 1970).
  func recordConnection(to target: String, host: HostID?, at time: Int64) async throws(StoreError)
  /// The latest entries, the newest first.
  func recentConnections(limit: Int) async throws(StoreError) -> [ConnectionHistoryEntry]
  /// Removes an entry; one that is not there is no error.
  func forgetConnection(to target: String) async throws(StoreError)
}

/// Keeps every single connection, for the history screen; the oldest dropped above a bound of 5,000.
public protocol ConnectionEventStoring: Sendable {
  /// Adds the event, or replaces the one with its id; a saved host that is deleted by now counts as none.
  func record(_ event: ConnectionEvent) async throws(StoreError)
  /// The latest events, the newest first.
  ///
  /// - Parameters:
  ///   - limit: How many at most.
  ///   - host: Only those of this saved host; nil for all.
  /// - Returns: The events.
  /// - Throws: Why they cannot be read.
  func connectionEvents(limit: Int, host: HostID?) async throws(StoreError) -> [ConnectionEvent]
  /// Removes events; those that are not there are no error.
  func forgetConnectionEvents(_ ids: [ConnectionEventID]) async throws(StoreError)
  /// Removes the whole history: events, and the targets that were connected to.
  func forgetAllConnections() async throws(StoreError)
}
