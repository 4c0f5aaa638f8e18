public import TermindApplication

/// The store of the server: one SQLite file, one connection, one writer.
///
/// Every call runs on the store's own queue, in order. A call that fails has changed nothing.
public actor SQLiteStore {
  /// The file.
  public nonisolated let path: String
  private let executor = StoreExecutor()
  private var connection: Connection?

  /// The store's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  private init(path: String) { self.path = path }

  /// Opens a store, and makes it when there is no file.
  ///
  /// The directory must exist. A file that is damaged, newer, locked, or not writable is reported
  /// and left as it is; one with an older schema is copied to `PATH.schema-N` and then migrated.
  /// - Parameter path: The file.
  /// - Returns: The store, ready for use.
  /// - Throws: Why it cannot be opened.
  public static func open(at path: String) async throws(StoreError) -> SQLiteStore {
    try await open(
      StoreOpening(path: path, plan: .current, busyTimeoutMilliseconds: 2000)
    )
  }

  static func open(_ opening: StoreOpening) async throws(StoreError) -> SQLiteStore {
    let store = SQLiteStore(path: opening.path)
    try await store.connect(opening)
    return store
  }

  private func connect(_ opening: StoreOpening) throws(StoreError) {
    connection = try opening.open()
  }

  /// Ends the connection; every later call fails.
  public func close() { connection = nil }

  /// The connection, as long as the store is open.
  func database() throws(StoreError) -> Connection {
    guard let connection else { throw .failed(diagnostic: "the store is closed") }
    return connection
  }
}
