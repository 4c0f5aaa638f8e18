internal import CSQLite
internal import Glibc

/// What SQLite answers to a failed call.
struct DatabaseError: Error, Hashable {
  /// The extended result code.
  let code: Int32
  /// SQLite's own words.
  let message: String
  /// The system's own error number of the last failed call on a file; zero when there was none.
  var systemError: Int32 = 0

  /// The result code without its extension.
  var primaryCode: Int32 { code & 0xFF }
}

/// How a database file is opened.
enum DatabaseAccess {
  /// Read and write; the file must exist.
  case existing
  /// Read and write; the file is made when it is absent.
  case creating
}

/// One open database; used by one thread at a time.
@safe struct DatabaseHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Opens a file.
  init(path: String, access: DatabaseAccess) throws(DatabaseError) {
    let mode =
      switch access {
      case .existing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let handle = unsafe opened else {
      throw DatabaseError(code: code, message: "out of memory")
    }
    guard code == SQLITE_OK else {
      let message = unsafe String(cString: sqlite3_errmsg(handle))
      unsafe sqlite3_close_v2(handle)
      throw DatabaseError(code: code, message: message)
    }
    unsafe pointer = handle
    unsafe _ = tm_sqlite3_set_defensive(handle)
  }

  deinit { unsafe _ = sqlite3_close_v2(pointer) }

  /// Whether closing moves what is in the write-ahead log into the file.
  func setCheckpointsOnClose(_ isOn: Bool) {
    unsafe _ = tm_sqlite3_set_checkpoint_on_close(pointer, isOn ? 1 : 0)
  }

  /// How long a statement waits for another process, in milliseconds.
  func setBusyTimeout(milliseconds: Int32) {
    unsafe _ = sqlite3_busy_timeout(pointer, milliseconds)
  }

  /// Whether the file can only be read.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(pointer, "main") == 1 }

  /// Rows that the last statement changed.
  var changes: Int { unsafe Int(sqlite3_changes(pointer)) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(pointer) == 0 }

  /// The error of the last call.
  func lastError(_ code: Int32) -> DatabaseError {
    unsafe DatabaseError(
      code: code,
      message: String(cString: sqlite3_errmsg(pointer)),
      systemError: sqlite3_system_errno(pointer)
    )
  }

  /// Runs statements without values and results, separated by semicolons.
  func execute(_ sql: String) throws(DatabaseError) {
    errno = 0
    let code = unsafe sqlite3_exec(pointer, sql, nil, nil, nil)
    // The end of a transaction keeps no system error; what the last call of the system left is its reason then.
    let left = errno
    guard code != SQLITE_OK else { return }
    var error = lastError(code)
    if error.systemError == 0 { error.systemError = left }
    throw error
  }

  /// Compiles one statement.
  func prepare(_ sql: String) throws(DatabaseError) -> StatementHandle {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(pointer, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw lastError(code) }
    return unsafe StatementHandle(taking: statement)
  }

  /// Copies the whole database into another one, as one consistent state.
  func copy(into target: borrowing DatabaseHandle) throws(DatabaseError) {
    guard let backup = unsafe sqlite3_backup_init(target.pointer, "main", pointer, "main") else {
      throw target.lastError(SQLITE_ERROR)
    }
    let step = unsafe sqlite3_backup_step(backup, -1)
    let end = unsafe sqlite3_backup_finish(backup)
    guard step == SQLITE_DONE else { throw target.lastError(step) }
    guard end == SQLITE_OK else { throw target.lastError(end) }
  }
}
