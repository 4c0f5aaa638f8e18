-- A store as the first version of the program writes it. Frozen: never edit, add schema-2.sql instead.
CREATE TABLE schema_migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at INTEGER NOT NULL
  ) STRICT;
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
INSERT INTO schema_migrations VALUES (1, 'hosts, known hosts, history, settings', 1790000000);
INSERT INTO hosts VALUES
  ('0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 'web1', '10.0.0.11', 22, 'deploy', 1, 1790000001),
  ('0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F02', 'Bastion', 'fe80::1%eth0', 2222, '', 0, NULL);
INSERT INTO host_key_files VALUES
  ('0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 0, '/home/me/.ssh/b'),
  ('0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 1, '/home/me/.ssh/a');
INSERT INTO host_jumps VALUES ('0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 0, 'Bastion');
INSERT INTO known_hosts VALUES
  (1, '10.0.0.11', 22, 'ssh-ed25519', x'00010203', 'SHA256:abc', 1790000002);
INSERT INTO connection_history VALUES
  ('web1', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 1790000001, 3);
INSERT INTO settings VALUES ('theme', 'Tokyo Night');
PRAGMA user_version = 1;
PRAGMA application_id = 1414679876;
