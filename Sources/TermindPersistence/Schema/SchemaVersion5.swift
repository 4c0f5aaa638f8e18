extension SchemaStep {
  /// What programs of a host may do with the clipboard, and whether its sessions are written down; frozen.
  static let version5 = SchemaStep(
    version: 5,
    name: "clipboard and recordings of hosts",
    sql: """
      ALTER TABLE hosts ADD COLUMN clipboard TEXT;
      ALTER TABLE hosts ADD COLUMN recording TEXT;

      DROP TRIGGER hosts_updated;
      CREATE TRIGGER hosts_updated AFTER UPDATE OF id, name, address, port, protocol, identity,
        username, uses_agent, color, theme, shell_integration, start_directory, startup_snippet,
        keep_alive, notes, is_pinned, engine, allows_old, clipboard, recording, created, modified
        ON hosts BEGIN
        DELETE FROM change_journal WHERE kind = 'host' AND record = NEW.id;
        INSERT INTO change_journal (kind, record, action, at)
        VALUES ('host', NEW.id, 'updated', unixepoch());
      END;
      """
  )
}
