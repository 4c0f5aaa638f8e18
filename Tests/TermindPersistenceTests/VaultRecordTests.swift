import Synchronization
import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

@Suite("Records of the vault") struct VaultRecordTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  func expect(_ store: SQLiteStore, holds batch: VaultBatch) async throws {
    // Swift takes texts for equal that differ in their bytes; the store must not.
    func same<Record: Identifiable & Equatable>(_ found: [Record], _ saved: [Record])
    where Record.ID: Hashable {
      let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
      #expect(found.count == saved.count)
      for record in saved {
        #expect(byID[record.id] == record)
        #expect(
          String(reflecting: byID[record.id]).utf8.elementsEqual(
            String(reflecting: Optional(record)).utf8
          )
        )
      }
    }
    same(try await store.hosts(), batch.hosts)
    same(try await store.identities(), batch.identities)
    same(try await store.keys(), batch.keys)
    same(try await store.snippets(), batch.snippets)
    same(try await store.knownHosts(), batch.knownHosts)
    let templates = try await store.templates()
    #expect(Set(templates) == Set(batch.templates))
  }

  @Test("records of every kind come back exactly, also after closing", arguments: 0..<6)
  func roundTrip(round: Int) async throws {
    var random = RandomRecords()
    let batch = random.batch()
    let store = try await folder.open()
    try await store.save(batch, policy: .neverOverwrite)
    try await expect(store, holds: batch)
    await store.close()
    try await expect(try await folder.open(), holds: batch)
  }

  @Test("saved one by one, they are replaced as a whole")
  func replacing() async throws {
    var random = RandomRecords()
    let first = random.batch()
    let second = random.batch()
    let store = try await folder.open()
    try await store.save(first, policy: .replace)
    // Other contents under the same identities.
    var hosts: [HostRecord] = []
    for (old, new) in zip(first.hosts, second.hosts) {
      let record = HostRecord(
        id: old.id,
        name: new.name,
        endpoint: new.endpoint,
        connectionProtocol: new.connectionProtocol,
        username: new.username,
        keyFiles: new.keyFiles,
        jumps: new.jumps,
        tags: new.tags,
        environment: new.environment,
        notes: new.notes,
        lastUsed: 2_100_000_000
      )
      hosts.append(record)
      try await store.save(record)
    }
    #expect(Set(try await store.hosts()) == Set(hosts))
    for (old, new) in zip(first.keys, second.keys) {
      var record = new
      record = KeyRecord(
        id: old.id,
        name: new.name,
        algorithm: new.algorithm,
        fingerprint: new.fingerprint,
        publicKey: new.publicKey,
        location: new.location
      )
      try await store.save(record)
      #expect(try await store.keys().contains(record))
    }
    for old in first.identities {
      let record = IdentityRecord(id: old.id, name: "x", username: "y", keys: old.keys.reversed())
      try await store.save(record)
      #expect(try await store.identities().contains(record))
    }
    for old in first.snippets {
      let record = SnippetRecord(id: old.id, name: "x", text: "y", tags: old.tags.reversed())
      try await store.save(record)
      #expect(try await store.snippets().contains(record))
    }
    #expect(try await store.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try await store.texts("PRAGMA foreign_key_check") == [])
  }

  @Test("empty names become the default ones")
  func defaultNames() async throws {
    let store = try await folder.open()
    try await store.save(IdentityRecord(username: "deploy"))
    try await store.save(SnippetRecord(text: "\nuptime\n"))
    try await store.save(
      KeyRecord(algorithm: "ssh-ed25519", fingerprint: "", publicKey: [1], location: .agent)
    )
    #expect(try await store.identities().map(\.name) == ["deploy"])
    #expect(try await store.snippets().map(\.name) == ["uptime"])
    #expect(try await store.snippets().map(\.text) == ["\nuptime\n"])
    #expect(try await store.keys().map(\.name) == ["Ed25519"])
  }

  @Test("the store stamps records with the time of their first and last save")
  func times() async throws {
    let clock = TestClock()
    let store = try await folder.open(now: { clock.advance() })
    var record = HostRecord(name: "a", endpoint: SSHEndpoint(host: "h"))
    record.times = RecordTimes(created: 1, modified: 1)
    try await store.save(record)
    let first = try #require(try await store.hosts().first?.times)
    #expect(first.created == first.modified && first.created > 1)
    try await store.save(record)
    let second = try #require(try await store.hosts().first?.times)
    #expect(second.created == first.created && second.modified > first.modified)
    try await store.markUsed(record.id, at: 5)
    #expect(try await store.hosts().first?.times == second)
  }

  @Test("events come back the newest first, of one host or all")
  func events() async throws {
    var random = RandomRecords()
    let store = try await folder.open()
    let batch = random.batch()
    try await store.save(batch, policy: .neverOverwrite)
    let hosts = Array(batch.hosts.prefix(2))
    let events = (0..<40).map { _ in random.event(hosts: hosts) }
    for event in events { try await store.record(event) }
    let found = try await store.connectionEvents(limit: 100, host: nil)
    #expect(Set(found) == Set(events))
    #expect(found.map(\.started) == found.map(\.started).sorted(by: >))
    let own = try await store.connectionEvents(limit: 100, host: hosts[0].id)
    #expect(Set(own) == Set(events.filter { $0.host == hosts[0].id }))
    var ended = events[0]
    ended.ended = 7
    try await store.record(ended)
    #expect(try await store.connectionEvents(limit: 100, host: nil).contains(ended))
    try await store.delete(hosts[0].id)
    #expect(try await store.connectionEvents(limit: 100, host: hosts[0].id).isEmpty)
    #expect(try await store.connectionEvents(limit: 100, host: nil).count == 40)
    try await store.forgetConnectionEvents([events[0].id, ConnectionEventID()])
    #expect(try await store.connectionEvents(limit: 100, host: nil).count == 39)
    try await store.recordConnection(to: "x", host: nil, at: 1)
    try await store.forgetAllConnections()
    #expect(try await store.connectionEvents(limit: 100, host: nil).isEmpty)
    #expect(try await store.recentConnections(limit: 9).isEmpty)
  }

  @Test("known hosts are told apart by names, marker and key; rules are those that must be matched")
  func knownHosts() async throws {
    let store = try await folder.open()
    let key = HostKey(type: "ssh-ed25519", blob: [1], fingerprint: "SHA256:1")
    let web = KnownHostRecord(endpoint: SSHEndpoint(host: "web"), key: key, since: 1)
    let revoked = KnownHostRecord(names: web.names, marker: .revoked, key: key, since: 2)
    let authority = KnownHostRecord(
      names: .patterns("*.x,!y.x"),
      marker: .certificateAuthority,
      key: key,
      since: 3
    )
    let hashed = KnownHostRecord(names: .hashed("|1|a|b"), key: key, since: 4)
    #expect(try await store.add([web, revoked, authority, hashed]) == 4)
    let again = KnownHostRecord(names: hashed.names, key: key, since: 9)
    #expect(try await store.add([again]) == 0)
    #expect(try await store.knownHosts(at: SSHEndpoint(host: "web")) == [web])
    #expect(try await store.knownHostRules() == [revoked, authority, hashed])
    #expect(try await store.knownHosts().count == 4)
    try await store.replace(
      with: KnownHostRecord(endpoint: SSHEndpoint(host: "web"), key: key, since: 8)
    )
    #expect(try await store.knownHosts().contains(revoked))
    await #expect(throws: StoreError.notFound) {
      try await store.delete([revoked.id, KnownHostID()])
    }
    #expect(try await store.knownHosts().count == 4)
    try await store.delete([revoked.id, authority.id])
    #expect(try await store.knownHostRules() == [hashed])
  }
}

/// A clock that goes on by ten seconds each time it is read.
final class TestClock: Sendable {
  private let now = Atomic<Int64>(1000)

  func advance() -> Int64 { now.add(10, ordering: .relaxed).newValue }
}
