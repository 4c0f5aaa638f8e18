import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindPersistence

@Suite(
  "A store on a small disk",
  .serialized,
  .enabled(if: SmallDisk.isPossible, "mounting needs root and CAP_SYS_ADMIN")
) struct StoreMountTests {
  func open(_ path: String) async throws -> SQLiteStore {
    try await SQLiteStore.open(
      StoreOpening(path: path, plan: .current, busyTimeoutMilliseconds: 20),
      now: { 0 }
    )
  }

  func host(_ name: String, notes: String = "") -> HostRecord {
    HostRecord(name: name, endpoint: SSHEndpoint(host: "h"), notes: notes)
  }

  // Without the right to mount, the limits of `StoreProcessTests` stand for a full disk.
  @Test("a full disk is named, nothing is lost, and the store goes on when there is room")
  func full() async throws {
    let disk = try await SmallDisk("size=1m")
    defer { withExtendedLifetime(disk) {} }
    let storePath = disk.path + "/store.sqlite"
    let store = try await open(storePath)
    try await store.save(host("first"))
    let large = host("large", notes: String(repeating: "x", count: 2_000_000))
    await #expect(throws: StoreError.diskFull(path: storePath)) { try await store.save(large) }
    #expect(try await store.hosts().map(\.name) == ["first"])
    try await store.save(host("second"))
    await store.close()
    #expect(try await open(storePath).hosts().map(\.name) == ["first", "second"])
  }

  @Test("where there is no room for a store, none is made of what is there")
  func noRoom() async throws {
    let disk = try await SmallDisk("size=1m")
    defer { withExtendedLifetime(disk) {} }
    let storePath = disk.path + "/store.sqlite"
    let filler = try disk.fill()
    let error = await #expect(throws: StoreError.self) { try await open(storePath) }
    #expect(error == .diskFull(path: storePath))
    try FileManager.default.removeItem(atPath: filler)
    let store = try await open(storePath)
    try await store.save(host("a"))
    #expect(try await store.hosts().count == 1)
  }

  @Test("a disk that can only be read is named, and every byte stays")
  func readOnly() async throws {
    let disk = try await SmallDisk("size=1m")
    defer { withExtendedLifetime(disk) {} }
    let storePath = disk.path + "/store.sqlite"
    let store = try await open(storePath)
    try await store.save(host("first"))
    await store.close()
    let before = try Data(contentsOf: URL(filePath: storePath))
    try await disk.remount("ro")
    let error = await #expect(throws: StoreError.self) { try await open(storePath) }
    guard case .notWritable(storePath, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    // Whoever only looks, as the doctor does, is told the same.
    #expect(throws: try #require(error)) { try SQLiteStore.inspect(storePath) }
    await #expect(throws: StoreError.self) { try await open(disk.path + "/new.sqlite") }
    #expect(try Data(contentsOf: URL(filePath: storePath)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["store.sqlite"])
  }
}
