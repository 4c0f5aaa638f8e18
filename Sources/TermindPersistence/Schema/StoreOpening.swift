internal import FoundationEssentials
internal import Glibc
internal import TermindApplication

/// Opens a store file: checks it, copies it when it is older, migrates it.
///
/// Whatever fails, the file stays as it was: it is never replaced, and a migration is one
/// transaction.
struct StoreOpening {
  let path: String
  let plan: SchemaPlan
  let busyTimeoutMilliseconds: Int32

  /// The connection of a store that has the plan's newest schema.
  func open() throws(StoreError) -> Connection {
    let isNew = try makeFileIfAbsent()
    let connection = try Connection(path: path, access: .existing)
    connection.handle.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
    let version = try checkedVersion(connection, isNew: isNew)
    guard !connection.handle.isReadOnly else {
      throw .notWritable(path: path, diagnostic: "the file can only be read")
    }
    try configure(connection)
    if version < plan.version { try migrate(connection, from: version) }
    return connection
  }

  /// Makes an empty file that only its owner may read; SQLite gives its side files the same mode.
  ///
  /// - Returns: Whether the file is new or empty.
  private func makeFileIfAbsent() throws(StoreError) -> Bool {
    let manager = FileManager.default
    var isDirectory = false
    if manager.fileExists(atPath: path, isDirectory: &isDirectory) {
      guard !isDirectory else { throw .cannotOpen(path: path, diagnostic: "it is a directory") }
      // A file that cannot be looked at is judged by SQLite's answer.
      let size = try? manager.attributesOfItem(atPath: path)[.size] as? Int
      return size == 0
    }
    guard
      manager.createFile(
        atPath: path,
        contents: Data(),
        attributes: [.posixPermissions: 0o600]
      )
    else { throw .cannotOpen(path: path, diagnostic: "the file cannot be created") }
    return true
  }

  /// Checks whose file it is, and whether it is whole, before anything in it is changed.
  ///
  /// - Returns: The number of its schema, zero for a new one.
  private func checkedVersion(
    _ connection: Connection,
    isNew: Bool
  ) throws(StoreError) -> Int {
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
    let application = try connection.integer("PRAGMA application_id")
    let version = Int(try connection.integer("PRAGMA user_version"))
    if tables == 0, application == 0, version == 0 { return 0 }
    guard application == SchemaPlan.applicationID, version > 0 else {
      throw .cannotOpen(path: path, diagnostic: "it is the database of another program")
    }
    guard version <= plan.version else {
      throw .newerSchema(path: path, found: version, supported: plan.version)
    }
    let problems = try connection.query("PRAGMA quick_check(1)") { $0.text(0) }
    guard problems == ["ok"] else {
      throw .corrupt(path: path, diagnostic: problems.joined(separator: "; "))
    }
    return version
  }

  private func configure(_ connection: Connection) throws(StoreError) {
    let mode = try connection.query("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard mode == ["wal"] else {
      throw .cannotOpen(path: path, diagnostic: "no write-ahead log: \(mode)")
    }
    try connection.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      """
    )
  }

  private func migrate(_ connection: Connection, from version: Int) throws(StoreError) {
    if version > 0 { try copy(connection, from: version) }
    try connection.transaction { () throws(StoreError) in
      // Another process may have done it while this one waited for the lock.
      let present = Int(try connection.integer("PRAGMA user_version"))
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS schema_migrations (
          version INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          applied_at INTEGER NOT NULL
        ) STRICT;
        """
      )
      for step in plan.steps(after: present) {
        try connection.execute(step.sql)
        try connection.change(
          "INSERT INTO schema_migrations (version, name, applied_at) VALUES (?1, ?2, unixepoch())",
          .integer(Int64(step.version)),
          .text(step.name)
        )
      }
      try connection.execute("PRAGMA user_version = \(plan.version)")
      try connection.execute("PRAGMA application_id = \(SchemaPlan.applicationID)")
    }
  }

  /// Where the copy of a store with an older schema lies.
  static func copyPath(of path: String, version: Int) -> String { "\(path).schema-\(version)" }

  /// Copies the store beside itself; the copy has its name only once it is whole.
  private func copy(_ connection: Connection, from version: Int) throws(StoreError) {
    let problems = try connection.query("PRAGMA integrity_check(1)") { $0.text(0) }
    guard problems == ["ok"] else {
      throw .corrupt(path: path, diagnostic: problems.joined(separator: "; "))
    }
    let target = Self.copyPath(of: path, version: version)
    let part = target + ".part"
    let manager = FileManager.default
    // What an interrupted copy has left; when it cannot be removed, making the file fails below.
    try? manager.removeItem(atPath: part)
    guard
      manager.createFile(
        atPath: part,
        contents: Data(),
        attributes: [.posixPermissions: 0o600]
      )
    else { throw .notWritable(path: part, diagnostic: "the copy cannot be created") }
    do throws(DatabaseError) {
      let copy = try DatabaseHandle(path: part, access: .existing)
      try connection.handle.copy(into: copy)
      // The copy carries the write-ahead mode of its source; as a single file it needs none.
      try copy.execute("PRAGMA journal_mode = DELETE")
    } catch {
      // The failure of the copy is what counts.
      try? manager.removeItem(atPath: part)
      throw error.storeError(path: part)
    }
    // Takes the place of the copy that an earlier, failed migration has left.
    guard unsafe rename(part, target) == 0 else {
      throw .notWritable(path: target, diagnostic: "rename: errno \(errno)")
    }
  }
}
