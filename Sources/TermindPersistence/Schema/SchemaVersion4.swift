extension SchemaStep {
  /// Commands that shells told of; frozen.
  ///
  /// They belong to this machine and are in no journal. A saved host takes its commands with it.
  static let version4 = SchemaStep(
    version: 4,
    name: "the history of commands",
    sql: """
      CREATE TABLE command_history (
        row INTEGER PRIMARY KEY,
        host_id TEXT REFERENCES hosts (id) ON DELETE CASCADE,
        target TEXT NOT NULL,
        command TEXT NOT NULL CHECK (command <> ''),
        started INTEGER NOT NULL,
        status INTEGER,
        milliseconds INTEGER
      ) STRICT;

      CREATE INDEX command_history_place ON command_history (host_id, target, row);
      """
  )
}
