extension SchemaStep {
  /// Hosts, known hosts, connection history and settings; frozen.
  static let version1 = SchemaStep(
    version: 1,
    name: "hosts, known hosts, history, settings",
    sql: """
      CREATE TABLE hosts (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        host TEXT NOT NULL,
        port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
        username TEXT NOT NULL,
        uses_agent INTEGER NOT NULL CHECK (uses_agent IN (0, 1)),
        last_used INTEGER
      ) STRICT;

      CREATE TABLE host_key_files (
        host_id TEXT NOT NULL REFERENCES hosts (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        path TEXT NOT NULL,
        PRIMARY KEY (host_id, position)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE host_jumps (
        host_id TEXT NOT NULL REFERENCES hosts (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        jump TEXT NOT NULL,
        PRIMARY KEY (host_id, position)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE known_hosts (
        id INTEGER PRIMARY KEY,
        host TEXT NOT NULL,
        port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
        key_type TEXT NOT NULL,
        key BLOB NOT NULL,
        fingerprint TEXT NOT NULL,
        since INTEGER NOT NULL,
        UNIQUE (host, port, key_type, key)
      ) STRICT;

      CREATE TABLE connection_history (
        target TEXT NOT NULL PRIMARY KEY,
        host_id TEXT REFERENCES hosts (id) ON DELETE SET NULL,
        last_used INTEGER NOT NULL,
        count INTEGER NOT NULL CHECK (count > 0)
      ) STRICT;

      CREATE INDEX connection_history_host ON connection_history (host_id);

      CREATE TABLE settings (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      """
  )
}
