internal import FoundationEssentials
public import TermindApplication
public import TermindDomain

extension SQLiteStore {
  /// What would lose something if a record were deleted, hosts first, each kind by name.
  public func dependents(of record: VaultReference) throws(StoreError) -> [VaultDependent] {
    switch record {
    case .identity:
      return try hosts("SELECT id, name FROM hosts WHERE identity = ?1", record, .authenticates)
    case .snippet:
      return try hosts(
        "SELECT id, name FROM hosts WHERE startup_snippet = ?1",
        record,
        .runsAtStart
      )
    case .key:
      return try found(
        """
        SELECT DISTINCT identities.id, identities.name FROM identity_keys
        JOIN identities ON identities.row = identity_keys.identity WHERE identity_keys.key = ?1
        """,
        record
      ).map {
        VaultDependent(record: .identity(IdentityID(rawValue: $0)), name: $1, use: .offersKey)
      }
    case .host(let host):
      let jumping = try jumping(through: host)
      return try jumping
        + templates().filter { $0.hosts.contains(host) }
        .map { VaultDependent(record: .template($0.id), name: $0.name, use: .opens) }
    case .knownHost, .template:
      return []
    }
  }

  /// The hosts that name a host as a jump, by its identity or by its name.
  private func jumping(through host: HostID) throws(StoreError) -> [VaultDependent] {
    let name = try database().query("SELECT name FROM hosts WHERE id = ?1", .id(host)) {
      $0.text(0)
    }.first
    let rows = try database().query(
      """
      SELECT hosts.id, hosts.name, host_jumps.text FROM host_jumps
      JOIN hosts ON hosts.row = host_jumps.host
      WHERE (host_jumps.saved = ?1 OR host_jumps.text IS NOT NULL) AND hosts.id <> ?1
      """,
      .id(host)
    ) { row in row.uuid(0).map { (id: $0, name: row.text(1), jump: row.optionalText(2)) } }
    var seen: Set<UUID> = []
    return try whole(rows, "a host").filter { row in
      guard let jump = row.jump else { return true }
      // What is no target leads to no saved host.
      return name != nil && (jump == name || (try? ConnectTarget(parsing: jump))?.host == name)
    }
    .filter { seen.insert($0.id).inserted }
    .sorted(byName: \.name)
    .map {
      VaultDependent(record: .host(HostID(rawValue: $0.id)), name: $0.name, use: .jumpsThrough)
    }
  }

  private func hosts(
    _ sql: String,
    _ record: VaultReference,
    _ use: VaultDependent.Use
  ) throws(StoreError) -> [VaultDependent] {
    try found(sql, record).map { id, name in
      VaultDependent(record: .host(HostID(rawValue: id)), name: name, use: use)
    }
  }

  private func found(
    _ sql: String,
    _ record: VaultReference
  ) throws(StoreError) -> [(UUID, String)] {
    let rows = try database().query(sql, record.value) { row in
      row.uuid(0).map { ($0, row.text(1)) }
    }
    return try whole(rows, "a record").sorted(byName: \.1)
  }
}
