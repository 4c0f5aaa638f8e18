-- A store of schema 5 with every kind of record. Frozen: never edit, add schema-6.sql instead.
CREATE TABLE schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
CREATE TABLE settings (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE change_journal (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  record TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action = 'created' OR action = 'updated' OR action = 'deleted'),
  at INTEGER NOT NULL,
  UNIQUE (kind, record)
) STRICT;
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
, allows_old INTEGER CHECK (allows_old = 1), clipboard TEXT, recording TEXT) STRICT;
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
CREATE TRIGGER keys_created AFTER INSERT ON keys BEGIN
  DELETE FROM change_journal WHERE kind = 'key' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('key', NEW.id, 'created', unixepoch());
END;
CREATE TRIGGER keys_updated AFTER UPDATE ON keys BEGIN
  DELETE FROM change_journal WHERE kind = 'key' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('key', NEW.id, 'updated', unixepoch());
END;
CREATE TRIGGER keys_deleted AFTER DELETE ON keys BEGIN
  DELETE FROM change_journal WHERE kind = 'key' AND record = OLD.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('key', OLD.id, 'deleted', unixepoch());
END;
CREATE TRIGGER identities_created AFTER INSERT ON identities BEGIN
  DELETE FROM change_journal WHERE kind = 'identity' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('identity', NEW.id, 'created', unixepoch());
END;
CREATE TRIGGER identities_updated AFTER UPDATE ON identities BEGIN
  DELETE FROM change_journal WHERE kind = 'identity' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('identity', NEW.id, 'updated', unixepoch());
END;
CREATE TRIGGER identities_deleted AFTER DELETE ON identities BEGIN
  DELETE FROM change_journal WHERE kind = 'identity' AND record = OLD.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('identity', OLD.id, 'deleted', unixepoch());
END;
CREATE TRIGGER snippets_created AFTER INSERT ON snippets BEGIN
  DELETE FROM change_journal WHERE kind = 'snippet' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('snippet', NEW.id, 'created', unixepoch());
END;
CREATE TRIGGER snippets_updated AFTER UPDATE ON snippets BEGIN
  DELETE FROM change_journal WHERE kind = 'snippet' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('snippet', NEW.id, 'updated', unixepoch());
END;
CREATE TRIGGER snippets_deleted AFTER DELETE ON snippets BEGIN
  DELETE FROM change_journal WHERE kind = 'snippet' AND record = OLD.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('snippet', OLD.id, 'deleted', unixepoch());
END;
CREATE TRIGGER templates_created AFTER INSERT ON templates BEGIN
  DELETE FROM change_journal WHERE kind = 'template' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('template', NEW.id, 'created', unixepoch());
END;
CREATE TRIGGER templates_updated AFTER UPDATE ON templates BEGIN
  DELETE FROM change_journal WHERE kind = 'template' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('template', NEW.id, 'updated', unixepoch());
END;
CREATE TRIGGER templates_deleted AFTER DELETE ON templates BEGIN
  DELETE FROM change_journal WHERE kind = 'template' AND record = OLD.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('template', OLD.id, 'deleted', unixepoch());
END;
CREATE TRIGGER hosts_created AFTER INSERT ON hosts BEGIN
  DELETE FROM change_journal WHERE kind = 'host' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('host', NEW.id, 'created', unixepoch());
END;
CREATE TRIGGER hosts_updated AFTER UPDATE OF id, name, address, port, protocol, identity,
  username, uses_agent, color, theme, shell_integration, start_directory, startup_snippet,
  keep_alive, notes, is_pinned, engine, allows_old, clipboard, recording, created, modified
  ON hosts BEGIN
  DELETE FROM change_journal WHERE kind = 'host' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('host', NEW.id, 'updated', unixepoch());
END;
CREATE TRIGGER hosts_deleted AFTER DELETE ON hosts BEGIN
  DELETE FROM change_journal WHERE kind = 'host' AND record = OLD.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('host', OLD.id, 'deleted', unixepoch());
