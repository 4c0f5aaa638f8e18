import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

@Suite("Several records at once") struct VaultBatchTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  let key = KeyRecord(
    algorithm: "ssh-ed25519",
    fingerprint: "f",
    publicKey: [1],
    location: .file(path: "/k")
  )

  func host(_ name: String) -> HostRecord {
    HostRecord(name: name, endpoint: SSHEndpoint(host: "\(name).example"))
  }

  /// Nothing but what was there before.
  func expectEmpty(_ store: SQLiteStore) async throws {
    #expect(try await store.hosts().isEmpty)
    #expect(try await store.identities().isEmpty)
    #expect(try await store.keys().isEmpty)
    #expect(try await store.knownHosts().isEmpty)
    #expect(try await store.journal(after: 0, limit: 9).isEmpty)
  }

  @Test("a batch whose last record fails leaves nothing behind")
  func allOrNothing() async throws {
    let store = try await folder.open()
    let identity = IdentityRecord(username: "u", keys: [key.id])
    var web = host("web")
    web.identity = identity.id
    let known = KnownHostRecord(
      endpoint: web.endpoint,
      key: HostKey(type: "t", blob: [1], fingerprint: "f"),
      since: 1
    )
    let batch = VaultBatch(
      keys: [key],
      identities: [identity],
      hosts: [web, host("db"), host("web")],
      knownHosts: [known]
    )
    await #expect(throws: StoreError.nameTaken(.host, "web")) {
      try await store.save(batch, policy: .neverOverwrite)
    }
    try await expectEmpty(store)
  }

  @Test("an import never overwrites a record, an edit does")
  func policies() async throws {
    let store = try await folder.open()
    var web = host("web")
    try await store.save(web)
    web.notes = "changed"
    await #expect(throws: StoreError.alreadyThere(.host(web.id))) {
      try await store.save(
        VaultBatch(hosts: [host("new"), web]),
        policy: .neverOverwrite
      )
    }
    #expect(try await store.hosts().map(\.notes) == [""])
    try await store.save(VaultBatch(hosts: [host("new"), web]), policy: .replace)
    #expect(try await store.hosts().map(\.notes) == ["", "changed"])
    await #expect(throws: StoreError.alreadyThere(.key(key.id))) {
      try await store.save(VaultBatch(keys: [key, key]), policy: .neverOverwrite)
    }
    #expect(try await store.keys().isEmpty)
  }

  @Test("a reference to what is not there names its kind")
  func missing() async throws {
    let store = try await folder.open()
    var web = host("web")
    web.identity = IdentityID()
    await #expect(throws: StoreError.missingReference(.identity)) { try await store.save(web) }
    web.identity = nil
    web.startupSnippet = SnippetID()
    await #expect(throws: StoreError.missingReference(.snippet)) { try await store.save(web) }
    await #expect(throws: StoreError.missingReference(.key)) {
      try await store.save(IdentityRecord(username: "u", keys: [key.id]))
    }
    try await expectEmpty(store)
  }

  @Test("templates have names of their own")
  func templateNames() async throws {
    let store = try await folder.open()
    let tree = SplitTree(PaneID(rawValue: 1))
    try await store.save(WorkspaceTemplate(name: "one", tree: tree, panes: [:]))
    await #expect(throws: StoreError.nameTaken(.template, "one")) {
      try await store.save(WorkspaceTemplate(name: "one", tree: tree, panes: [:]))
    }
    await #expect(throws: StoreError.conflict("templates.name")) {
      try await store.save(WorkspaceTemplate(name: "", tree: tree, panes: [:]))
    }
  }

  @Test("what depends on a record is named, and lets go of it when it is deleted")
  func dependents() async throws {
    let clock = TestClock()
    let store = try await folder.open(now: { clock.advance() })
    let identity = IdentityRecord(username: "deploy", keys: [key.id])
    let snippet = SnippetRecord(name: "up", text: "uptime")
    let bastion = host("bastion")
    var web = host("web")
    web.identity = identity.id
    web.startupSnippet = snippet.id
    web.jumps = [.saved(bastion.id)]
    var db = host("DB")
    db.jumps = ["root@bastion:2200"]
    var other = host("other")
    other.jumps = ["bastion.example"]
    let tree = SplitTree(PaneID(rawValue: 1))
    let template = WorkspaceTemplate(
      name: "t",
      tree: tree,
      panes: [PaneID(rawValue: 1): .sftp(bastion.id, name: "bastion")]
    )
    try await store.save(
      VaultBatch(
        keys: [key],
        identities: [identity],
        snippets: [snippet],
        hosts: [web, db, other, bastion],
        templates: [template]
      ),
      policy: .neverOverwrite
    )
    let before = try #require(try await store.hosts().first { $0.id == web.id })
    #expect(
      try await store.dependents(of: .host(bastion.id)) == [
        VaultDependent(record: .host(db.id), name: "DB", use: .jumpsThrough),
        VaultDependent(record: .host(web.id), name: "web", use: .jumpsThrough),
        VaultDependent(record: .template(template.id), name: "t", use: .opens),
      ]
    )
    #expect(
      try await store.dependents(of: .identity(identity.id))
        == [VaultDependent(record: .host(web.id), name: "web", use: .authenticates)]
    )
    #expect(
      try await store.dependents(of: .snippet(snippet.id))
        == [VaultDependent(record: .host(web.id), name: "web", use: .runsAtStart)]
    )
    #expect(
      try await store.dependents(of: .key(key.id))
        == [VaultDependent(record: .identity(identity.id), name: "deploy", use: .offersKey)]
    )
    #expect(try await store.dependents(of: .template(template.id)) == [])
    #expect(try await store.dependents(of: .host(HostID())) == [])

    let place = try await store.journal(after: 0, limit: 99).last?.sequence ?? 0
    try await store.delete([.key(key.id), .identity(identity.id), .snippet(snippet.id)])
    try await store.delete(bastion.id)
    let after = try #require(try await store.hosts().first { $0.id == web.id })
    #expect(after.identity == nil && after.startupSnippet == nil)
    // Without its jump host it must not be reached on a shorter way.
    #expect(after.jumps == [.saved(bastion.id)])
    #expect(after.times.modified > before.times.modified)
    #expect(try await store.templates().first?.hosts == [bastion.id])
    let entries = try await store.journal(after: place, limit: 99)
    #expect(
      Set(entries.map { "\($0.kind) \($0.action) \($0.record)" }) == [
        "key deleted \(key.id)", "identity deleted \(identity.id)", "host updated \(web.id)",
        "snippet deleted \(snippet.id)", "host deleted \(bastion.id)",
      ]
    )
  }

  @Test("of several deletions one that fails undoes all")
  func deletions() async throws {
    let store = try await folder.open()
    let web = host("web")
    try await store.save(VaultBatch(keys: [key], hosts: [web]), policy: .replace)
    await #expect(throws: StoreError.notFound) {
      try await store.delete([.host(web.id), .key(key.id), .template(TemplateID())])
    }
    #expect(try await store.hosts().count == 1)
    try await store.delete([.host(web.id), .key(key.id)])
    #expect(try await store.hosts().isEmpty)
    try await store.delete([VaultReference]())
  }
}
