extension SchemaStep {
  /// Hosts that may use old algorithms, and what was learned about engines; frozen.
  ///
  /// - A lesson belongs to an address, since jump hosts and typed targets have one too. It differs between machines,
  ///   as the libraries do, so it is not in the journal.
  /// - A host that moves, that is set to another engine, or that is deleted takes the lesson of its address with it.
  static let version3 = SchemaStep(
    version: 3,
    name: "old algorithms of hosts, lessons about engines",
    sql: """
      ALTER TABLE hosts ADD COLUMN allows_old INTEGER CHECK (allows_old = 1);

      DROP TRIGGER hosts_updated;
      CREATE TRIGGER hosts_updated AFTER UPDATE OF id, name, address, port, protocol, identity,
        username, uses_agent, color, theme, shell_integration, start_directory, startup_snippet,
        keep_alive, notes, is_pinned, engine, allows_old, created, modified ON hosts BEGIN
        DELETE FROM change_journal WHERE kind = 'host' AND record = NEW.id;
        INSERT INTO change_journal (kind, record, action, at)
        VALUES ('host', NEW.id, 'updated', unixepoch());
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
      """
  )
}
