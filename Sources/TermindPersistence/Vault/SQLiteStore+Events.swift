public import TermindApplication
public import TermindDomain

extension SQLiteStore: ConnectionEventStoring {
  /// The most events that are kept.
  static let maximumEvents = 5000

  /// Adds the event, or replaces the one with its id.
  public func record(_ event: ConnectionEvent) throws(StoreError) {
    let (outcome, cause): (String, String?) =
      switch event.outcome {
      case .connected: ("connected", nil)
      case .failed(let cause): ("failed", cause)
      case .cancelled: ("cancelled", nil)
      }
    try write { database, _ throws(StoreError) in
      try database.change(
        """
        INSERT INTO connection_events (id, target, host_id, kind, started, ended, outcome, cause)
        VALUES (?1, ?2, (SELECT id FROM hosts WHERE id = ?3), ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (id) DO UPDATE SET
          target = excluded.target, host_id = excluded.host_id, kind = excluded.kind,
          started = excluded.started, ended = excluded.ended, outcome = excluded.outcome,
          cause = excluded.cause
        """,
        .id(event.id),
        .text(event.target),
        .id(orNull: event.host),
        .text(event.kind.rawValue),
        .integer(event.started),
        .integer(orNull: event.ended),
        .text(outcome),
        .text(orNull: cause)
      )
      try database.dropOldEvents(above: Self.maximumEvents)
    }
  }

  /// The latest events, the newest first.
  public func connectionEvents(
    limit: Int,
    host: HostID?
  ) throws(StoreError) -> [ConnectionEvent] {
    let rows = try database().query(
      """
      SELECT id, target, host_id, kind, started, ended, outcome, cause FROM connection_events
      WHERE ?2 IS NULL OR host_id = ?2 ORDER BY started DESC, row DESC LIMIT ?1
      """,
      .integer(Int64(max(limit, 0))),
      .id(orNull: host)
    ) { row -> ConnectionEvent? in
      guard let id = row.uuid(0), let host = row.reference(2, HostID.self),
        let kind = ConnectionEvent.Kind(rawValue: row.text(3))
      else { return nil }
      let outcome: ConnectionEvent.Outcome
      switch row.text(6) {
      case "connected": outcome = .connected
      case "failed": outcome = .failed(row.text(7))
      case "cancelled": outcome = .cancelled
      default: return nil
      }
      return ConnectionEvent(
        id: ConnectionEventID(rawValue: id),
        target: row.text(1),
        host: host,
        kind: kind,
        started: row.integer(4),
        ended: row.optionalInteger(5),
        outcome: outcome
      )
    }
    return try whole(rows, "an event")
  }

  /// Removes events; those that are not there are no error.
  public func forgetConnectionEvents(_ ids: [ConnectionEventID]) throws(StoreError) {
    try write { database, _ throws(StoreError) in
      for id in ids { try database.change("DELETE FROM connection_events WHERE id = ?1", .id(id)) }
    }
  }

  /// Removes the whole history: events, and the targets that were connected to.
  public func forgetAllConnections() throws(StoreError) {
    try write(alsoChanging: [.history]) { database, _ throws(StoreError) in
      try database.change("DELETE FROM connection_events")
      try database.change("DELETE FROM connection_history")
    }
  }
}

extension Connection {
  /// Drops the oldest events above a bound; they leave nothing in the journal, since every machine drops
  /// its own.
  fileprivate func dropOldEvents(above bound: Int) throws(StoreError) {
    let old = try query(
      "SELECT id FROM connection_events ORDER BY started DESC, row DESC LIMIT -1 OFFSET ?1",
      .integer(Int64(bound))
    ) { $0.text(0) }
    for id in old {
      try change("DELETE FROM connection_events WHERE id = ?1", .text(id))
      try change(
        "DELETE FROM change_journal WHERE kind = 'history' AND record = ?1",
        .text(id)
      )
    }
  }
}
