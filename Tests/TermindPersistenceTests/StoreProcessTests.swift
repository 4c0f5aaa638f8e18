import FoundationEssentials
import Glibc
import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

/// What only another process can show: its death, its lock, and its limits.
@Suite("A store between processes") struct StoreProcessTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  static func host(_ name: String, notes: String = "") -> HostRecord {
    HostRecord(name: name, endpoint: SSHEndpoint(host: "h"), notes: notes)
  }

  static func open(_ path: String) async throws -> SQLiteStore {
    try await SQLiteStore.open(
      StoreOpening(path: path, plan: .current, busyTimeoutMilliseconds: 20),
      now: { 0 }
    )
  }

  @Test("a process that is killed in the middle of a transaction loses nothing that was committed")
  func killed() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.storePath as String] in
      let store = try await Self.open(path)
      for number in 0..<20 { try await store.save(Self.host("kept\(number)")) }
      // Far more than the cache holds, so that the open transaction reaches the log.
      try await store.execute("PRAGMA cache_size = 10; BEGIN IMMEDIATE; DELETE FROM hosts;")
      try await store.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO settings SELECT 'k' || i, hex(randomblob(200)) FROM n
        """
      )
      kill(getpid(), SIGKILL)
    }
    let log = try folder.bytes("store.sqlite-wal").count
    #expect(log > 100_000)
    let store = try await folder.open()
    #expect(try await store.hosts().count == 20)
    #expect(try await store.settings().isEmpty)
    #expect(
      try await store.journal(after: 0, limit: 99).map(\.action)
        == Array(repeating: .created, count: 20)
    )
    #expect(try await store.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("a second process finds the store locked and changes nothing, until the first is done")
  func twoProcesses() async throws {
    let store = try await folder.open()
    try await store.save(Self.host("mine"))
    let before = try folder.names()
    await #expect(processExitsWith: .success) { [path = folder.storePath as String] in
      await #expect(throws: StoreError.locked(path: path)) { try await Self.open(path) }
    }
    #expect(try folder.names() == before)
    try await store.save(Self.host("still mine"))
    await store.close()
    await #expect(processExitsWith: .success) { [path = folder.storePath as String] in
      let other = try await Self.open(path)
      try #require(try await other.hosts().count == 2)
      try await other.save(Self.host("theirs"))
    }
    #expect(try await folder.open().hosts().count == 3)
  }

  @Test("a file that may not grow is a full disk, and what was saved stays")
  func fullDisk() async throws {
    await #expect(processExitsWith: .success) { [path = folder.storePath as String] in
      let store = try await Self.open(path)
      try await store.save(Self.host("first"))
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 400_000, rlim_max: 400_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let large = Self.host("large", notes: String(repeating: "x", count: 2_000_000))
      await #expect(throws: StoreError.diskFull(path: path)) { try await store.save(large) }
      try await store.save(Self.host("second"))
      try #require(try await store.hosts().map(\.name) == ["first", "second"])
    }
    let store = try await folder.open()
    #expect(try await store.hosts().map(\.name) == ["first", "second"])
  }

  @Test("without room for its copy a store is not migrated")
  func noRoomForCopy() async throws {
    try folder.rawConnection(creating: true).execute(try StoreFolder.fixture("schema-1.sql"))
    let before = try folder.bytes()
    await #expect(processExitsWith: .success) { [path = folder.storePath as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 8192, rlim_max: 8192)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      await #expect(
        throws: StoreError.diskFull(path: StoreOpening.copyPath(of: path, version: 1) + ".part")
      ) { try await Self.open(path) }
    }
    #expect(try folder.bytes() == before)
    #expect(try folder.names() == ["store.sqlite"])
    #expect(try await folder.open().hosts().count == 2)
  }

  @Test("what a crash of a newer version left in the log stays where it is")
  func newerLog() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.storePath as String] in
      let store = try await Self.open(path)
      try await store.save(Self.host("a"))
      try await store.execute("PRAGMA user_version = 99")
      kill(getpid(), SIGKILL)
    }
    let before = (try folder.bytes(), try folder.bytes("store.sqlite-wal"))
    #expect(before.1.count > 0)
    await #expect(
      throws: StoreError.newerSchema(
        path: folder.storePath,
        found: 99,
        supported: SchemaPlan.current.version
      )
    ) { try await folder.open() }
    #expect(try folder.bytes() == before.0)
    #expect(try folder.bytes("store.sqlite-wal") == before.1)
  }

  @Test("something else than a file in its place is reported at once")
  func noFile() async throws {
    try #require(mkfifo(folder.storePath, 0o600) == 0)
    await #expect(
      throws: StoreError.cannotOpen(path: folder.storePath, diagnostic: "it is no regular file")
    ) { try await folder.open() }
  }
}
