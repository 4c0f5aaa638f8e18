public import TermindApplication
public import TermindDomain

extension SQLiteStore: SnippetStoring {
  /// Every snippet, by name.
  public func snippets() throws(StoreError) -> [SnippetRecord] {
    let database = try database()
    var tags = try database.lists(
      "SELECT snippet, tag FROM snippet_tags ORDER BY snippet, position"
    ) { $0.text(1) }
    let rows = try database.query(
      "SELECT row, id, name, text, created, modified FROM snippets ORDER BY row"
    ) { row -> SnippetRecord? in
      let own = tags.take(row.integer(0))
      guard let id = row.uuid(1) else { return nil }
      return SnippetRecord(
        id: SnippetID(rawValue: id),
        name: row.text(2),
        text: row.text(3),
        tags: own,
        times: RecordTimes(created: row.integer(4), modified: row.integer(5))
      )
    }
    return try whole(rows, "a snippet").sorted(byName: \.name)
  }

  /// Adds the record, or replaces the one with its id.
  public func save(_ snippet: SnippetRecord) throws(StoreError) {
    try write { database, now throws(StoreError) in try database.put(snippet, at: now) }
  }

  /// Removes a record; hosts that start with it start with none.
  public func delete(_ id: SnippetID) throws(StoreError) { try delete([.snippet(id)]) }
}

extension Connection {
  /// Writes a snippet and its tags; within a transaction.
  func put(_ snippet: SnippetRecord, at now: Int64) throws(StoreError) {
    var row: Int64 = 0
    try run(
      """
      INSERT INTO snippets (id, name, text, created, modified) VALUES (?1, ?2, ?3, ?4, ?4)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, text = excluded.text, modified = excluded.modified
      RETURNING row
      """,
      [
        .id(snippet.id), .text(snippet.name.isEmpty ? snippet.defaultName : snippet.name),
        .text(snippet.text), .integer(now),
      ]
    ) { row = $0.integer(0) }
    try replaceList(
      clear: "DELETE FROM snippet_tags WHERE snippet = ?1",
      insert: "INSERT INTO snippet_tags (snippet, position, tag) VALUES (?1, ?2, ?3)",
      owner: row,
      snippet.tags.map { [.text($0)] }
    )
  }
}
