import FoundationEssentials
import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

@Suite("Migration") struct MigrationTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// The current plan and one step more.
  func longerPlan(_ sql: String) -> SchemaPlan {
    let version = SchemaPlan.current.version + 1
    return SchemaPlan(
      steps: SchemaPlan.current.steps + [SchemaStep(version: version, name: "test", sql: sql)]
    )
  }

  func makeStore(fixture name: String) throws {
    try folder.rawConnection(creating: true).execute(try StoreFolder.fixture(name))
  }

  @Test("the steps are numbered without a gap")
  func numbers() {
    #expect(SchemaPlan.current.steps.map(\.version) == Array(1...SchemaPlan.current.version))
  }

  @Test("a store of schema 1 opens with all that is in it")
  func firstSchema() async throws {
    try makeStore(fixture: "schema-1.sql")
    let store = try await folder.open()
    let hosts = try await store.hosts()
    #expect(hosts.map(\.name) == ["Bastion", "web1"])
    #expect(hosts[0].endpoint == SSHEndpoint(host: "fe80::1%eth0", port: 2222))
    #expect(hosts[1].keyFiles == ["/home/me/.ssh/b", "/home/me/.ssh/a"])
    #expect(hosts[1].jumps == ["Bastion"])
    #expect(hosts[1].lastUsed == 1_790_000_001)
    let known = try await store.knownHosts(at: SSHEndpoint(host: "10.0.0.11"))
    #expect(known.map(\.key.blob) == [[0, 1, 2, 3]])
    #expect(try await store.setting("theme") == "Tokyo Night")
    #expect(try await store.recentConnections(limit: 5).map(\.count) == [3])
  }

  @Test("schema 1 is frozen")
  func frozen() async throws {
    func shape(_ rows: [String]) -> [String] {
      rows.map { $0.split { $0.isWhitespace }.joined(separator: " ") }.sorted()
    }
    let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
    let plan = SchemaPlan(steps: [.version1])
    let made = try await folder.open(plan: plan).texts(sql)
    let other = try StoreFolder()
    try other.rawConnection(creating: true).execute(try StoreFolder.fixture("schema-1.sql"))
    let fixed = try await other.open(plan: plan).texts(sql)
    #expect(shape(made) == shape(fixed))
  }

  @Test("an older store is copied, then migrated with its content")
  func migrates() async throws {
    try makeStore(fixture: "schema-1.sql")
    let plan = longerPlan("ALTER TABLE hosts ADD COLUMN note TEXT")
    let store = try await folder.open(plan: plan)
    #expect(try await store.hosts().count == 2)
    #expect(try await store.texts("SELECT version FROM schema_migrations") == ["1", "2"])
    #expect(try await store.texts("SELECT count(*) FROM hosts WHERE note IS NULL") == ["2"])
    await store.close()
    let copy = StoreOpening.copyPath(of: folder.storePath, version: 1)
    #expect(try folder.names() == ["store.sqlite", "store.sqlite.schema-1"])
    let old = try await SQLiteStore.open(at: copy)
    #expect(try await old.hosts().count == 2)
    #expect(try await old.texts("PRAGMA user_version") == ["1"])
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    await #expect(
      throws: StoreError.newerSchema(path: folder.storePath, found: 2, supported: 1)
    ) { try await folder.open() }
  }

  @Test("a migration that fails leaves the store as it was, and can be tried again")
  func failing() async throws {
    try makeStore(fixture: "schema-1.sql")
    let broken = longerPlan(
      "ALTER TABLE hosts ADD COLUMN note TEXT; INSERT INTO nowhere VALUES (1)"
    )
    await #expect(throws: StoreError.failed(diagnostic: "no such table: nowhere (1)")) {
      try await folder.open(plan: broken)
    }
    let store = try await folder.open()
    #expect(try await store.hosts().count == 2)
    #expect(
      try await store.texts("SELECT count(*) FROM pragma_table_info('hosts')") == ["7"]
    )
    await store.close()
    let again = try await folder.open(plan: longerPlan("ALTER TABLE hosts ADD COLUMN note TEXT"))
    #expect(try await again.hosts().count == 2)
    #expect(try folder.names().filter { $0.contains("part") } == [])
  }

  @Test("without a copy nothing is migrated")
  func noCopy() async throws {
    try makeStore(fixture: "schema-1.sql")
    let copy = StoreOpening.copyPath(of: folder.storePath, version: 1)
    try FileManager.default.createDirectory(
      atPath: copy + "/full",
      withIntermediateDirectories: true
    )
    let error = await #expect(throws: StoreError.self) {
      try await folder.open(plan: longerPlan("ALTER TABLE hosts ADD COLUMN note TEXT"))
    }
    guard case .notWritable(copy, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let store = try await folder.open()
    #expect(try await store.texts("PRAGMA user_version") == ["1"])
  }
}