END;
CREATE TRIGGER known_hosts_created AFTER INSERT ON known_hosts BEGIN
  DELETE FROM change_journal WHERE kind = 'knownHost' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('knownHost', NEW.id, 'created', unixepoch());
END;
CREATE TRIGGER known_hosts_updated AFTER UPDATE ON known_hosts BEGIN
  DELETE FROM change_journal WHERE kind = 'knownHost' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('knownHost', NEW.id, 'updated', unixepoch());
END;
CREATE TRIGGER known_hosts_deleted AFTER DELETE ON known_hosts BEGIN
  DELETE FROM change_journal WHERE kind = 'knownHost' AND record = OLD.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('knownHost', OLD.id, 'deleted', unixepoch());
END;
CREATE TRIGGER connection_events_created AFTER INSERT ON connection_events BEGIN
  DELETE FROM change_journal WHERE kind = 'history' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('history', NEW.id, 'created', unixepoch());
END;
CREATE TRIGGER connection_events_updated AFTER UPDATE ON connection_events BEGIN
  DELETE FROM change_journal WHERE kind = 'history' AND record = NEW.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('history', NEW.id, 'updated', unixepoch());
END;
CREATE TRIGGER connection_events_deleted AFTER DELETE ON connection_events BEGIN
  DELETE FROM change_journal WHERE kind = 'history' AND record = OLD.id;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('history', OLD.id, 'deleted', unixepoch());
END;
CREATE TRIGGER settings_created AFTER INSERT ON settings BEGIN
  DELETE FROM change_journal WHERE kind = 'setting' AND record = NEW.key;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('setting', NEW.key, 'created', unixepoch());
END;
CREATE TRIGGER settings_updated AFTER UPDATE ON settings BEGIN
  DELETE FROM change_journal WHERE kind = 'setting' AND record = NEW.key;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('setting', NEW.key, 'updated', unixepoch());
END;
CREATE TRIGGER settings_deleted AFTER DELETE ON settings BEGIN
  DELETE FROM change_journal WHERE kind = 'setting' AND record = OLD.key;
  INSERT INTO change_journal (kind, record, action, at)
  VALUES ('setting', OLD.key, 'deleted', unixepoch());
