public import TermindApplication
public import TermindDomain

extension SQLiteStore: KnownHostStoring {
  /// The keys trusted for exactly this endpoint, oldest first.
  public func knownHosts(at endpoint: SSHEndpoint) throws(StoreError) -> [KnownHostRecord] {
    try database().query(
      """
      SELECT key_type, key, fingerprint, since FROM known_hosts
      WHERE host = ?1 AND port = ?2 ORDER BY since, id
      """,
      .text(endpoint.host),
      .integer(Int64(endpoint.port))
    ) { row in
      KnownHostRecord(
        endpoint: endpoint,
        key: HostKey(type: row.text(0), blob: row.blob(1), fingerprint: row.text(2)),
        since: row.integer(3)
      )
    }
  }

  /// Remembers a key beside those that are already there; adding it again changes nothing.
  public func add(_ record: KnownHostRecord) throws(StoreError) {
    try insert(record)
  }

  /// Puts a key in the place of every key of the same type at its endpoint, in one step.
  public func replace(with record: KnownHostRecord) throws(StoreError) {
    let database = try database()
    try database.transaction { () throws(StoreError) in
      try database.change(
        "DELETE FROM known_hosts WHERE host = ?1 AND port = ?2 AND key_type = ?3",
        .text(record.endpoint?.host ?? ""),
        .integer(Int64(record.endpoint?.port ?? 22)),
        .text(record.key.type)
      )
      try insert(record)
    }
  }

  private func insert(_ record: KnownHostRecord) throws(StoreError) {
    try database().change(
      """
      INSERT INTO known_hosts (host, port, key_type, key, fingerprint, since)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (host, port, key_type, key) DO NOTHING
      """,
      .text(record.endpoint?.host ?? ""),
      .integer(Int64(record.endpoint?.port ?? 22)),
      .text(record.key.type),
      .blob(record.key.blob),
      .text(record.key.fingerprint),
      .integer(record.since)
    )
  }
}
