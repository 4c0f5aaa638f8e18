internal import FoundationEssentials
public import TermindApplication
internal import TermindDomain

/// The store of the server: one SQLite file, one connection, one writer.
///
/// Every call runs on the store's own queue, in order. A call that fails has changed nothing. While a
/// store is open, no other process can open the file.
public actor SQLiteStore {
  /// The file.
  public nonisolated let path: String
  private let executor = StoreExecutor()
  private let now: @Sendable () -> Int64
  private var connection: Connection?
  private var feed = ChangeFeed()
  private var changeCount = 0
  /// The newest place in the journal that readers of changes were told of.
  private var toldSequence: Int64 = 0

  /// The store's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  private init(path: String, now: @escaping @Sendable () -> Int64) {
    self.path = path
    self.now = now
  }

  /// Opens a store, and makes it when there is no file.
  ///
  /// The directory must exist. A file that is damaged, newer, locked, or not writable is reported
  /// and left as it is; one with an older schema is copied to `PATH.schema-N` and then migrated.
  /// - Parameters:
  ///   - path: The file.
  ///   - now: Tells the time, in seconds since 1970.
  /// - Returns: The store, ready for use.
  /// - Throws: Why it cannot be opened.
  public static func open(
    at path: String,
    now: @escaping @Sendable () -> Int64 = SQLiteStore.systemTime
  ) async throws(StoreError) -> SQLiteStore {
    try await open(
      StoreOpening(path: path, plan: .current, busyTimeoutMilliseconds: 2000),
      now: now
    )
  }

  /// Looks whether the store at a path could be opened, and changes nothing; that there is none is no fault.
  ///
  /// - Parameter path: The store's file.
  /// - Throws: Why it could not be opened; `.locked` while a server uses it.
  public static func inspect(_ path: String) throws(StoreError) {
    try StoreOpening(path: path, plan: .current, busyTimeoutMilliseconds: 0).inspect()
  }

  /// The system's time, in seconds since 1970.
  public static let systemTime: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

  static func open(
    _ opening: StoreOpening,
    now: @escaping @Sendable () -> Int64
  ) async throws(StoreError) -> SQLiteStore {
    let store = SQLiteStore(path: opening.path, now: now)
    try await store.connect(opening)
    return store
  }

  private func connect(_ opening: StoreOpening) throws(StoreError) {
    let opened = try opening.open()
    toldSequence = opening.plan.hasJournal ? try opened.newestSequence() : 0
    connection = opened
  }

  /// Ends the connection; every later call fails, and streams of changes end.
  public func close() {
    connection = nil
    feed.end()
  }

  /// The connection, as long as the store is open.
  func database() throws(StoreError) -> Connection {
    guard let connection else { throw .failed(diagnostic: "the store is closed") }
    return connection
  }

  /// Runs a body in one transaction, and tells readers what it changed.
  ///
  /// - Parameters:
  ///   - kinds: What it changes that is not in the journal.
  ///   - body: Gets the connection, and the time that its records are stamped with.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or why the store cannot be written.
  @discardableResult func write<Result>(
    alsoChanging kinds: Set<VaultKind> = [],
    _ body: (Connection, Int64) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let database = try database()
    let result = try database.transaction { () throws(StoreError) in try body(database, now()) }
    tell(of: kinds, database)
    return result
  }

  private func tell(of kinds: Set<VaultKind>, _ database: Connection) {
    var change = VaultChange(kinds: kinds, sequence: toldSequence)
    do throws(StoreError) {
      for entry in try database.journalKinds(after: toldSequence) {
        change = change.merged(with: entry)
      }
    } catch {
      // What was written is written; readers who cannot be told exactly read everything anew.
      change.kinds = Set(VaultKind.allCases)
    }
    toldSequence = change.sequence
    guard !change.kinds.isEmpty else { return }
    changeCount += 1
    change.number = changeCount
    feed.send(change)
  }

  /// The number of the last change; what is read from now on has it and all before.
  public func changeNumber() -> Int { changeCount }

  /// Tells of every change from now on.
  ///
  /// The stream holds one element at most: changes that a reader has not taken yet become one. It ends
  /// when the store is closed.
  public func changes() -> AsyncStream<VaultChange> {
    guard connection != nil else { return AsyncStream { $0.finish() } }
    return feed.subscribe { [weak self] number in
      guard let self else { return }
      Task { await self.unsubscribe(number) }
    }
  }

  private func unsubscribe(_ number: Int) { feed.remove(number) }
}
