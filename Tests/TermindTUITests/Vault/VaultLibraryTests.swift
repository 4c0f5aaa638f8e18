import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindPersistence
import TermindPresentation
import TermindTestSupport
import Testing

@testable import TermindTUI

/// The vault as windows see it, over a real store.
@MainActor @Suite("The library of the Vault") struct VaultLibraryTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let library = VaultLibrary()

  init() async throws {
    folder = try TemporaryFolder()
    store = try await SQLiteStore.open(at: folder.file("termind.sqlite"))
    await library.adopt(store)
  }

  private static func host(_ name: String, identity: IdentityID? = nil) -> HostRecord {
    HostRecord(name: name, endpoint: SSHEndpoint(host: "192.0.2.1"), identity: identity)
  }

  @Test("a change is kept, shown, and taken back")
  func undoOfAnEdit() async throws {
    var host = Self.host("web1")
    try await library.save(VaultBatch(hosts: [host]), label: "the new host")
    #expect(library.contents.hosts.map(\.name) == ["web1"])
    host.name = "web2"
    try await library.save(VaultBatch(hosts: [host]), label: "the change of web1")
    #expect(try await store.hosts().map(\.name) == ["web2"])
    #expect(try await library.undoLast() == "the change of web1")
    #expect(library.contents.hosts.map(\.name) == ["web1"])
    #expect(try await library.undoLast() == "the new host")
    #expect(library.contents.hosts.isEmpty)
    #expect(try await library.undoLast() == nil)
  }

  @Test(
    "what is written here is read once, what others write is read too",
    .timeLimit(.minutes(10))
  )
  func oneReading() async throws {
    var told: [Set<VaultKind>] = []
    library.onChange = { told.append($0) }
    let host = Self.host("web1")
    try await library.save(VaultBatch(hosts: [host]), label: "the new host")
    #expect(told == [[.host]])
    try await store.save(SnippetRecord(text: "uptime"))
    while !told.contains(where: { $0.contains(.snippet) }) { await Task.yield() }
    #expect(library.contents.snippets.count == 1)
    #expect(told.count { $0 == [.host] } == 1)
    // A use is not in the journal.
    try await store.markUsed(host.id, at: 7)
    while library.contents.hosts.first?.lastUsed != 7 { await Task.yield() }
  }

  @Test("what depended on a deleted record gets its reference back, and keeps what changed since")
  func undoOfADeletion() async throws {
    let key = KeyRecord(
      name: "laptop",
      algorithm: "ssh-ed25519",
      fingerprint: "SHA256:x",
      publicKey: [1],
      location: .agent
    )
    let other = KeyRecord(
      name: "other",
      algorithm: "ssh-ed25519",
      fingerprint: "SHA256:y",
      publicKey: [2],
      location: .agent
    )
    let identity = IdentityRecord(name: "deploy", username: "deploy", keys: [key.id, other.id])
    var web = Self.host("web1", identity: identity.id)
    let mid = Self.host("mid", identity: identity.id)
    try await library.save(
      VaultBatch(keys: [key, other], identities: [identity], hosts: [web, mid]),
      label: "all"
    )
    let dependents = try await library.dependents(of: [.identity(identity.id)])
    #expect(dependents.map(\.name) == ["mid", "web1"])
    try await library.delete([.key(key.id)], label: "deleting 1 key")
    #expect(library.contents.identity(identity.id)?.keys == [other.id])
    try await library.delete([.identity(identity.id)], label: "deleting 1 identity")
    #expect(library.contents.hosts.allSatisfy { $0.identity == nil })
    // Another window changes one of the hosts meanwhile, past this library.
    web = try #require(try await store.hosts().first { $0.id == web.id })
    web.notes = "changed"
    try await store.save(web)
    await library.reload([.host])
    #expect(try await library.undoLast() == "deleting 1 identity")
    let mended = try #require(library.contents.host(web.id))
    #expect(mended.identity == identity.id)
    #expect(mended.notes == "changed")
    #expect(library.contents.host(mid.id)?.identity == identity.id)
    #expect(try await library.undoLast() == "deleting 1 key")
    #expect(library.contents.identity(identity.id)?.keys == [key.id, other.id])
  }

  @Test("a deletion that takes secrets along cannot bring them back, and says nothing else")
  func secretsStayGone() async throws {
    let secret = SecretItemID()
    let identity = IdentityRecord(name: "deploy", username: "deploy", password: secret)
    let key = KeyRecord(
      name: "kept",
      algorithm: "ssh-ed25519",
      fingerprint: "SHA256:x",
      publicKey: [1],
      location: .secret(SecretItemID())
    )
    try await library.save(VaultBatch(keys: [key], identities: [identity]), label: "both")
    try await library.delete([.identity(identity.id), .key(key.id)], label: "deleting 2")
    _ = try await library.undoLast()
    #expect(library.contents.identity(identity.id)?.username == "deploy")
    #expect(library.contents.identity(identity.id)?.password == nil)
    #expect(library.contents.keys.isEmpty)
  }

  @Test("a save that the store refuses changes nothing, and leaves nothing to take back")
  func refusal() async throws {
    try await library.save(VaultBatch(hosts: [Self.host("web1")]), label: "the new host")
    await #expect(throws: StoreError.nameTaken(.host, "web1")) {
      try await library.save(VaultBatch(hosts: [Self.host("web1")]), label: "a second one")
    }
    #expect(library.contents.hosts.count == 1)
    #expect(try await library.undoLast() == "the new host")
  }

  @Test("forgotten events come back; changes of others are told")
  func eventsAndChanges() async throws {
    let event = ConnectionEvent(
      target: "web1",
      host: nil,
      kind: .terminal,
      started: 10,
      outcome: .connected
    )
    try await store.record(event)
    await library.reload([.history])
    #expect(library.contents.events == [event])
    try await library.forget([event])
    #expect(library.contents.events.isEmpty)
    _ = try await library.undoLast()
    #expect(library.contents.events == [event])
    let (told, telling) = AsyncStream.makeStream(of: Set<VaultKind>.self)
    library.onChange = { telling.yield($0) }
    try await store.save(SnippetRecord(name: "x", text: "y"))
    for await kinds in told where kinds.contains(.snippet) { break }
    #expect(library.contents.snippets.map(\.name) == ["x"])
  }

  @Test("a hashed name is found by typing it, with its port where it has one")
  func hashedNames() async throws {
    // `ssh-keygen -H` over lines of web1.example.org and [db.example.org]:2222.
    let key = HostKey(type: "ssh-ed25519", blob: Self.blob, fingerprint: "SHA256:x")
    let records = [
      KnownHostRecord(endpoint: SSHEndpoint(host: "plain"), key: key, since: 1),
      KnownHostRecord(
        names: .hashed(Self.hash("web1.example.org")),
        key: key,
        since: 1
      ),
      KnownHostRecord(names: .hashed(Self.hash("[db.example.org]:2222")), key: key, since: 1),
    ]
    let names = HashedNames(records)
    #expect(!names.isEmpty)
    #expect(await names.places(of: "WEB1.example.org") == [1])
    #expect(await names.places(of: "db.example.org:2222") == [2])
    #expect(await names.places(of: "[db.example.org]:2222") == [2])
    #expect(await names.places(of: "web1") == [])
    #expect(await names.places(of: "") == [])
    #expect(await names.places(of: "plain") == [])
  }

  /// An Ed25519 key in wire format.
  private static let blob: [UInt8] =
    [0, 0, 0, 11] + Array("ssh-ed25519".utf8) + [0, 0, 0, 32] + Array(repeating: 7, count: 32)

  /// Names hashed by OpenSSH itself.
  private static func hash(_ name: String) -> String {
    [
      "web1.example.org": "|1|6Nimf0KLY+i+wUmVUvV31kFco8o=|R60R/jXaO5Qj+iwmtLaZ8KV8YkU=",
      "[db.example.org]:2222": "|1|8Mli56SvcnUlayJzqc/fG2GhNmk=|ALOXNXtHBFQEk6oLCQebxyrgMqs=",
    ][name] ?? ""
  }
}
