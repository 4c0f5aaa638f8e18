import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

@Suite("Changes of the vault") struct VaultChangeTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  func host(_ name: String) -> HostRecord {
    HostRecord(name: name, endpoint: SSHEndpoint(host: "h"))
  }

  @Test("the journal only goes up, and has the last thing that happened to each record")
  func journal() async throws {
    var random = RandomRecords()
    let store = try await folder.open()
    var alive: [HostRecord] = []
    var last: [String: VaultChangeEntry.Action] = [:]
    var highest: Int64 = 0
    for step in 0..<300 {
      if alive.isEmpty || random.number(0...2) == 0 {
        let record = host("h\(step)")
        try await store.save(record)
        alive.append(record)
        last["\(record.id)"] = .created
      } else if random.flip() {
        let place = random.number(0...(alive.count - 1))
        alive[place].notes += "."
        try await store.save(alive[place])
        last["\(alive[place].id)"] = .updated
      } else {
        let gone = alive.remove(at: random.number(0...(alive.count - 1)))
        try await store.delete(gone.id)
        last["\(gone.id)"] = .deleted
      }
      let entries = try await store.journal(after: highest, limit: 9)
      #expect(entries.count == 1 && entries[0].sequence > highest)
      highest = entries.last?.sequence ?? highest
    }
    let all = try await store.journal(after: 0, limit: 1000)
    #expect(Dictionary(uniqueKeysWithValues: all.map { ($0.record, $0.action) }) == last)
    #expect(all.map(\.sequence) == all.map(\.sequence).sorted())
    #expect(try await store.journal(after: 0, limit: 3) == Array(all.prefix(3)))
    await store.close()
    let again = try await folder.open()
    try await again.save(host("later"))
    #expect(try await again.journal(after: highest, limit: 9).map(\.sequence) == [highest + 1])
  }

  @Test("a failed or undone write leaves no trace in the journal, nor does a use")
  func noTrace() async throws {
    let store = try await folder.open()
    let web = host("web")
    try await store.save(web)
    try await store.setSetting("theme", to: "Nord")
    let before = try await store.journal(after: 0, limit: 9)
    #expect(before.map(\.kind) == [.host, .setting])
    #expect(before.map(\.record) == ["\(web.id)", "theme"])
    await #expect(throws: StoreError.self) { try await store.save(host("web")) }
    try await store.markUsed(web.id, at: 9)
    try await store.recordConnection(to: "web", host: web.id, at: 9)
    #expect(try await store.journal(after: 0, limit: 9) == before)
    try await store.setSetting("theme", to: nil)
    #expect(
      try await store.journal(after: before[1].sequence, limit: 9).map(\.action) == [.deleted]
    )
  }

  @Test("events that are dropped above the bound leave nothing in the journal")
  func droppedEvents() async throws {
    let store = try await folder.open()
    try await store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO connection_events (id, target, kind, started, outcome)
      SELECT printf('%08X-0000-4000-8000-000000000000', i), 'x', 'terminal', i, 'connected' FROM n
      """
    )
    for number in 0..<3 {
      try await store.record(
        ConnectionEvent(
          target: "new",
          host: nil,
          kind: .files,
          started: 9000 + Int64(number),
          outcome: .connected
        )
      )
    }
    #expect(try await store.texts("SELECT count(*) FROM connection_events") == ["5000"])
    #expect(try await store.texts("SELECT min(started) FROM connection_events") == ["4"])
    #expect(try await store.texts("SELECT count(*) FROM change_journal") == ["5000"])
    #expect(
      try await store.texts("SELECT count(*) FROM change_journal WHERE action = 'deleted'") == ["0"]
    )
  }

  @Test("what a reader has not taken yet becomes one change")
  func coalesced() async throws {
    let store = try await folder.open()
    let stream = await store.changes()
    let web = host("web")
    try await store.save(web)
    for number in 0..<50 { try await store.save(host("h\(number)")) }
    try await store.setSetting("a", to: "b")
    try await store.recordConnection(to: "web", host: web.id, at: 1)
    var reader = stream.makeAsyncIterator()
    let first = await reader.next()
    #expect(
      first == VaultChange(kinds: [.host, .setting, .history], sequence: 52, number: 53)
    )
    #expect(await store.changeNumber() == 53)
    // A use is no change for the journal, and a change all the same.
    try await store.markUsed(web.id, at: 2)
    #expect(await reader.next() == VaultChange(kinds: [.host], sequence: 52, number: 54))
    try await store.delete(web.id)
    #expect(await reader.next()?.kinds == [.host])
    await store.close()
    #expect(await reader.next() == nil)
    let late = await store.changes()
    var end = late.makeAsyncIterator()
    #expect(await end.next() == nil)
  }

  @Test("nothing is told when nothing was changed")
  func silence() async throws {
    let store = try await folder.open()
    let stream = await store.changes()
    await #expect(throws: StoreError.notFound) { try await store.delete(HostID()) }
    let record = KnownHostRecord(
      endpoint: SSHEndpoint(host: "h"),
      key: HostKey(type: "t", blob: [1], fingerprint: ""),
      since: 1
    )
    try await store.add(record)
    try await store.add(record)
    await store.close()
    var told: [VaultChange] = []
    for await change in stream { told.append(change) }
    #expect(told == [VaultChange(kinds: [.knownHost], sequence: 1, number: 1)])
  }

  @Test("each reader is told of everything, however slow it is")
  func readers() async throws {
    let store = try await folder.open()
    let streams = [await store.changes(), await store.changes()]
    async let quick = Self.kinds(streams[0])
    try await store.save(host("a"))
    try await store.save(SnippetRecord(text: "x"))
    try await store.save(IdentityRecord(username: "u"))
    await store.close()
    #expect(await quick == [.host, .snippet, .identity])
    #expect(await Self.kinds(streams[1]) == [.host, .snippet, .identity])
  }

  static func kinds(_ stream: AsyncStream<VaultChange>) async -> Set<VaultKind> {
    var kinds: Set<VaultKind> = []
    for await change in stream { kinds.formUnion(change.kinds) }
    return kinds
  }

  @Test("a sum of changes has every kind and the newest place")
  func merging() {
    var feed = ChangeFeed()
    let stream = feed.subscribe { _ in }
    #expect(feed.count == 1)
    for (number, kind) in VaultKind.allCases.enumerated() {
      feed.send(VaultChange(kinds: [kind], sequence: Int64(number)))
    }
    feed.end()
    #expect(feed.count == 0)
    _ = stream
  }
}
