import TermindApplication
import TermindDomain
import TermindPersistence
import TermindTestSupport
import Testing

/// The stores that must keep the same contract.
enum StoreKind: CaseIterable {
  case inMemory
  case sqlite

  typealias Store = HostStoring & KnownHostStoring & SettingStoring & ConnectionHistoryStoring
    & EngineLessonStoring

  func make(in folder: StoreFolder) async throws -> any Store {
    switch self {
    case .inMemory: InMemoryVault()
    case .sqlite: try await folder.open()
    }
  }
}

@Suite("Vault contract") struct VaultContractTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  func host(_ name: String) -> HostRecord {
    HostRecord(
      name: name,
      endpoint: SSHEndpoint(host: "\(name).example", port: 2222),
      username: "deploy",
      keyFiles: ["/k/b", "/k/a"],
      usesAgent: false,
      jumps: ["x", "root@y:22", "x"],
      lastUsed: 17
    )
  }

  func key(_ type: String, _ bytes: [UInt8]) -> HostKey {
    HostKey(type: type, blob: bytes, fingerprint: "SHA256:\(bytes.count)")
  }

  // MARK: Hosts

  @Test("a host comes back as it was saved", arguments: StoreKind.allCases)
  func roundTrip(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let odd = HostRecord(
      name: "n'; DROP TABLE hosts; -- \"\u{1F914}",
      endpoint: SSHEndpoint(host: "fe80::1%eth0")
    )
    try await store.save(host("web"))
    try await store.save(odd)
    let found = try await store.hosts()
    #expect(found.map(\.name) == [odd.name, "web"])
    #expect(found[0] == odd)
    #expect(found[1].keyFiles == ["/k/b", "/k/a"])
    #expect(found[1].jumps == ["x", "root@y:22", "x"])
    #expect(found[1].endpoint == SSHEndpoint(host: "web.example", port: 2222))
    #expect(found[1].lastUsed == 17)
    #expect(!found[1].usesAgent)
  }

  @Test("hosts are sorted by name, both cases together", arguments: StoreKind.allCases)
  func order(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    for name in ["b", "C", "a", "B", "é", "web10", "web1"] { try await store.save(host(name)) }
    #expect(
      try await store.hosts().map(\.name) == ["a", "B", "b", "C", "web1", "web10", "é"]
    )
  }

  @Test("saving again replaces the record and keeps its id", arguments: StoreKind.allCases)
  func replacing(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    var record = host("web")
    try await store.save(record)
    record.name = "web2"
    record.keyFiles = []
    record.jumps = ["only"]
    record.lastUsed = 99
    try await store.save(record)
    #expect(try await store.hosts() == [record])
    record.lastUsed = nil
    try await store.save(record)
    // An older copy of a record, such as that of a form, cannot turn its use back.
    #expect(try await store.hosts().first?.lastUsed == 99)
  }

  @Test("two hosts cannot have one name, and nothing is changed", arguments: StoreKind.allCases)
  func conflict(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let first = host("web")
    var second = host("web")
    try await store.save(first)
    await #expect(throws: StoreError.nameTaken(.host, "web")) { try await store.save(second) }
    second.name = "other"
    try await store.save(second)
    second.name = "web"
    await #expect(throws: StoreError.nameTaken(.host, "web")) { try await store.save(second) }
    #expect(try await store.hosts().map(\.name) == ["other", "web"])
    #expect(try await store.hosts().last == first)
  }

  @Test(
    "a name that cannot be typed is refused",
    arguments: StoreKind.allCases,
    [" a", "a\t", "a\u{1B}b", String(repeating: "x", count: 256)]
  )
  func names(kind: StoreKind, name: String) async throws {
    let store = try await kind.make(in: folder)
    await #expect(throws: StoreError.conflict("hosts.name")) {
      try await store.save(host(name))
    }
    #expect(try await store.hosts().isEmpty)
  }

  @Test("an empty name becomes the address", arguments: StoreKind.allCases)
  func defaultName(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    try await store.save(HostRecord(name: "", endpoint: SSHEndpoint(host: "10.0.0.1")))
    #expect(try await store.hosts().map(\.name) == ["10.0.0.1"])
    await #expect(throws: StoreError.nameTaken(.host, "10.0.0.1")) {
      try await store.save(HostRecord(name: "", endpoint: SSHEndpoint(host: "10.0.0.1")))
    }
  }

  @Test("use and deletion need the record", arguments: StoreKind.allCases)
  func missing(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let record = host("web")
    await #expect(throws: StoreError.notFound) { try await store.delete(record.id) }
    await #expect(throws: StoreError.notFound) { try await store.markUsed(record.id, at: 1) }
    try await store.save(record)
    try await store.markUsed(record.id, at: 99)
    #expect(try await store.hosts().first?.lastUsed == 99)
    try await store.delete(record.id)
    #expect(try await store.hosts().isEmpty)
    await #expect(throws: StoreError.notFound) { try await store.delete(record.id) }
  }

  // MARK: Known hosts

  @Test("keys belong to exactly one endpoint, the oldest first", arguments: StoreKind.allCases)
  func knownHosts(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let endpoint = SSHEndpoint(host: "web")
    let newer = KnownHostRecord(endpoint: endpoint, key: key("ssh-rsa", [1, 0, 255]), since: 20)
    let older = KnownHostRecord(endpoint: endpoint, key: key("ssh-ed25519", [2]), since: 10)
    let other = KnownHostRecord(
      endpoint: SSHEndpoint(host: "web", port: 2222),
      key: key("ssh-rsa", []),
      since: 5
    )
    for record in [newer, older, other] { try await store.add(record) }
    #expect(try await store.knownHosts(at: endpoint) == [older, newer])
    #expect(try await store.knownHosts(at: SSHEndpoint(host: "web", port: 2222)) == [other])
    #expect(try await store.knownHosts(at: SSHEndpoint(host: "WEB")) == [])
  }

  @Test("adding a known key again changes nothing", arguments: StoreKind.allCases)
  func addingTwice(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let endpoint = SSHEndpoint(host: "web")
    let first = KnownHostRecord(endpoint: endpoint, key: key("ssh-rsa", [1]), since: 10)
    try await store.add(first)
    try await store.add(
      KnownHostRecord(endpoint: endpoint, key: key("ssh-rsa", [1]), since: 99)
    )
    #expect(try await store.knownHosts(at: endpoint) == [first])
  }

  @Test("a replacement takes the place of its type only", arguments: StoreKind.allCases)
  func replacement(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let endpoint = SSHEndpoint(host: "web")
    let kept = KnownHostRecord(endpoint: endpoint, key: key("ssh-ed25519", [2]), since: 10)
    let elsewhere = KnownHostRecord(
      endpoint: SSHEndpoint(host: "db"),
      key: key("ssh-rsa", [1]),
      since: 1
    )
    for record in [
      kept, elsewhere,
      KnownHostRecord(endpoint: endpoint, key: key("ssh-rsa", [1]), since: 11),
      KnownHostRecord(endpoint: endpoint, key: key("ssh-rsa", [3]), since: 12),
    ] { try await store.add(record) }
    let new = KnownHostRecord(endpoint: endpoint, key: key("ssh-rsa", [4]), since: 30)
    try await store.replace(with: new)
    #expect(try await store.knownHosts(at: endpoint) == [kept, new])
    #expect(try await store.knownHosts(at: SSHEndpoint(host: "db")) == [elsewhere])
  }

  @Test("editing or deleting a host never changes trust", arguments: StoreKind.allCases)
  func trustStays(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    var record = host("web")
    try await store.save(record)
    let known = KnownHostRecord(endpoint: record.endpoint, key: key("ssh-rsa", [1]), since: 1)
    try await store.add(known)
    record.endpoint = SSHEndpoint(host: "elsewhere")
    try await store.save(record)
    try await store.delete(record.id)
    #expect(try await store.knownHosts(at: SSHEndpoint(host: "web.example", port: 2222)) == [known])
  }

  // MARK: Settings and history

  @Test("settings come back, change and go", arguments: StoreKind.allCases)
  func settings(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    #expect(try await store.setting("theme") == nil)
    try await store.setSetting("theme", to: "Nord")
    try await store.setSetting("theme", to: "")
    #expect(try await store.setting("theme") == "")
    try await store.setSetting("theme", to: nil)
    try await store.setSetting("never", to: nil)
    #expect(try await store.setting("theme") == nil)
  }

  @Test("each target stands once in the history, the newest first", arguments: StoreKind.allCases)
  func history(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let record = host("web")
    try await store.save(record)
    try await store.recordConnection(to: "web", host: record.id, at: 10)
    try await store.recordConnection(to: "root@x", host: HostID(), at: 20)
    try await store.recordConnection(to: "web", host: record.id, at: 30)
    #expect(
      try await store.recentConnections(limit: 9) == [
        ConnectionHistoryEntry(target: "web", host: record.id, lastUsed: 30, count: 2),
        ConnectionHistoryEntry(target: "root@x", host: nil, lastUsed: 20, count: 1),
      ]
    )
    #expect(try await store.recentConnections(limit: 1).map(\.target) == ["web"])
    #expect(try await store.recentConnections(limit: -1).isEmpty)
    try await store.delete(record.id)
    #expect(try await store.recentConnections(limit: 1).first?.host == nil)
    try await store.forgetConnection(to: "web")
    try await store.forgetConnection(to: "web")
    #expect(try await store.recentConnections(limit: 9).map(\.target) == ["root@x"])
  }

  @Test("the history is bounded", arguments: StoreKind.allCases)
  func historyBound(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    for number in 0..<510 {
      try await store.recordConnection(to: "h\(number)", host: nil, at: Int64(number))
    }
    let entries = try await store.recentConnections(limit: 1000)
    #expect(entries.count == 500)
    #expect(entries.last?.target == "h10")
  }

  // MARK: Lessons about engines

  private func lesson(
    _ endpoint: SSHEndpoint,
    _ reason: String = "why",
    way: String = ""
  ) -> EngineLesson {
    EngineLesson(endpoint: endpoint, way: way, library: "1", reason: reason)
  }

  @Test(
    "a lesson is kept for its server, and a newer one takes its place",
    arguments: StoreKind.allCases
  )
  func lessons(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    let endpoint = SSHEndpoint(host: "fe80::1%eth0", port: 2222)
    #expect(try await store.engineLesson(for: endpoint, way: "") == nil)
    try await store.remember(lesson(endpoint))
    try await store.remember(lesson(SSHEndpoint(host: "other"), "because"))
    try await store.remember(lesson(endpoint, "better"))
    #expect(try await store.engineLesson(for: endpoint, way: "") == lesson(endpoint, "better"))
    #expect(try await store.engineLesson(for: SSHEndpoint(host: endpoint.host), way: "") == nil)
  }

  @Test(
    "one address on two ways is two servers, and its host takes the lessons of all of them with it",
    arguments: StoreKind.allCases
  )
  func lessonsOfWays(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    var web = host("web")
    try await store.save(web)
    let ways = ["", "ops@one", "ops@two via me@three:2222"]
    let longer = SSHEndpoint(host: web.endpoint.host + "x", port: web.endpoint.port)
    func learn() async throws {
      for way in ways { try await store.remember(lesson(web.endpoint, "by \(way)", way: way)) }
      try await store.remember(lesson(longer, way: ways[1]))
    }
    func known() async throws -> [String] {
      var found: [String] = []
      for way in ways {
        if let one = try await store.engineLesson(for: web.endpoint, way: way) {
          found.append(one.reason)
        }
      }
      return found
    }
    try await learn()
    #expect(try await known() == ways.map { "by \($0)" })
    #expect(try await store.engineLesson(for: web.endpoint, way: "ops@four") == nil)
    web.notes = "changed"
    try await store.save(web)
    #expect(try await known().count == 3)
    web.engine = .openSSH
    try await store.save(web)
    #expect(try await known().isEmpty)
    try await learn()
    try await store.delete(web.id)
    #expect(try await known().isEmpty)
    #expect(try await store.engineLesson(for: longer, way: ways[1]) != nil)
  }

  @Test(
    "a host that moves, is set to an engine, or goes takes the lesson of its address with it",
    arguments: StoreKind.allCases
  )
  func forgetting(kind: StoreKind) async throws {
    let store = try await kind.make(in: folder)
    var web = host("web")
    try await store.save(web)
    let old = web.endpoint
    let bystander = SSHEndpoint(host: old.host)
    try await store.remember(lesson(bystander))
    try await store.remember(lesson(old))
    web.notes = "changed"
    web.name = "web2"
    try await store.save(web)
    #expect(try await store.engineLesson(for: old, way: "") != nil)
    web.engine = .libssh2
    try await store.save(web)
    #expect(try await store.engineLesson(for: old, way: "") == nil)
    try await store.remember(lesson(old))
    web.endpoint = SSHEndpoint(host: "10.0.0.1", port: 22)
    try await store.remember(lesson(web.endpoint))
    try await store.save(web)
    #expect(try await store.engineLesson(for: old, way: "") == nil)
    #expect(try await store.engineLesson(for: web.endpoint, way: "") == nil)
    try await store.remember(lesson(web.endpoint))
    try await store.delete(web.id)
    #expect(try await store.engineLesson(for: web.endpoint, way: "") == nil)
    #expect(try await store.engineLesson(for: bystander, way: "") == lesson(bystander))
  }
}
