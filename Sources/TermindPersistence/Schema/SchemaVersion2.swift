extension SchemaStep {
  /// Identities, keys, snippets, templates, events, the change journal, and hosts with all fields;
  /// frozen.
  ///
  /// - A record has its UUID as text and a small `row` that its lists refer to: read in the order of `row`,
  ///   records and their lists come side by side, and nothing has to be looked up.
  /// - NULL in a column of choices means the standard.
  /// - No rule says `IN (…)`: SQLite makes a table of the list for every row that it checks, which made the
  ///   check at opening three times as long.
  /// - A jump keeps its host's UUID when the host is deleted, so that no way ever becomes shorter.
  /// - Triggers write the journal. What differs between machines (`last_used`) is not in it.
  static let version2 = SchemaStep(
    version: 2,
    name: "the vault: identities, keys, snippets, templates, events, journal",
    sql: setAside + journal + records + hosts + trust + history + triggers + takeOver
  )

  private static let setAside = """
    ALTER TABLE hosts RENAME TO hosts_1;
    ALTER TABLE host_key_files RENAME TO host_key_files_1;
    ALTER TABLE host_jumps RENAME TO host_jumps_1;
    ALTER TABLE known_hosts RENAME TO known_hosts_1;
    ALTER TABLE connection_history RENAME TO connection_history_1;
    DROP INDEX connection_history_host;

    """

  private static let journal = """
    CREATE TABLE change_journal (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      record TEXT NOT NULL,
      action TEXT NOT NULL CHECK (action = 'created' OR action = 'updated' OR action = 'deleted'),
      at INTEGER NOT NULL,
      UNIQUE (kind, record)
    ) STRICT;

    """

  private static let records = """
    CREATE TABLE keys (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL CHECK (name <> ''),
      algorithm TEXT NOT NULL,
      comment TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      public_key BLOB NOT NULL,
      certificate BLOB,
      location TEXT NOT NULL CHECK (location = 'file' OR location = 'secret' OR location = 'agent'),
      place TEXT,
      passphrase TEXT,
      created INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      CHECK ((location = 'agent') = (place IS NULL))
    ) STRICT;

    CREATE TABLE identities (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      username TEXT NOT NULL,
      password TEXT,
      uses_agent INTEGER NOT NULL CHECK (uses_agent BETWEEN 0 AND 1),
      created INTEGER NOT NULL,
      modified INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE identity_keys (
      identity INTEGER NOT NULL REFERENCES identities (row) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      key TEXT NOT NULL REFERENCES keys (id) ON DELETE CASCADE,
      PRIMARY KEY (identity, position)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX identity_keys_key ON identity_keys (key);

    CREATE TABLE snippets (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      text TEXT NOT NULL,
      created INTEGER NOT NULL,
      modified INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE snippet_tags (
      snippet INTEGER NOT NULL REFERENCES snippets (row) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (snippet, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE templates (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL UNIQUE CHECK (name <> ''),
      layout TEXT NOT NULL,
      created INTEGER NOT NULL,
      modified INTEGER NOT NULL
    ) STRICT;

    """

  private static let hosts = """
    CREATE TABLE hosts (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL UNIQUE CHECK (name <> ''),
      address TEXT NOT NULL,
      port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
      protocol TEXT,
      identity TEXT REFERENCES identities (id) ON DELETE SET NULL,
      username TEXT NOT NULL,
      uses_agent INTEGER NOT NULL CHECK (uses_agent BETWEEN 0 AND 1),
      color TEXT,
      theme TEXT,
      shell_integration TEXT,
      start_directory TEXT,
      startup_snippet TEXT REFERENCES snippets (id) ON DELETE SET NULL,
      keep_alive INTEGER,
      notes TEXT,
      is_pinned INTEGER NOT NULL CHECK (is_pinned BETWEEN 0 AND 1),
      engine TEXT,
      last_used INTEGER,
      created INTEGER NOT NULL,
      modified INTEGER NOT NULL
    ) STRICT;

    CREATE INDEX hosts_identity ON hosts (identity);
    CREATE INDEX hosts_startup_snippet ON hosts (startup_snippet);

    CREATE TABLE host_key_files (
      host INTEGER NOT NULL REFERENCES hosts (row) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      path TEXT NOT NULL,
      PRIMARY KEY (host, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE host_jumps (
      host INTEGER NOT NULL REFERENCES hosts (row) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      saved TEXT,
      text TEXT,
      PRIMARY KEY (host, position),
      CHECK ((saved IS NULL) <> (text IS NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX host_jumps_saved ON host_jumps (saved);

    CREATE TABLE host_tags (
      host INTEGER NOT NULL REFERENCES hosts (row) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (host, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE host_environment (
      host INTEGER NOT NULL REFERENCES hosts (row) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (host, position)
    ) STRICT, WITHOUT ROWID;

    """

  private static let trust = """
    CREATE TABLE known_hosts (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      form TEXT NOT NULL CHECK (form = 'endpoint' OR form = 'patterns' OR form = 'hashed'),
      names TEXT NOT NULL,
      port INTEGER NOT NULL CHECK (port BETWEEN 0 AND 65535),
      marker TEXT NOT NULL CHECK (marker = 'trusted' OR marker = 'revoked' OR marker = 'certificateAuthority'),
      key_type TEXT NOT NULL,
      key BLOB NOT NULL,
      fingerprint TEXT NOT NULL,
      comment TEXT NOT NULL,
      since INTEGER NOT NULL,
      UNIQUE (names, port, form, marker, key_type, key)
    ) STRICT;

    """

  private static let history = """
    CREATE TABLE connection_history (
      target TEXT NOT NULL PRIMARY KEY,
      host_id TEXT REFERENCES hosts (id) ON DELETE SET NULL,
      last_used INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count > 0)
    ) STRICT;

    CREATE INDEX connection_history_host ON connection_history (host_id);

    CREATE TABLE connection_events (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      target TEXT NOT NULL,
      host_id TEXT REFERENCES hosts (id) ON DELETE SET NULL,
      kind TEXT NOT NULL,
      started INTEGER NOT NULL,
      ended INTEGER,
      outcome TEXT NOT NULL,
      cause TEXT
    ) STRICT;

    CREATE INDEX connection_events_started ON connection_events (started);
    CREATE INDEX connection_events_host ON connection_events (host_id);

    """

  /// The three triggers of a table that is in the journal.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - kind: What its records are called in the journal.
  ///   - record: The column that names a record.
  ///   - columns: What counts as a change; empty for every column.
  /// - Returns: The statements.
  private static func journalled(
    _ table: String,
    kind: String,
    record: String = "id",
    columns: String = ""
  ) -> String {
    let events = [
      ("created", "INSERT", "NEW"),
      ("updated", columns.isEmpty ? "UPDATE" : "UPDATE OF \(columns)", "NEW"),
      ("deleted", "DELETE", "OLD"),
    ]
    return events.map { action, event, side in
      """
      CREATE TRIGGER \(table)_\(action) AFTER \(event) ON \(table) BEGIN
        DELETE FROM change_journal WHERE kind = '\(kind)' AND record = \(side).\(record);
        INSERT INTO change_journal (kind, record, action, at)
        VALUES ('\(kind)', \(side).\(record), '\(action)', unixepoch());
      END;

      """
    }.joined()
  }

  private static let triggers =
    journalled("keys", kind: "key")
    + journalled("identities", kind: "identity")
    + journalled("snippets", kind: "snippet")
    + journalled("templates", kind: "template")
    + journalled(
      "hosts",
      kind: "host",
      columns: """
        id, name, address, port, protocol, identity, username, uses_agent, color, theme, \
        shell_integration, start_directory, startup_snippet, keep_alive, notes, is_pinned, engine, \
        created, modified
        """
    )
    + journalled("known_hosts", kind: "knownHost")
    + journalled("connection_events", kind: "history")
    + journalled("settings", kind: "setting", record: "key")

  /// A new UUID, as the program writes them.
  private static let newID = """
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-'
        || substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-'
        || hex(randomblob(6))
    """

  private static let takeOver = """
    INSERT INTO hosts
      (id, name, address, port, username, uses_agent, is_pinned, last_used, created, modified)
      SELECT id, name, host, port, username, uses_agent, 0, last_used, unixepoch(), unixepoch()
      FROM hosts_1 ORDER BY rowid;
    INSERT INTO host_key_files
      SELECT hosts.row, old.position, old.path
      FROM host_key_files_1 AS old JOIN hosts ON hosts.id = old.host_id;
    INSERT INTO host_jumps (host, position, saved, text)
      SELECT hosts.row, old.position, named.id, CASE WHEN named.id IS NULL THEN old.jump END
      FROM host_jumps_1 AS old JOIN hosts ON hosts.id = old.host_id
      LEFT JOIN hosts AS named ON named.name = old.jump;
    INSERT INTO known_hosts
      (row, id, form, names, port, marker, key_type, key, fingerprint, comment, since)
      SELECT id, \(newID), 'endpoint', host, port, 'trusted', key_type, key, fingerprint, '', since
      FROM known_hosts_1;
    INSERT INTO connection_history
      SELECT target, host_id, last_used, count FROM connection_history_1;
    INSERT INTO connection_events (id, target, host_id, kind, started, outcome)
      SELECT \(newID), target, host_id, 'terminal', last_used, 'connected'
      FROM connection_history_1 ORDER BY last_used;
    INSERT INTO change_journal (kind, record, action, at)
      SELECT 'setting', key, 'created', unixepoch() FROM settings;
    DROP TABLE connection_history_1;
    DROP TABLE host_key_files_1;
    DROP TABLE host_jumps_1;
    DROP TABLE known_hosts_1;
    DROP TABLE hosts_1;
    """
}