END;
CREATE TABLE engine_lessons (
  address TEXT NOT NULL,
  port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
  library TEXT NOT NULL,
  reason TEXT NOT NULL,
  learned INTEGER NOT NULL,
  PRIMARY KEY (address, port)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER hosts_unlearned AFTER UPDATE OF address, port, engine ON hosts
WHEN OLD.address <> NEW.address OR OLD.port <> NEW.port OR OLD.engine IS NOT NEW.engine BEGIN
  DELETE FROM engine_lessons
  WHERE address = OLD.address AND port = OLD.port OR address = NEW.address AND port = NEW.port;
END;
CREATE TRIGGER hosts_forgotten AFTER DELETE ON hosts BEGIN
  DELETE FROM engine_lessons WHERE address = OLD.address AND port = OLD.port;
END;
INSERT INTO schema_migrations VALUES
  (1, 'hosts, known hosts, history, settings', 1790000000),
  (2, 'the vault: identities, keys, snippets, templates, events, journal', 1795000000),
  (3, 'old algorithms of hosts, lessons about engines', 1798000000),
  (4, 'the history of commands', 1799000000),
  (5, 'clipboard and recordings of hosts', 1800000000);
INSERT INTO keys VALUES
  (1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0A', 'work', 'ssh-ed25519', 'me@work', 'SHA256:abc', x'0001', x'0203', 'file', '/home/me/.ssh/id', NULL, 1795000001, 1795000002),
  (2, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0B', 'Ed25519', 'ssh-ed25519', '', 'SHA256:def', x'0004', NULL, 'secret', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F00', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 1795000001, 1795000001),
  (5, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0C', 'token', 'sk-ssh-ed25519@openssh.com', '', 'SHA256:ghi', x'0005', NULL, 'agent', NULL, NULL, 1795000001, 1795000001);
INSERT INTO identities VALUES
  (1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0D', 'deploy', 'deploy', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F02', 0, 1795000003, 1795000004);
INSERT INTO identity_keys VALUES (1, 0, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0B'), (1, 1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0A');
INSERT INTO snippets VALUES
  (3, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0E', 'restart', 'systemctl restart {{unit=nginx}}' || char(10) || 'echo done', 1795000005, 1795000005);
INSERT INTO snippet_tags VALUES (3, 0, 'ops'), (3, 1, 'web');
INSERT INTO hosts VALUES
  (1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 'web1', '10.0.0.11', 22, NULL, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0D', '', 1, 'green', 'Nord', 'disabled', '/srv', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F0E', 30, 'first' || char(10) || 'second', 1, 'openSSH', 1790000001, 1795000006, 1795000007, NULL, 'reading', 'asciicast'),
  (2, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F02', 'Bastion', 'fe80::1%eth0', 2222, NULL, NULL, 'root', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 1795000006, 1795000006, 1, 'disabled', NULL),
  (4, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F03', 'switch', '10.0.0.2', 23, 'telnet', NULL, '', 1, NULL, NULL, NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, 1795000006, 1795000006, NULL, NULL, 'text');
INSERT INTO host_key_files VALUES (2, 0, '/home/me/.ssh/b'), (2, 1, '/home/me/.ssh/a');
INSERT INTO host_jumps VALUES (1, 0, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F02', NULL), (1, 1, NULL, 'root@10.9.9.9:2200');
INSERT INTO host_tags VALUES (1, 0, 'web'), (1, 1, 'live'), (4, 0, 'net');
INSERT INTO host_environment VALUES (1, 0, 'STAGE', 'a=b');
INSERT INTO known_hosts VALUES
  (1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F04', 'endpoint', '10.0.0.11', 22, 'trusted', 'ssh-ed25519', x'00010203', 'SHA256:abc', '', 1790000002),
  (2, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F05', 'patterns', '*.example', 0, 'certificateAuthority', 'ssh-ed25519', x'0A', 'SHA256:ca', 'ca', 1790000003),
  (3, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F06', 'hashed', '|1|c2FsdA==|ZGlnZXN0', 0, 'revoked', 'ssh-rsa', x'0B', 'SHA256:rv', '', 1790000004);
INSERT INTO templates VALUES
  (1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F07', 'morning', '{"panes":[{"host":"0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01","kind":"ssh","name":"web1","pane":1},{"directory":"/srv","kind":"local","pane":2}],"tree":{"axis":"sideBySide","children":[{"pane":1},{"pane":2}],"shares":[0.25,0.75]}}', 1795000008, 1795000008);
INSERT INTO connection_history VALUES ('web1', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 1790000001, 3);
INSERT INTO connection_events VALUES
  (1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F08', 'web1', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 'terminal', 1790000001, 1790000100, 'connected', NULL),
  (2, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F09', 'root@gone', NULL, 'files', 1790000002, NULL, 'failed', 'refused'),
  (3, 'ABCDEF01-5C5B-4E0A-9B0E-2B0D5C1B7F09', 'web1', '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', 'terminal', 1790000003, NULL, 'cancelled', NULL);
INSERT INTO settings VALUES ('theme', 'Tokyo Night');
INSERT INTO engine_lessons VALUES ('fe80::1%eth0', 2222, '1.10.0', 'libssh2 and the server have no cipher in common', 1798000001);
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
INSERT INTO command_history VALUES
  (1, '0B6F0C3E-5C5B-4E0A-9B0E-2B0D5C1B7F01', '', 'make all', 1790000004, 2, 1500),
  (2, NULL, '', 'ls', 1790000005, NULL, NULL);
PRAGMA user_version = 5;
PRAGMA application_id = 1414679876;
