internal import TermindApplication

/// The one connection of a store, with its failures told as store errors.
final class Connection {
  let path: String
  let handle: DatabaseHandle

  init(path: String, access: DatabaseAccess) throws(StoreError) {
    self.path = path
    do throws(DatabaseError) {
      handle = try DatabaseHandle(path: path, access: access)
    } catch {
      throw error.storeError(path: path)
    }
  }

  /// Runs statements without values and results.
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
    do throws(DatabaseError) {
      let statement = try handle.prepare(sql)
      try statement.bind(values)
      while try statement.step() {}
      return handle.changes
    } catch {
      throw error.storeError(path: path)
    }
  }

  /// Runs one statement once for every list of values.
  func change(_ sql: String, each lists: [[DatabaseValue]]) throws(StoreError) {
    guard !lists.isEmpty else { return }
    do throws(DatabaseError) {
      let statement = try handle.prepare(sql)
      for values in lists {
        try statement.bind(values)
        while try statement.step() {}
      }
    } catch {
      throw error.storeError(path: path)
    }
  }

  /// The rows of a query, each read by `read`.
  func query<Row>(
    _ sql: String,
    _ values: DatabaseValue...,
    read: (borrowing StatementHandle) -> Row
  ) throws(StoreError) -> [Row] {
    do throws(DatabaseError) {
      let statement = try handle.prepare(sql)
      try statement.bind(values)
      var rows: [Row] = []
      while try statement.step() { rows.append(read(statement)) }
      return rows
    } catch {
      throw error.storeError(path: path)
    }
  }

  /// The first column of the first row as an integer; zero when there is no row.
  func integer(_ sql: String) throws(StoreError) -> Int64 {
    try query(sql) { $0.integer(0) }.first ?? 0
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
