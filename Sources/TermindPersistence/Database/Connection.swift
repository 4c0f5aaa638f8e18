internal import TermindApplication

/// The one connection of a store, with its failures told as store errors.
final class Connection {
  let path: String
  let handle: DatabaseHandle
  /// Statements by their text; the program has a fixed number of them.
  private var statements: [String: PreparedStatement] = [:]

  init(path: String, access: DatabaseAccess) throws(StoreError) {
    self.path = path
    do throws(DatabaseError) {
      handle = try DatabaseHandle(path: path, access: access)
    } catch {
      throw error.storeError(path: path)
    }
  }

  deinit {
    // A database is closed only when it has no statement left.
    statements = [:]
  }

  /// Runs statements without values and results; they are not kept.
  func execute(_ sql: String) throws(StoreError) {
    do throws(DatabaseError) {
      try handle.execute(sql)
    } catch {
      throw error.storeError(path: path)
    }
  }

  /// Runs one statement that changes rows.
  ///
  /// - Returns: How many rows were changed.
  @discardableResult func change(
    _ sql: String,
    _ values: DatabaseValue...
  ) throws(StoreError) -> Int {
    try run(sql, values) { _ in }
    return handle.changes
  }

  /// Runs one statement once for every list of values.
  func change(_ sql: String, each lists: [[DatabaseValue]]) throws(StoreError) {
    for values in lists { try run(sql, values) { _ in } }
  }

  /// The rows of a query, each read by `read`.
  func query<Row>(
    _ sql: String,
    _ values: DatabaseValue...,
    read: (borrowing StatementHandle) -> Row
  ) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    try run(sql, values) { rows.append(read($0)) }
    return rows
  }

  /// Runs a kept statement and shows each of its rows.
  func run(
    _ sql: String,
    _ values: [DatabaseValue],
    _ visit: (borrowing StatementHandle) -> Void
  ) throws(StoreError) {
    do throws(DatabaseError) {
      let statement = try prepared(sql)
      // A statement that stands on a row keeps its transaction open.
      defer { statement.handle.reset() }
      try statement.handle.bind(values)
      while try statement.handle.step() { visit(statement.handle) }
    } catch {
      throw error.storeError(path: path)
    }
  }

  private func prepared(_ sql: String) throws(DatabaseError) -> PreparedStatement {
    if let found = statements[sql] { return found }
    let made = PreparedStatement(try handle.prepare(sql))
    statements[sql] = made
    return made
  }

  /// The first column of the first row as an integer; zero when there is no row.
  func integer(_ sql: String, _ values: DatabaseValue...) throws(StoreError) -> Int64 {
    var result: Int64?
    try run(sql, values) { row in result = result ?? row.integer(0) }
    return result ?? 0
  }

  /// Runs a body in one transaction, which is undone when the body or its end fails.
  func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some failures have ended the transaction already.
      if handle.isInTransaction {
        // The first failure is what the caller has to know.
        try? execute("ROLLBACK")
      }
      throw error
    }
  }
}
