import FoundationEssentials
import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindPersistence

/// A file system of one megabyte of its own; only the superuser can make one.
final class SmallDisk {
  let path: String
  private let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID())")

  /// Mounts it; nil where that is not allowed.
  init?() async throws {
    path = folder.path
    guard geteuid() == 0 else { return nil }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      _ = try await TestProgram.run(
        "/usr/bin/mount",
        ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]
      )
    } catch {
      return nil
    }
  }

  var storePath: String { path + "/store.sqlite" }

  func remountReadOnly() async throws {
    _ = try await TestProgram.run("/usr/bin/mount", ["-o", "remount,ro", path])
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }
}

@Suite("A store on a small disk", .serialized) struct StoreMountTests {
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
    guard let disk = try await SmallDisk() else { return }
    let store = try await open(disk.storePath)
    try await store.save(host("first"))
    let large = host("large", notes: String(repeating: "x", count: 2_000_000))
    await #expect(throws: StoreError.diskFull(path: disk.storePath)) { try await store.save(large) }
    #expect(try await store.hosts().map(\.name) == ["first"])
    try await store.save(host("second"))
    await store.close()
    #expect(try await open(disk.storePath).hosts().map(\.name) == ["first", "second"])
  }

  @Test("where there is no room for a store, none is made of what is there")
  func noRoom() async throws {
    guard let disk = try await SmallDisk() else { return }
    let filler = disk.path + "/filler"
    // Fails once the disk is full, which is what it is for.
    try? Data(repeating: 1, count: 1_020_000).write(to: URL(filePath: filler))
    let error = await #expect(throws: StoreError.self) { try await open(disk.storePath) }
    #expect(error == .diskFull(path: disk.storePath))
    try FileManager.default.removeItem(atPath: filler)
    let store = try await open(disk.storePath)
    try await store.save(host("a"))
    #expect(try await store.hosts().count == 1)
  }

  @Test("a disk that can only be read is named, and every byte stays")
  func readOnly() async throws {
    guard let disk = try await SmallDisk() else { return }
    let store = try await open(disk.storePath)
    try await store.save(host("first"))
    await store.close()
    let before = try Data(contentsOf: URL(filePath: disk.storePath))
    try await disk.remountReadOnly()
    let error = await #expect(throws: StoreError.self) { try await open(disk.storePath) }
    guard case .notWritable(disk.storePath, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    await #expect(throws: StoreError.self) { try await open(disk.path + "/new.sqlite") }
    #expect(try Data(contentsOf: URL(filePath: disk.storePath)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["store.sqlite"])
  }
}
