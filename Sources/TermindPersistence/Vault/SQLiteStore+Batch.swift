public import TermindApplication
public import TermindDomain

extension SQLiteStore: VaultStoring {
  /// Writes the records of a batch, all or none.
  public func save(_ batch: VaultBatch, policy: VaultBatchPolicy) throws(StoreError) {
    guard !batch.isEmpty else { return }
    try write { database, now throws(StoreError) in
      func check(_ record: VaultReference) throws(StoreError) {
        guard policy == .neverOverwrite, try database.has(record) else { return }
        throw .alreadyThere(record)
      }
      // In this order, whatever a record names is there before it.
      for key in batch.keys {
        try check(.key(key.id))
        try database.put(key, at: now)
      }
      for identity in batch.identities {
        try check(.identity(identity.id))
        try database.put(identity, at: now)
      }
      for snippet in batch.snippets {
        try check(.snippet(snippet.id))
        try database.put(snippet, at: now)
      }
      for host in batch.hosts {
        try check(.host(host.id))
        try database.put(host, at: now)
      }
      for record in batch.knownHosts { try database.put(record) }
      for template in batch.templates {
        try check(.template(template.id))
        try database.put(template, at: now)
      }
    }
  }

  /// Removes records of any kinds, all or none.
  public func delete(_ records: [VaultReference]) throws(StoreError) {
    guard !records.isEmpty else { return }
    try write { database, now throws(StoreError) in
      for record in records { try database.remove(record, at: now) }
    }
  }
}

extension VaultReference {
  fileprivate var table: String {
    switch self {
    case .host: "hosts"
    case .identity: "identities"
    case .key: "keys"
    case .knownHost: "known_hosts"
    case .snippet: "snippets"
    case .template: "templates"
    }
  }

  /// The identifier as it is stored.
  var value: DatabaseValue {
    switch self {
    case .host(let id): .id(id)
    case .identity(let id): .id(id)
    case .key(let id): .id(id)
    case .knownHost(let id): .id(id)
    case .snippet(let id): .id(id)
    case .template(let id): .id(id)
    }
  }
}

extension Connection {
  /// Whether a record is there.
  func has(_ record: VaultReference) throws(StoreError) -> Bool {
    try integer("SELECT count(*) FROM \(record.table) WHERE id = ?1", record.value) > 0
  }

  /// Removes a record after those that name it have let go of it; within a transaction.
  fileprivate func remove(_ record: VaultReference, at now: Int64) throws(StoreError) {
    switch record {
    case .identity:
      try change(
        "UPDATE hosts SET identity = NULL, modified = ?2 WHERE identity = ?1",
        record.value,
        .integer(now)
      )
    case .snippet:
      try change(
        "UPDATE hosts SET startup_snippet = NULL, modified = ?2 WHERE startup_snippet = ?1",
        record.value,
        .integer(now)
      )
    case .key:
      try change(
        """
        UPDATE identities SET modified = ?2
        WHERE row IN (SELECT identity FROM identity_keys WHERE key = ?1)
        """,
        record.value,
        .integer(now)
      )
    case .host(let id): try forgetLessons(of: id, unless: nil)
    case .knownHost, .template: break
    }
    let removed = try change("DELETE FROM \(record.table) WHERE id = ?1", record.value)
    guard removed > 0 else { throw .notFound }
  }
}
