import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

@Suite("A store under failure") struct StoreFailureTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  func host(_ name: String, keyFiles: [String] = []) -> HostRecord {
    HostRecord(name: name, endpoint: SSHEndpoint(host: "h"), keyFiles: keyFiles)
  }

  @Test("a full disk is reported, and the store goes on once there is room")
  func full() async throws {
    let store = try await folder.open()
    try await store.save(host("first"))
    let pages = try #require(try await store.texts("PRAGMA page_count").first.flatMap { Int($0) })
    try await store.execute("PRAGMA max_page_count = \(pages)")
    let large = host("large", keyFiles: [String(repeating: "x", count: 100_000)])
    await #expect(
      throws: StoreError.diskFull(path: folder.storePath)
    ) { try await store.save(large) }
    #expect(try await store.hosts().map(\.name) == ["first"])
    try await store.execute("PRAGMA max_page_count = 100000")
    try await store.save(large)
    #expect(try await store.hosts().count == 2)
  }

  @Test("a write that is not allowed is reported")
  func notAllowed() async throws {
    let store = try await folder.open()
    try await store.execute("PRAGMA query_only = ON")
    let error = await #expect(throws: StoreError.self) { try await store.save(host("a")) }
    guard case .notWritable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await store.execute("PRAGMA query_only = OFF")
    #expect(try await store.hosts().isEmpty)
  }

  @Test("while one store waits for a lock, everybody else goes on")
  func waitingBlocksNobody() async throws {
    let holder = try await folder.open()
    let folder = folder
    let waiting = Task { try await folder.open(busyTimeoutMilliseconds: 60_000) }
    // More waiting stores than there are shared threads would stall this.
    let numbers = await withTaskGroup(of: Int.self) { group in
      for number in 0..<50 { group.addTask { number } }
      return await group.reduce(0, +)
    }
    #expect(numbers == 1225)
    try await holder.save(host("a"))
    await holder.close()
    #expect(try await waiting.value.hosts().count == 1)
  }

  @Test("a broken rule of the schema undoes the whole save")
  func undone() async throws {
    let store = try await folder.open()
    let record = host("a", keyFiles: ["/k"])
    try await store.save(record)
    try await store.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON host_jumps
      BEGIN SELECT RAISE(ABORT, 'refused: jumps'); END
      """
    )
    var changed = record
    changed.name = "b"
    changed.keyFiles = []
    changed.jumps = ["x"]
    await #expect(throws: StoreError.conflict("jumps")) { try await store.save(changed) }
    #expect(try await store.hosts() == [record])
  }

  @Test("many callers at once lose nothing")
  func concurrency() async throws {
    let store = try await folder.open()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          await #expect(throws: Never.self) { try await store.save(host("h\(number)")) }
        }
      }
    }
    #expect(try await store.hosts().count == 100)
  }

  @Test("a host whose id is not one is reported, not skipped")
  func brokenID() async throws {
    let store = try await folder.open()
    try await store.save(host("x"))
    try await store.execute("UPDATE hosts SET id = 'no id'")
    await #expect(
      throws: StoreError.corrupt(
        path: folder.storePath,
        diagnostic: "a host cannot be read"
      )
    ) { try await store.hosts() }
  }
}
