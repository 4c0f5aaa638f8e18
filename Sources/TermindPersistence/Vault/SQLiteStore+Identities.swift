public import TermindApplication
public import TermindDomain

extension SQLiteStore: IdentityStoring {
  /// Every identity, by name.
  public func identities() throws(StoreError) -> [IdentityRecord] {
    let database = try database()
    var keys = try database.lists(
      "SELECT identity, key FROM identity_keys ORDER BY identity, position"
    ) { $0.uuid(1).map { KeyID(rawValue: $0) } }
    let rows = try database.query(
      """
      SELECT row, id, name, username, password, uses_agent, created, modified
      FROM identities ORDER BY row
      """
    ) { row -> IdentityRecord? in
      let own = keys.take(row.integer(0))
      let known = own.compactMap(\.self)
      guard let id = row.uuid(1), known.count == own.count,
        let password = row.reference(4, SecretItemID.self)
      else { return nil }
      return IdentityRecord(
        id: IdentityID(rawValue: id),
        name: row.text(2),
        username: row.text(3),
        password: password,
        keys: known,
        usesAgent: row.integer(5) != 0,
        times: RecordTimes(created: row.integer(6), modified: row.integer(7))
      )
    }
    return try whole(rows, "an identity").sorted(byName: \.name)
  }

  /// Adds the record, or replaces the one with its id.
  public func save(_ identity: IdentityRecord) throws(StoreError) {
    try write { database, now throws(StoreError) in try database.put(identity, at: now) }
  }

  /// Removes a record; hosts that name it have none then.
  public func delete(_ id: IdentityID) throws(StoreError) { try delete([.identity(id)]) }
}

extension Connection {
  /// Writes an identity and its keys; within a transaction.
  func put(_ identity: IdentityRecord, at now: Int64) throws(StoreError) {
    var row: Int64 = 0
    try run(
      """
      INSERT INTO identities (id, name, username, password, uses_agent, created, modified)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, username = excluded.username, password = excluded.password,
        uses_agent = excluded.uses_agent, modified = excluded.modified
      RETURNING row
      """,
      [
        .id(identity.id), .text(identity.name.isEmpty ? identity.defaultName : identity.name),
        .text(identity.username), .id(orNull: identity.password), .flag(identity.usesAgent),
        .integer(now),
      ]
    ) { row = $0.integer(0) }
    do throws(StoreError) {
      try replaceList(
        clear: "DELETE FROM identity_keys WHERE identity = ?1",
        insert: "INSERT INTO identity_keys (identity, position, key) VALUES (?1, ?2, ?3)",
        owner: row,
        identity.keys.map { [.id($0)] }
      )
    } catch .conflict(Self.brokenReference) {
      throw .missingReference(.key)
    }
  }
}
