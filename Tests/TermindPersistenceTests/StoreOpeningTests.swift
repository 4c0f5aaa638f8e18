import FoundationEssentials
import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

@Suite("Opening a store") struct StoreOpeningTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  let web = HostRecord(name: "web", endpoint: SSHEndpoint(host: "10.0.0.1"))

  /// Makes a store with one host and closes it.
  func makeStore() async throws {
    let store = try await folder.open()
    try await store.save(web)
    await store.close()
  }

  func expectUntouched(_ error: StoreError) async throws {
    let before = try folder.bytes()
    let names = try folder.names()
    await #expect(throws: error) { try await folder.open() }
    #expect(try folder.bytes() == before)
    #expect(try folder.names() == names)
  }

  @Test("a new store has the newest schema, a log, foreign keys, and is private")
  func newStore() async throws {
    let store = try await folder.open()
    #expect(try await store.texts("PRAGMA user_version") == ["\(SchemaPlan.current.version)"])
    #expect(try await store.texts("PRAGMA journal_mode") == ["wal"])
    #expect(try await store.texts("PRAGMA foreign_keys") == ["1"])
    let versions = (1...SchemaPlan.current.version).map { "\($0)" }
    #expect(try await store.texts("SELECT version FROM schema_migrations") == versions)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.storePath)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try folder.names().contains { $0.contains(".schema-") } == false)
  }

  @Test("a store comes back after closing, and fails while it is closed")
  func reopening() async throws {
    let store = try await folder.open()
    try await store.save(web)
    await store.close()
    await #expect(throws: StoreError.failed(diagnostic: "the store is closed")) {
      try await store.hosts()
    }
    #expect(try await folder.open().hosts() == [web])
  }

  @Test("an empty file becomes a store")
  func emptyFile() async throws {
    try folder.write(Data())
    #expect(try await folder.open().hosts().isEmpty)
  }

  @Test("a directory that is absent, or a directory in its place, is reported with the path")
  func noPlace() async throws {
    let path = folder.path + "/none/store.sqlite"
    await #expect(
      throws: StoreError.cannotOpen(path: path, diagnostic: "the file cannot be created")
    ) {
      try await SQLiteStore.open(at: path)
    }
    await #expect(
      throws: StoreError.cannotOpen(path: folder.path, diagnostic: "it is a directory")
    ) {
      try await SQLiteStore.open(at: folder.path)
    }
  }

  @Test("what is no database is corrupt, and stays as it is")
  func garbage() async throws {
    try folder.write(Data(String(repeating: "this is no database. ", count: 500).utf8))
    try await expectUntouched(
      .corrupt(path: folder.storePath, diagnostic: "file is not a database (26)")
    )
  }

  @Test("a damaged page is found before the store is used")
  func damaged() async throws {
    try await makeStore()
    var bytes = try folder.bytes()
    // The b-tree header of every page after the first one.
    for start in stride(from: 4096, to: bytes.count, by: 4096) {
      for offset in 0..<64 { bytes[start + offset] = 0xA5 }
    }
    try folder.write(bytes)
    let error = await #expect(throws: StoreError.self) { try await folder.open() }
    guard case .corrupt(let path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(path == folder.storePath)
    #expect(try folder.bytes() == bytes)
  }

  @Test("a truncated store is corrupt")
  func truncated() async throws {
    try await makeStore()
    try folder.write(try folder.bytes().prefix(4096 + 100))
    let error = await #expect(throws: StoreError.self) { try await folder.open() }
    guard case .corrupt = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a newer schema is named, and the store stays as it is")
  func newer() async throws {
    try await makeStore()
    try folder.rawConnection().execute("PRAGMA user_version = 99")
    try await expectUntouched(
      .newerSchema(path: folder.storePath, found: 99, supported: SchemaPlan.current.version)
    )
  }

  @Test("the database of another program is left alone")
  func foreign() async throws {
    let other = try folder.rawConnection(creating: true)
    try other.execute("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine');")
    try await expectUntouched(
      .cannotOpen(path: folder.storePath, diagnostic: "it is the database of another program")
    )
  }

  @Test("a store that another process holds is reported as locked")
  func locked() async throws {
    try await makeStore()
    let other = try folder.rawConnection()
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM settings;")
    await #expect(throws: StoreError.locked(path: folder.storePath)) { try await folder.open() }
    try other.execute("ROLLBACK")
  }

  @Test("a file that can only be read is reported")
  func readOnly() async throws {
    try await makeStore()
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder.storePath)
    // The superuser may write all the same.
    guard !manager.isWritableFile(atPath: folder.storePath) else { return }
    await #expect(
      throws: StoreError.notWritable(
        path: folder.storePath,
        diagnostic: "the file can only be read"
      )
    ) { try await folder.open() }
  }
}
