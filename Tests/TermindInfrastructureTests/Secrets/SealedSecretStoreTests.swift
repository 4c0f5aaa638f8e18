import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

@Suite("Sealed file of secrets") struct SealedSecretStoreTests {
  private typealias Fixture = SealedStoreFixture

  @Test("keeps what every secret store keeps")
  func contract() async throws {
    let fixture = try Fixture()
    try await SecretStoreContract.check(try await fixture.openStore())
  }

  @Test("secrets are there again after the passphrase is given anew")
  func opensAgain() async throws {
    let fixture = try Fixture()
    let store = try fixture.store()
    #expect(await store.state() == .notSetUp)
    await #expect(throws: SecretStoreError.notSetUp) { try await store.unlock(Fixture.passphrase) }
    await #expect(throws: SecretStoreError.locked) { _ = try await store.entries() }
    try await store.changePassphrase(from: nil, to: Fixture.passphrase)
    let id = try await store.keep("hunter2", label: "root")

    await store.lock()
    #expect(await store.state() == .locked)
    await #expect(throws: SecretStoreError.locked) { _ = try await store.read(id) }
    await #expect(throws: SecretStoreError.locked) { _ = try await store.keep("x") }
    await #expect(throws: SecretStoreError.locked) { try await store.delete(id) }
    await #expect(throws: SecretStoreError.wrongPassphrase) {
      try await store.unlock(SecretBytes("wrong horse"))
    }
    await #expect(throws: SecretStoreError.passphraseIsEmpty) { try await store.unlock(nil) }
    #expect(await store.state() == .locked)

    let other = try fixture.store()
    try await other.unlock(Fixture.passphrase)
    #expect(try await other.text(id) == "hunter2")
    #expect(try await other.entries() == [SecretEntry(id: id, label: "root")])
  }

  @Test("only the owner may read the file, and it shows nothing of what is in it")
  func fileIsPrivate() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let id = try await store.keep("a secret text", label: "a telling label")
    #expect(fixture.directory.mode(of: "secrets.sealed") == 0o600)
    #expect(fixture.directory.mode(of: "secrets.sealed.lock") == 0o600)
    #expect(fixture.directory.mode(of: "secrets.sealed.new") == 0)
    let bytes = try FileBytes.read(fixture.path)
    for text in ["a secret text", "a telling label"] { #expect(!bytes.contains(text)) }
    // Lengths are rounded, so that one more letter does not show.
    try await store.replace(id, with: SecretBytes("a secret texts"))
    #expect(try FileBytes.read(fixture.path).count == bytes.count)
    #expect(try FileBytes.read(fixture.path) != bytes)
  }

  @Test("a second opener is told who has the file, until it is locked")
  func concurrentOpen() async throws {
    let fixture = try Fixture()
    let first = try await fixture.openStore()
    let id = try await first.keep("one")
    let second = try fixture.store()
    #expect(await second.state() == .locked)
    let busy = SecretStoreError.busy(path: fixture.path, note: "process \(getpid())")
    await #expect(throws: busy) { try await second.unlock(Fixture.passphrase) }
    await #expect(throws: busy) {
      try await second.changePassphrase(from: Fixture.passphrase, to: SecretBytes("new"))
    }
    await first.lock()
    try await second.unlock(Fixture.passphrase)
    #expect(try await second.text(id) == "one")
  }

  @Test("another passphrase seals everything anew; the old one opens it no more")
  func changesPassphrase() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let id = try await store.keep("one")
    let before = try FileBytes.read(fixture.path)
    let new = SecretBytes("battery staple")
    await #expect(throws: SecretStoreError.alreadySetUp) {
      try await store.changePassphrase(from: nil, to: new)
    }
    await #expect(throws: SecretStoreError.wrongPassphrase) {
      try await store.changePassphrase(from: new, to: new)
    }
    await #expect(throws: SecretStoreError.passphraseIsEmpty) {
      try await store.changePassphrase(from: Fixture.passphrase, to: SecretBytes(""))
    }
    #expect(try FileBytes.read(fixture.path) == before)
    #expect(try await store.text(id) == "one")

    try await store.changePassphrase(from: Fixture.passphrase, to: new)
    #expect(try await store.text(id) == "one")
    let more = try await store.keep("two")
    await store.lock()
    await #expect(throws: SecretStoreError.wrongPassphrase) {
      try await store.unlock(Fixture.passphrase)
    }
    try await store.unlock(new)
    #expect(try await store.text(id) == "one")
    #expect(try await store.text(more) == "two")
  }

  @Test("a locked store changes its passphrase, too, and is open afterwards")
  func changesPassphraseWhileLocked() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let id = try await store.keep("one")
    await store.lock()
    let new = SecretBytes("battery staple")
    await #expect(throws: SecretStoreError.wrongPassphrase) {
      try await store.changePassphrase(from: new, to: Fixture.passphrase)
    }
    #expect(await store.state() == .locked)
    try await store.changePassphrase(from: Fixture.passphrase, to: new)
    #expect(await store.state() == .unlocked)
    #expect(try await store.text(id) == "one")
  }

  @Test("a file that another program put in its place is not written over")
  func changedElsewhere() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let old = try FileBytes.read(fixture.path)
    let id = try await store.keep("one")
    // A backup that was put back: a genuine file, and an older one.
    try FileBytes.write(old, to: fixture.path)
    let changed = SecretStoreError.changedElsewhere(path: fixture.path)
    await #expect(throws: changed) { _ = try await store.keep("two") }
    await #expect(throws: changed) {
      try await store.changePassphrase(from: Fixture.passphrase, to: SecretBytes("new"))
    }
    #expect(try FileBytes.read(fixture.path) == old)
    #expect(try await store.text(id) == "one")
    await store.lock()
    try await store.unlock(Fixture.passphrase)
    #expect(try await store.entries() == [])
  }

  @Test("an old label that is too long is cut between characters")
  func cutsLabels() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    _ = try await store.keep("x", label: String(repeating: "\u{1F511}", count: 100))
    #expect(try await store.entries().map(\.label) == [String(repeating: "\u{1F511}", count: 64)])
  }

  @Test("many secrets in one write")
  func manySecrets() async throws {
    let fixture = try Fixture()
    let store = try await fixture.openStore()
    let ids = try await store.create(
      (0..<500).map { NewSecret(SecretBytes("secret \($0)"), label: "\($0)") }
    )
    #expect(try await store.text(ids[499]) == "secret 499")
    try await store.delete(Array(ids[..<499]))
    #expect(try await store.entries().map(\.id) == [ids[499]])
    #expect(try await store.create([]) == [])
  }
}

