public import TermindApplication
public import TermindDomain

extension SQLiteStore: ConnectionHistoryStoring {
  /// Notes a connection; a saved host that is deleted by now counts as none.
  public func recordConnection(
    to target: String,
    host: HostID?,
    at time: Int64
  ) throws(StoreError) {
    try write(alsoChanging: [.history]) { database, _ throws(StoreError) in
      try database.change(
        """
        INSERT INTO connection_history (target, host_id, last_used, count)
        VALUES (?1, (SELECT id FROM hosts WHERE id = ?2), ?3, 1)
        ON CONFLICT (target) DO UPDATE SET
          host_id = excluded.host_id, last_used = excluded.last_used, count = count + 1
        """,
        .text(target),
        .id(orNull: host),
        .integer(time)
      )
      try database.change(
        """
        DELETE FROM connection_history WHERE target IN (
          SELECT target FROM connection_history ORDER BY last_used DESC, target LIMIT -1 OFFSET 500)
        """
      )
    }
  }

  /// The latest entries, the newest first.
  public func recentConnections(limit: Int) throws(StoreError) -> [ConnectionHistoryEntry] {
    try database().query(
      """
      SELECT target, host_id, last_used, count FROM connection_history
      ORDER BY last_used DESC, target LIMIT ?1
      """,
      .integer(Int64(max(limit, 0)))
    ) { row in
      ConnectionHistoryEntry(
        target: row.text(0),
        host: row.uuid(1).map { HostID(rawValue: $0) },
        lastUsed: row.integer(2),
        count: Int(row.integer(3))
      )
    }
  }

  /// Removes an entry; one that is not there is no error.
  public func forgetConnection(to target: String) throws(StoreError) {
    try write(alsoChanging: [.history]) { database, _ throws(StoreError) in
      try database.change("DELETE FROM connection_history WHERE target = ?1", .text(target))
    }
  }
}
