public import TermindApplication
public import TermindDomain

extension SQLiteStore {
  /// What happened to records after a place in the journal, the oldest first.
  public func journal(
    after sequence: Int64,
    limit: Int
  ) throws(StoreError) -> [VaultChangeEntry] {
    let rows = try database().query(
      """
      SELECT sequence, kind, record, action, at FROM change_journal
      WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
      """,
      .integer(sequence),
      .integer(Int64(max(limit, 0)))
    ) { row -> VaultChangeEntry? in
      guard let kind = VaultKind(rawValue: row.text(1)),
        let action = VaultChangeEntry.Action(rawValue: row.text(3))
      else { return nil }
      return VaultChangeEntry(
        sequence: row.integer(0),
        kind: kind,
        record: row.text(2),
        action: action,
        time: row.integer(4)
      )
    }
    return try whole(rows, "a journal entry")
  }

  /// The rows, when every one of them could be read.
  func whole<Row>(_ rows: [Row?], _ what: String) throws(StoreError) -> [Row] {
    let read = rows.compactMap(\.self)
    guard read.count == rows.count else {
      throw .corrupt(path: path, diagnostic: "\(what) cannot be read")
    }
    return read
  }
}

extension Connection {
  /// The newest place that was ever given in the journal.
  func newestSequence() throws(StoreError) -> Int64 {
    try integer("SELECT seq FROM sqlite_sequence WHERE name = 'change_journal'")
  }

  /// The kinds that were changed after a place in the journal, each with its newest place.
  func journalKinds(after sequence: Int64) throws(StoreError) -> [VaultChange] {
    try query(
      "SELECT kind, max(sequence) FROM change_journal WHERE sequence > ?1 GROUP BY kind",
      .integer(sequence)
    ) { row in
      VaultChange(
        kinds: VaultKind(rawValue: row.text(0)).map { [$0] } ?? [],
        sequence: row.integer(1)
      )
    }
  }
}
