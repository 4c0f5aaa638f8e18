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
    // What named a saved host means that host from now on, whatever it is called.
    #expect(hosts[1].jumps == [.saved(hosts[0].id)])
    #expect(!hosts[0].usesAgent && hosts[1].usesAgent)
    #expect(hosts.allSatisfy { $0.times.created > 0 && $0.times.created == $0.times.modified })
    #expect(hosts[1].lastUsed == 1_790_000_001)
    let known = try await store.knownHosts(at: SSHEndpoint(host: "10.0.0.11"))
    #expect(known.map(\.key.blob) == [[0, 1, 2, 3]])
    #expect(known.map(\.since) == [1_790_000_002])
    let events = try await store.connectionEvents(limit: 9, host: nil)
    #expect(events.map(\.target) == ["web1"])
    #expect(events.map(\.host) == [hosts[1].id])
    let journal = try await store.journal(after: 0, limit: 99)
    #expect(Set(journal.map(\.kind)) == [.host, .knownHost, .history, .setting])
    #expect(journal.allSatisfy { $0.action == .created })
    #expect(try await store.texts("PRAGMA foreign_key_check") == [])
    #expect(
      try await store.texts(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%!_1' ESCAPE '!'"
      )
        == []
    )
    #expect(try await store.setting("theme") == "Tokyo Night")
    #expect(try await store.recentConnections(limit: 5).map(\.count) == [3])
  }

  @Test("a store of schema 2 opens with all that is in it")
  func secondSchema() async throws {
    try makeStore(fixture: "schema-2.sql")
    let store = try await folder.open()
    let hosts = try await store.hosts()
    #expect(hosts.map(\.name) == ["Bastion", "switch", "web1"])
    let keys = try await store.keys()
    #expect(keys.map(\.name) == ["Ed25519", "token", "work"])
    #expect(keys[2].certificate == [2, 3])
    #expect(keys[2].location == .file(path: "/home/me/.ssh/id"))
    #expect(keys[1].location == .agent)
    let identity = try #require(try await store.identities().first)
    #expect(identity.keys == [keys[0].id, keys[2].id])
    #expect(identity.password != nil && !identity.usesAgent)
    let snippet = try #require(try await store.snippets().first)
    #expect(snippet.text == "systemctl restart {{unit=nginx}}\necho done")
    #expect(snippet.tags == ["ops", "web"])
    let web = HostRecord(
      id: hosts[2].id,
      name: "web1",
      endpoint: SSHEndpoint(host: "10.0.0.11"),
      identity: identity.id,
      jumps: [.saved(hosts[0].id), "root@10.9.9.9:2200"],
      tags: ["web", "live"],
      color: .green,
      theme: "Nord",
      shellIntegration: .disabled,
      startDirectory: "/srv",
      startupSnippet: snippet.id,
      environment: [EnvironmentVariable(name: "STAGE", value: "a=b")],
      keepAliveSeconds: 30,
      notes: "first\nsecond",
      isPinned: true,
      engine: .openSSH,
      lastUsed: 1_790_000_001,
      times: RecordTimes(created: 1_795_000_006, modified: 1_795_000_007)
    )
    #expect(hosts[2] == web)
    #expect(hosts[1].connectionProtocol == .telnet && hosts[1].keepAliveSeconds == 0)
    #expect(hosts[0].keyFiles == ["/home/me/.ssh/b", "/home/me/.ssh/a"])
    #expect(try await store.knownHostRules().map(\.marker) == [.certificateAuthority, .revoked])
    let template = try #require(try await store.templates().first)
    #expect(template.contents == [.ssh(web.id, name: "web1"), .local(directory: "/srv")])
    #expect(try await store.connectionEvents(limit: 9, host: nil).count == 3)
    #expect(try await store.recentConnections(limit: 9).map(\.count) == [3])
    #expect(try await store.setting("theme") == "Tokyo Night")
    #expect(try await store.journal(after: 0, limit: 99).count == 16)
  }

  @Test("a store of schema 3 opens with all that it has beyond schema 2")
  func thirdSchema() async throws {
    try makeStore(fixture: "schema-3.sql")
    let store = try await folder.open()
    let hosts = try await store.hosts()
    #expect(hosts.map(\.allowsOldAlgorithms) == [true, false, false])
    let lesson = try #require(try await store.engineLesson(for: hosts[0].endpoint, way: ""))
    #expect(lesson.library == "1.10.0")
    #expect(lesson.reason == "libssh2 and the server have no cipher in common")
    #expect(try await store.journal(after: 0, limit: 99).count == 16)
    // What is new is in the journal, and what was learned is not.
    var changed = hosts[1]
    changed.allowsOldAlgorithms = true
    try await store.save(changed)
    try await store.remember(lesson)
    let last = try await store.journal(after: 0, limit: 99).last
    #expect(last?.record == "\(changed.id)" && last?.action == .updated)
    #expect(try await store.hosts()[1].allowsOldAlgorithms)
  }

  @Test("a store of schema 4 opens with the commands that are in it")
  func fourthSchema() async throws {
    try makeStore(fixture: "schema-4.sql")
    let store = try await folder.open()
    let host = try #require(try await store.hosts().first { $0.name == "web1" })
    #expect(
      try await store.commands(at: .host(host.id), limit: 9) == [
        CommandRecord(text: "make all", started: 1_790_000_004, status: 2, milliseconds: 1_500)
      ]
    )
    #expect(try await store.commands(at: .local, limit: 9).map(\.text) == ["ls"])
  }

  @Test("a store of schema 5 opens with what it says of clipboard and recordings of hosts")
  func fifthSchema() async throws {
    try makeStore(fixture: "schema-5.sql")
    let store = try await folder.open()
    let hosts = try await store.hosts()
    #expect(hosts.map(\.name) == ["Bastion", "switch", "web1"])
    #expect(hosts.map(\.clipboard) == [.disabled, .standard, .reading])
    #expect(hosts.map(\.recording) == [nil, .text, .asciicast])
    // A change of them is in the journal.
    var changed = hosts[0]
    changed.clipboard = .writing
    changed.recording = .text
    try await store.save(changed)
    let last = try await store.journal(after: 0, limit: 99).last
    #expect(last?.record == "\(changed.id)" && last?.action == .updated)
    #expect(try await store.hosts()[0].clipboard == .writing)
    #expect(try await store.hosts()[0].recording == .text)
  }

  @Test("each schema is frozen", arguments: 1...SchemaPlan.current.version)
  func frozen(version: Int) async throws {
    func shape(_ rows: [String]) -> [String] {
      rows.map { $0.split { $0.isWhitespace }.joined(separator: " ") }.sorted()
    }
    let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
    let plan = SchemaPlan(steps: Array(SchemaPlan.current.steps.prefix(version)))
    let made = try await folder.open(plan: plan).texts(sql)
    let other = try StoreFolder()
    try other.rawConnection(creating: true)
      .execute(try StoreFolder.fixture("schema-\(version).sql"))
    let fixed = try await other.open(plan: plan).texts(sql)
    #expect(shape(made) == shape(fixed))
  }

  @Test("an older store is copied, then migrated with its content")
  func migrates() async throws {
    try makeStore(fixture: "schema-1.sql")
    let plan = longerPlan("ALTER TABLE hosts ADD COLUMN note TEXT")
    let store = try await folder.open(plan: plan)
    #expect(try await store.hosts().count == 2)
    let current = SchemaPlan.current.version
    #expect(
      try await store.texts("SELECT version FROM schema_migrations")
        == (1...current + 1).map(String.init)
    )
    #expect(try await store.texts("SELECT count(*) FROM hosts WHERE note IS NULL") == ["2"])
    await store.close()
    let copy = StoreOpening.copyPath(of: folder.storePath, version: 1)
    #expect(try folder.names() == ["store.sqlite", "store.sqlite.schema-1"])
    let old = try Connection(path: copy, access: .existing)
    #expect(try old.integer("SELECT count(*) FROM hosts") == 2)
    #expect(try old.integer("PRAGMA user_version") == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    await #expect(
      throws: StoreError.newerSchema(
        path: folder.storePath,
        found: current + 1,
        supported: current
      )
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
    do {
      let raw = try folder.rawConnection()
      #expect(try raw.integer("SELECT count(*) FROM hosts") == 2)
      #expect(try raw.integer("SELECT count(*) FROM pragma_table_info('hosts')") == 7)
      #expect(try raw.integer("PRAGMA user_version") == 1)
    }
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
    #expect(try folder.rawConnection().integer("PRAGMA user_version") == 1)
  }
}
