public import TermindApplication
public import TermindDomain

extension SQLiteStore: KnownHostLibrary {
  /// Every record, by names and then oldest first.
  public func knownHosts() throws(StoreError) -> [KnownHostRecord] {
    try knownHosts("ORDER BY names, port, since, row", [])
  }

  /// The keys trusted for exactly this endpoint, oldest first.
  public func knownHosts(at endpoint: SSHEndpoint) throws(StoreError) -> [KnownHostRecord] {
    try knownHosts(
      """
      WHERE names = ?1 AND port = ?2 AND form = 'endpoint' AND marker = 'trusted'
      ORDER BY since, row
      """,
      [.text(endpoint.host), .integer(Int64(endpoint.port))]
    )
  }

  /// The records whose names must be matched: all with a marker, patterns, or a hashed name.
  public func knownHostRules() throws(StoreError) -> [KnownHostRecord] {
    try knownHosts("WHERE form <> 'endpoint' OR marker <> 'trusted' ORDER BY since, row", [])
  }

  /// Remembers a key beside those that are already there; adding it again changes nothing.
  public func add(_ record: KnownHostRecord) throws(StoreError) { try add([record]) }

  /// Remembers keys beside those that are already there, all or none.
  @discardableResult
  public func add(_ records: [KnownHostRecord]) throws(StoreError) -> Int {
    try write { database, _ throws(StoreError) in
      var count = 0
      for record in records where try database.put(record) { count += 1 }
      return count
    }
  }

  /// Puts a key in the place of every trusted key of the same type with the same names, in one step.
  public func replace(with record: KnownHostRecord) throws(StoreError) {
    try write { database, _ throws(StoreError) in
      let names = record.names.values
      try database.change(
        """
        DELETE FROM known_hosts
        WHERE form = ?1 AND names = ?2 AND port = ?3 AND marker = 'trusted' AND key_type = ?4
        """,
        names[0],
        names[1],
        names[2],
        .text(record.key.type)
      )
      try database.put(record)
    }
  }

  /// Removes records, all or none.
  public func delete(_ ids: [KnownHostID]) throws(StoreError) {
    try delete(ids.map { .knownHost($0) })
  }

  private func knownHosts(
    _ clause: String,
    _ values: [DatabaseValue]
  ) throws(StoreError) -> [KnownHostRecord] {
    var rows: [KnownHostRecord?] = []
    try database().run(
      """
      SELECT id, form, names, port, marker, key_type, key, fingerprint, comment, since
      FROM known_hosts \(clause)
      """,
      values
    ) { rows.append(KnownHostRecord($0)) }
    return try whole(rows, "a known host")
  }
}

extension KnownHostRecord {
  fileprivate init?(_ row: borrowing StatementHandle) {
    guard let id = row.uuid(0), let marker = KnownHostMarker(rawValue: row.text(4)),
      let port = UInt16(exactly: row.integer(3))
    else { return nil }
    let names: KnownHostNames
    switch row.text(1) {
    case "endpoint": names = .endpoint(SSHEndpoint(host: row.text(2), port: port))
    case "patterns": names = .patterns(row.text(2))
    case "hashed": names = .hashed(row.text(2))
    default: return nil
    }
    self.init(
      id: KnownHostID(rawValue: id),
      names: names,
      marker: marker,
      key: HostKey(type: row.text(5), blob: row.blob(6), fingerprint: row.text(7)),
      comment: row.text(8),
      since: row.integer(9)
    )
  }
}

extension KnownHostNames {
  /// Form, names and port as they are stored.
  fileprivate var values: [DatabaseValue] {
    switch self {
    case .endpoint(let endpoint):
      [.text("endpoint"), .text(endpoint.host), .integer(Int64(endpoint.port))]
    case .patterns(let text): [.text("patterns"), .text(text), .integer(0)]
    case .hashed(let text): [.text("hashed"), .text(text), .integer(0)]
    }
  }
}

extension Connection {
  /// Adds a host key unless one that says the same is there; within a transaction.
  ///
  /// - Returns: Whether it was new.
  @discardableResult func put(_ record: KnownHostRecord) throws(StoreError) -> Bool {
    try run(
      """
      INSERT INTO known_hosts
        (form, names, port, id, marker, key_type, key, fingerprint, comment, since)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      ON CONFLICT (names, port, form, marker, key_type, key) DO NOTHING
      """,
      record.names.values + [
        .id(record.id), .text(record.marker.rawValue), .text(record.key.type),
        .blob(record.key.blob), .text(record.key.fingerprint), .text(record.comment),
        .integer(record.since),
      ]
    ) { _ in }
    return handle.changes > 0
  }
}
