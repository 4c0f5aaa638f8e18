/// One numbered step from a schema to the next.
struct SchemaStep: Sendable {
  /// The schema's number after the step.
  let version: Int
  /// What the step brings, for the migration table.
  let name: String
  /// The statements; frozen once a release has them.
  let sql: String
}

/// All steps in order, from an empty file to the newest schema.
struct SchemaPlan: Sendable {
  /// Marks the file as a store of this program (`PRAGMA application_id`): "TRMD".
  static let applicationID: Int64 = 0x5452_4D44

  /// The plan of this version of the program.
  static let current = SchemaPlan(steps: [.version1, .version2, .version3, .version4, .version5])

  let steps: [SchemaStep]

  /// The number of the newest schema.
  var version: Int { steps.last?.version ?? 0 }

  /// Whether the newest schema has a change journal.
  var hasJournal: Bool { version >= 2 }

  /// The steps that a store with a schema still needs.
  func steps(after version: Int) -> [SchemaStep] { steps.filter { $0.version > version } }
}
