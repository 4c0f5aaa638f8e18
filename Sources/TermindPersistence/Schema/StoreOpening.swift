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
    let isNew = try checkedFile()
    try checkFolder()
    let hadLog = size(of: path + "-wal") > 0
    let connection = try writableConnection()
    // A log that a crash has left is part of the store: as long as it is not clear that the store is ours to
    // use, closing must not move it into the file.
    connection.handle.setCheckpointsOnClose(!hadLog)
    connection.handle.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
    // One process at a time: the lock is taken with the first read and held until the store is closed.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    // Room for what the check reads, so that the first lists need not read it again: 16 MiB at most.
    try connection.execute("PRAGMA cache_size = -16384")
    let version = try checkedVersion(connection, isNew: isNew)
    let isOld = version < plan.version
    // Even the choice of a log is a change, so the copy comes first.
    if isOld, version > 0 { try copy(connection, from: version) }
    try configure(connection)
    if isOld { try migrate(connection) }
    connection.handle.setCheckpointsOnClose(true)
    return connection
  }

  /// Looks whether the store could be opened, and changes nothing; that there is none is no fault.
  ///
  /// - Throws: Why it could not; `.locked` while a server uses it.
  func inspect() throws(StoreError) {
    guard unsafe access(path, F_OK) == 0 else { return }
    guard try !checkedFile() else { return }
    try checkFolder()
    let connection = try writableConnection()
    connection.handle.setCheckpointsOnClose(false)
    connection.handle.setBusyTimeout(milliseconds: 0)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    _ = try checkedVersion(connection, isNew: false)
  }

  /// Looks at the file before SQLite does, and makes an empty one when there is none.
  ///
  /// Only its owner may read it; SQLite gives its side files the same mode.
  /// - Returns: Whether the file is new or empty.
  /// - Throws: `.cannotOpen` when there is something else in its place, or no file can be made.
  private func checkedFile() throws(StoreError) -> Bool {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: return status.st_size == 0
      case S_IFDIR: throw .cannotOpen(path: path, diagnostic: "it is a directory")
      default: throw .cannotOpen(path: path, diagnostic: "it is no regular file")
      }
    }
    let number = errno
    guard number == ENOENT else {
      throw .cannotOpen(path: path, diagnostic: Self.words(number))
    }
    try makeFile(path)
    return true
  }

  private func makeFile(_ path: String) throws(StoreError) {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      switch errno {
      case ENOSPC, EDQUOT: throw .diskFull(path: path)
      case EROFS, EACCES, EPERM:
        throw .notWritable(
          path: path,
          diagnostic: "the file cannot be created: \(Self.words(errno))"
        )
      default: throw .cannotOpen(path: path, diagnostic: "the file cannot be created")
      }
    }
    _ = close(descriptor)
  }

  /// Without a log beside it, which needs the folder, the file cannot be written safely.
  private func checkFolder() throws(StoreError) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = path.contains("/") ? String(path[..<end]) : "."
    guard unsafe access(folder.isEmpty ? "/" : folder, W_OK) == 0 else {
      throw .notWritable(
        path: path,
        diagnostic: "its folder can only be read: \(Self.words(errno))"
      )
    }
  }

  /// SQLite falls back to reading by itself, and would say so only at the first write.
  private func writableConnection() throws(StoreError) -> Connection {
    let connection = try Connection(path: path, access: .existing)
    guard !connection.handle.isReadOnly else {
      throw .notWritable(path: path, diagnostic: "the file can only be read")
    }
    return connection
  }

  /// The system's words for an error.
  private static func words(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }

  private func size(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
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

  private func migrate(_ connection: Connection) throws(StoreError) {
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
    try makeFile(part)
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
      throw .notWritable(path: target, diagnostic: "the copy gets no name: \(Self.words(errno))")
    }
  }
}
