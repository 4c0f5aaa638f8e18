internal import CSQLite
internal import FoundationEssentials

/// One compiled statement; used by the thread of its database, and freed before it.
@safe struct StatementHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Takes over a statement that SQLite has just compiled.
  @unsafe init(taking statement: OpaquePointer) { unsafe pointer = statement }

  deinit { unsafe _ = sqlite3_finalize(pointer) }

  /// Gives the statement its values, the first one for `?1`, and starts it anew.
  func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
    // The code repeats the error of the last step, which was thrown there.
    unsafe _ = sqlite3_reset(pointer)
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code = bind(value, at: index)
      guard code == SQLITE_OK else { throw error(code) }
    }
  }

  private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
    switch value {
    case .null:
      return unsafe sqlite3_bind_null(pointer, index)
    case .integer(let number):
      return unsafe sqlite3_bind_int64(pointer, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else {
          return unsafe tm_sqlite3_bind_text_copy(pointer, index, "", 0)
        }
        return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { chars in
          unsafe tm_sqlite3_bind_text_copy(pointer, index, chars, Int32(bytes.count))
        }
      }
    case .blob(let blob):
      return unsafe blob.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
          return unsafe sqlite3_bind_zeroblob(pointer, index, 0)
        }
        return unsafe tm_sqlite3_bind_blob_copy(pointer, index, start, Int32(bytes.count))
      }
    }
  }

  /// Ends the current run of the statement.
  func reset() {
    // The code repeats the error of the last step, which was thrown there.
    unsafe _ = sqlite3_reset(pointer)
  }

  /// Goes to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws(DatabaseError) -> Bool {
    let code = unsafe sqlite3_step(pointer)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
  }

  /// Whether a column of the row is null.
  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  /// A column as an integer; zero when it is null.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

  /// A column as text; empty when it is null.
  func text(_ column: Int32) -> String {
    // The bytes as they lie in the page; as text SQLite copies each one to put a zero behind it.
    guard let start = unsafe sqlite3_column_blob(pointer, column) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(pointer, column))
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: start, count: count),
      as: UTF8.self
    )
  }

  /// A column as text; nil when it is null.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// A column as an integer; nil when it is null.
  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// A column as a UUID; nil when it is null or no UUID.
  func uuid(_ column: Int32) -> UUID? {
    guard let start = unsafe sqlite3_column_blob(pointer, column) else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(pointer, column))
    return unsafe UUIDText.uuid(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A column as bytes; empty when it is null.
  func blob(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(pointer, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(pointer, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func error(_ code: Int32) -> DatabaseError {
    guard let database = unsafe sqlite3_db_handle(pointer) else {
      return DatabaseError(code: code, message: "no database")
    }
    return unsafe DatabaseError(
      code: code,
      message: String(cString: sqlite3_errmsg(database)),
      systemError: sqlite3_system_errno(database)
    )
  }
}
