import FoundationEssentials
import Glibc
import TermindApplication
import TermindDomain
import Testing

@testable import TermindInfrastructure

/// Whatever happens while the file is written, either the old or the new one is there, whole.
@Suite("Sealed file cut off") struct SealedFileCrashTests {
  private typealias Fixture = SealedStoreFixture

  /// A store that ends the process where a new file was written and not yet renamed.
  static func writeAndDie(_ path: String, changingPassphrase: Bool) async throws {
    let cost = try SealedStoreFixture.cost
    let file = SealedFile(path: path) { _exit(42) }
    let store = SealedSecretStore(file, cost: cost)
    try await store.unlock(SealedStoreFixture.passphrase)
    if changingPassphrase {
      try await store.changePassphrase(
        from: SealedStoreFixture.passphrase,
        to: SecretBytes("never used")
      )
    } else {
      _ = try await store.keep("never kept")
    }
  }

  @Test("a crash between write and rename loses nothing", arguments: [false, true])
  func crash(changingPassphrase: Bool) async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let id = try await store.keep("hunter2")
    await store.lock()
    let before = try FileBytes.read(fixture.path)
    let path = fixture.path
    await #expect(processExitsWith: .exitCode(42)) {
      [path = path as String, changingPassphrase = changingPassphrase as Bool] in
      try await SealedFileCrashTests.writeAndDie(path, changingPassphrase: changingPassphrase)
    }
    // The whole new file lies beside the old one; the lock went with the process.
    #expect(fixture.directory.mode(of: "secrets.sealed.new") == 0o600)
    #expect(try FileBytes.read(fixture.path) == before)
    try await store.unlock(Fixture.passphrase)
    #expect(try await store.text(id) == "hunter2")
    #expect(try await store.entries().count == 1)
    #expect(fixture.directory.mode(of: "secrets.sealed.new") == 0)
    let more = try await store.keep("more")
    #expect(try await store.text(more) == "more")
  }

  @Test("half a new file beside the old one is swept away")
  func leftOver() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let id = try await store.keep("hunter2")
    await store.lock()
    try FileBytes.write(Array(repeating: 7, count: 100), to: "\(fixture.path).new")
    try await store.unlock(Fixture.passphrase)
    #expect(try await store.text(id) == "hunter2")
    #expect(fixture.directory.mode(of: "secrets.sealed.new") == 0)
  }

  @Test("a disk that takes no more bytes leaves the old file and the open store as they are")
  func fullDisk() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let id = try await store.keep("hunter2")
    await store.lock()
    let path = fixture.path
    let name = id.rawValue.uuidString
    // The limit of file sizes is the process's, so this runs in one of its own.
    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
      var limit = rlimit(rlim_cur: 600, rlim_max: 600)
      signal(SIGXFSZ, SIG_IGN)
      let store = SealedSecretStore(path: path)
      try await store.unlock(SealedStoreFixture.passphrase)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let large = SecretBytes(count: 5_000) { $0.count }
      do throws(SecretStoreError) {
        _ = try await store.create(NewSecret(large, label: ""))
        exit(3)
      } catch {
        guard case .notWritable(path, _) = error else { exit(4) }
      }
      let entries = try await store.entries()
      guard entries.map(\.id.rawValue.uuidString) == [name] else { exit(5) }
      exit(access("\(path).new", F_OK) == 0 ? 6 : 0)
    }
    try await store.unlock(Fixture.passphrase)
    #expect(try await store.text(id) == "hunter2")
  }

  @Test("a directory that is gone says so, and nothing is lost from the open store")
  func directoryGone() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let id = try await store.keep("hunter2")
    #expect(rename(fixture.directory.path, fixture.directory.path + ".moved") == 0)
    await #expect(throws: SecretStoreError.changedElsewhere(path: fixture.path)) {
      _ = try await store.keep("two")
    }
    #expect(try await store.text(id) == "hunter2")
    #expect(rename(fixture.directory.path + ".moved", fixture.directory.path) == 0)
    _ = try await store.keep("two")
    let absent = SealedSecretStore(path: "\(fixture.directory.path)/absent/secrets.sealed")
    #expect(await absent.state() == .notSetUp)
    await #expect(throws: SecretStoreError.self) {
      try await absent.changePassphrase(from: nil, to: Fixture.passphrase)
    }
  }
}