@Suite("Cost of a sealed file's passphrase") struct SealCostTests {
  @Test("a new file costs 3 passes over 128 MiB, and tells so itself")
  func standard() async throws {
    let fixture = try SealedStoreFixture()
    let store = SealedSecretStore(path: fixture.path)
    try await store.changePassphrase(from: nil, to: SealedStoreFixture.passphrase)
    await store.lock()
    let header = try SealedHeader(try FileBytes.read(fixture.path)[...])
    #expect(header.cost == SealCost(passes: 3, memoryKiB: 131_072))
    // Whoever opens it later with another default still can.
    let other = try fixture.store()
    try await other.unlock(SealedStoreFixture.passphrase)
    #expect(await other.state() == .unlocked)
  }

  @Test("costs outside the bounds are none")
  func bounds() {
    #expect(SealCost(passes: 0, memoryKiB: 8192) == nil)
    #expect(SealCost(passes: 33, memoryKiB: 8192) == nil)
    #expect(SealCost(passes: 1, memoryKiB: 8191) == nil)
    #expect(SealCost(passes: 1, memoryKiB: 1_048_577) == nil)
    #expect(SealCost(passes: 32, memoryKiB: 1_048_576)?.byteCount == 1 << 30)
  }

  @Test("memory that is not there is told as that, and changes nothing")
  func notEnoughMemory() async throws {
    let fixture = try SealedStoreFixture()
    // The limit of memory is the process's, so this runs in one of its own.
    await #expect(processExitsWith: .success) { [path = fixture.path as String] in
      // Relative to what there is: a sanitizer takes very much by itself.
      let status = try TemporaryFolder.read("/proc/self/status").split(separator: "\n")
      let line = status.first { $0.hasPrefix("VmData:") }?.filter(\.isNumber) ?? ""
      guard let used = UInt(line) else { exit(6) }
      let most = (used << 10) + (400 << 20)
      var limit = rlimit(rlim_cur: most, rlim_max: most)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0)
      guard let cost = SealCost(passes: 1, memoryKiB: 1_048_576) else { exit(2) }
      let store = SealedSecretStore(path: path, cost: cost)
      do throws(SecretStoreError) {
        try await store.changePassphrase(from: nil, to: SealedStoreFixture.passphrase)
        exit(3)
      } catch {
        guard error == .notEnoughMemory(byteCount: 1 << 30) else { exit(4) }
      }
      exit(await store.state() == .notSetUp ? 0 : 5)
    }
  }
}
