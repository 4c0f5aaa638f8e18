internal import FoundationEssentials
public import TermindApplication
public import TermindDomain

extension SQLiteStore: TemplateStoring {
  /// Every template, by name.
  public func templates() throws(StoreError) -> [WorkspaceTemplate] {
    let rows = try database().query(
      "SELECT id, name, layout, created, modified FROM templates ORDER BY row"
    ) { row -> WorkspaceTemplate? in
      guard let id = row.uuid(0),
        // What is no layout is reported below, with every other row that cannot be read.
        let layout = try? JSONDecoder().decode(TemplateLayout.self, from: Data(row.text(2).utf8))
      else { return nil }
      return WorkspaceTemplate(
        id: TemplateID(rawValue: id),
        name: row.text(1),
        layout: layout,
        times: RecordTimes(created: row.integer(3), modified: row.integer(4))
      )
    }
    return try whole(rows, "a template").sorted(byName: \.name)
  }

  /// Adds the record, or replaces the one with its id.
  public func save(_ template: WorkspaceTemplate) throws(StoreError) {
    try write { database, now throws(StoreError) in try database.put(template, at: now) }
  }

  /// Removes a record.
  public func delete(_ id: TemplateID) throws(StoreError) { try delete([.template(id)]) }
}

extension Connection {
  /// Writes a template; within a transaction.
  func put(_ template: WorkspaceTemplate, at now: Int64) throws(StoreError) {
    guard HostRecord.isValidName(template.name) else { throw .conflict("templates.name") }
    let layout: Data
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      layout = try encoder.encode(TemplateLayout(of: template))
    } catch {
      throw .failed(diagnostic: "the layout cannot be written: \(error)")
    }
    do throws(StoreError) {
      try run(
        """
        INSERT INTO templates (id, name, layout, created, modified) VALUES (?1, ?2, ?3, ?4, ?4)
        ON CONFLICT (id) DO UPDATE SET
          name = excluded.name, layout = excluded.layout, modified = excluded.modified
        """,
        [
          .id(template.id), .text(template.name), .text(String(decoding: layout, as: UTF8.self)),
          .integer(now),
        ]
      ) { _ in }
    } catch .conflict("templates.name") {
      throw .nameTaken(.template, template.name)
    }
  }
}
