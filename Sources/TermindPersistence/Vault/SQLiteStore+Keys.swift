public import TermindApplication
public import TermindDomain

extension SQLiteStore: KeyStoring {
  /// Every key, by name.
  public func keys() throws(StoreError) -> [KeyRecord] {
    let rows = try database().query(
      """
      SELECT id, name, algorithm, comment, fingerprint, public_key, certificate, location, place,
        passphrase, created, modified
      FROM keys ORDER BY row
      """
    ) { row -> KeyRecord? in
      guard let id = row.uuid(0), let location = KeyLocation(kind: row.text(7), row, place: 8),
        let passphrase = row.reference(9, SecretItemID.self)
      else { return nil }
      return KeyRecord(
        id: KeyID(rawValue: id),
        name: row.text(1),
        algorithm: row.text(2),
        comment: row.text(3),
        fingerprint: row.text(4),
        publicKey: row.blob(5),
        certificate: row.isNull(6) ? nil : row.blob(6),
        location: location,
        passphrase: passphrase,
        times: RecordTimes(created: row.integer(10), modified: row.integer(11))
      )
    }
    return try whole(rows, "a key").sorted(byName: \.name)
  }

  /// Adds the record, or replaces the one with its id.
  public func save(_ key: KeyRecord) throws(StoreError) {
    try write { database, now throws(StoreError) in try database.put(key, at: now) }
  }

  /// Removes a record; identities that offer it offer their others.
  public func delete(_ id: KeyID) throws(StoreError) { try delete([.key(id)]) }
}

extension KeyLocation {
  fileprivate init?(kind: String, _ row: borrowing StatementHandle, place: Int32) {
    switch kind {
    case "file": self = .file(path: row.text(place))
    case "secret":
      guard let item = row.uuid(place) else { return nil }
      self = .secret(SecretItemID(rawValue: item))
    case "agent": self = .agent
    default: return nil
    }
  }

  /// The kind and the place as they are stored.
  fileprivate var values: [DatabaseValue] {
    switch self {
    case .file(let path): [.text("file"), .text(path)]
    case .secret(let item): [.text("secret"), .id(item)]
    case .agent: [.text("agent"), .null]
    }
  }
}

extension Connection {
  /// Writes a key; within a transaction.
  func put(_ key: KeyRecord, at now: Int64) throws(StoreError) {
    try run(
      """
      INSERT INTO keys (id, name, algorithm, comment, fingerprint, public_key, certificate,
        passphrase, created, modified, location, place)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, algorithm = excluded.algorithm, comment = excluded.comment,
        fingerprint = excluded.fingerprint, public_key = excluded.public_key,
        certificate = excluded.certificate, passphrase = excluded.passphrase,
        modified = excluded.modified, location = excluded.location, place = excluded.place
      """,
      [
        .id(key.id), .text(key.name.isEmpty ? key.defaultName : key.name), .text(key.algorithm),
        .text(key.comment), .text(key.fingerprint), .blob(key.publicKey),
        .blob(orNull: key.certificate), .id(orNull: key.passphrase), .integer(now),
      ] + key.location.values
    ) { _ in }
  }
}
