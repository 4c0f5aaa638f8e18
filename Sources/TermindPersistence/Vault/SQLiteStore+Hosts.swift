internal import FoundationEssentials
public import TermindApplication
public import TermindDomain

extension SQLiteStore: HostStoring {
  /// Every saved host, by name.
  public func hosts() throws(StoreError) -> [HostRecord] {
    let database = try database()
    let keyFiles = try lists("SELECT host_id, path FROM host_key_files ORDER BY host_id, position")
    let jumps = try lists("SELECT host_id, jump FROM host_jumps ORDER BY host_id, position")
    let rows = try database.query(
      "SELECT id, name, host, port, username, uses_agent, last_used FROM hosts"
    ) { row -> HostRecord? in
      let id = row.text(0)
      guard let uuid = UUID(uuidString: id), let port = UInt16(exactly: row.integer(3)) else {
        return nil
      }
      return HostRecord(
        id: HostID(rawValue: uuid),
        name: row.text(1),
        endpoint: SSHEndpoint(host: row.text(2), port: port),
        username: row.text(4),
        keyFiles: keyFiles[id] ?? [],
        usesAgent: row.integer(5) != 0,
        jumps: (jumps[id] ?? []).map { .text($0) },
        lastUsed: row.isNull(6) ? nil : row.integer(6)
      )
    }
    let hosts = rows.compactMap(\.self)
    guard hosts.count == rows.count else {
      throw .corrupt(path: path, diagnostic: "a host has no valid id")
    }
    return hosts.sortedByName()
  }

  /// Adds the record, or replaces the one with its id.
  public func save(_ host: HostRecord) throws(StoreError) {
    guard HostRecord.isValidName(host.name) else { throw .conflict("hosts.name") }
    let database = try database()
    let id = DatabaseValue.text(host.id.rawValue.uuidString)
    try database.transaction { () throws(StoreError) in
      try database.change(
        """
        INSERT INTO hosts (id, name, host, port, username, uses_agent, last_used)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (id) DO UPDATE SET
          name = excluded.name, host = excluded.host, port = excluded.port,
          username = excluded.username, uses_agent = excluded.uses_agent,
          last_used = excluded.last_used
        """,
        id,
        .text(host.name),
        .text(host.endpoint.host),
        .integer(Int64(host.endpoint.port)),
        .text(host.username),
        .integer(host.usesAgent ? 1 : 0),
        .integer(orNull: host.lastUsed)
      )
      try database.change("DELETE FROM host_key_files WHERE host_id = ?1", id)
      try database.change("DELETE FROM host_jumps WHERE host_id = ?1", id)
      try database.change(
        "INSERT INTO host_key_files (host_id, position, path) VALUES (?1, ?2, ?3)",
        each: host.keyFiles.enumerated().map { [id, .integer(Int64($0)), .text($1)] }
      )
      try database.change(
        "INSERT INTO host_jumps (host_id, position, jump) VALUES (?1, ?2, ?3)",
        each: host.jumps.enumerated().map { position, jump in
          let text = if case .text(let text) = jump { text } else { "" }
          return [id, .integer(Int64(position)), .text(text)]
        }
      )
    }
  }

  /// Removes a record; trust in its keys stays.
  public func delete(_ id: HostID) throws(StoreError) {
    let changed = try database().change(
      "DELETE FROM hosts WHERE id = ?1",
      .text(id.rawValue.uuidString)
    )
    guard changed > 0 else { throw .notFound }
  }

  /// Notes that a host was connected to now.
  public func markUsed(_ id: HostID, at time: Int64) throws(StoreError) {
    let changed = try database().change(
      "UPDATE hosts SET last_used = ?2 WHERE id = ?1",
      .text(id.rawValue.uuidString),
      .integer(time)
    )
    guard changed > 0 else { throw .notFound }
  }

  /// The second column's texts by the first column, in the order of the rows.
  private func lists(_ sql: String) throws(StoreError) -> [String: [String]] {
    let rows = try database().query(sql) { ($0.text(0), $0.text(1)) }
    return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
  }
}
