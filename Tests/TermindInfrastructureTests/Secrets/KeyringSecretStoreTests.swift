import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

/// Against gnome-keyring on a message bus of the test's own.
@Suite("Secrets in the desktop's keyring") struct KeyringSecretStoreTests {
  private func store(
    _ address: String?,
    scope: String = "one",
    limits: KeyringSecretStore.Limits = KeyringSecretStore.Limits(call: .seconds(60))
  ) -> KeyringSecretStore {
    KeyringSecretStore(address: address, scope: scope, helper: .forTests, limits: limits)
  }

  @Test("keeps what every secret store keeps")
  func contract() async throws {
    let keyring = try await RealKeyring()
    try await SecretStoreContract.check(store(keyring.address))
  }

  @Test("stores that share a keyring do not see each other's secrets")
  func scopes() async throws {
    let keyring = try await RealKeyring()
    let one = store(keyring.address, scope: "one")
    let two = store(keyring.address, scope: "two")
    let id = try await one.keep("hunter2", label: "root")
    #expect(try await two.entries() == [])
    await #expect(throws: SecretStoreError.notFound(id)) { _ = try await two.read(id) }
    #expect(try await two.deleteUnnamed(keeping: []) == 0)
    #expect(try await one.entries() == [SecretEntry(id: id, label: "root")])
  }

  @Test("a locked keyring gives nothing, and says so")
  func locks() async throws {
    let keyring = try await RealKeyring()
    let store = store(keyring.address)
    let id = try await store.keep("hunter2")
    try await store.lock()
    #expect(await store.state() == .locked)
    await #expect(throws: SecretStoreError.locked) { _ = try await store.read(id) }
    await #expect(throws: SecretStoreError.locked) { _ = try await store.keep("more") }
    await #expect(throws: SecretStoreError.locked) {
      try await store.replace(id, with: SecretBytes("other"))
    }
    await #expect(throws: SecretStoreError.locked) { try await store.delete(id) }
    // There is no desktop that could show the keyring's question.
    let answer = Task { try await store.unlock(nil) }
    let result = await answer.result
    #expect(throws: SecretStoreError.self) { try result.get() }
    #expect(await store.state() == .locked)

    // The session ends, and the next one opens the same keyring with its login.
    keyring.stopKeyring()
    guard case .unusable(.noKeyring) = await store.state() else {
      Issue.record("a keyring answers that was stopped")
      return
    }
    try await keyring.startKeyring()
    #expect(await store.state() == .unlocked)
    try await store.unlock(nil)
    #expect(try await store.text(id) == "hunter2")
  }

  @Test("a service without a keyring is locked until it makes one")
  func noCollection() async throws {
    let keyring = try await RealKeyring(withKeyring: false)
    try await keyring.startKeyring(password: nil)
    let store = store(keyring.address)
    #expect(await store.state() == .locked)
    await #expect(throws: SecretStoreError.locked) { _ = try await store.keep("hunter2") }
    #expect(try await store.entries() == [])
    // It cannot ask for the new keyring's password here.
    await #expect(throws: SecretStoreError.self) { try await store.unlock(nil) }
    #expect(await store.state() == .locked)
  }

  @Test("calls that come together share a helper, and each gets its own answer")
  func together() async throws {
    let keyring = try await RealKeyring()
    let store = store(keyring.address)
    let ids = try await store.create(
      (0..<20).map { NewSecret(SecretBytes("secret \($0)"), label: "\($0)") }
    )
    let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (place, id) in ids.enumerated() {
        group.addTask { (place, try await store.text(id)) }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect(texts == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, "secret \($0)") }))
  }

  @Test("the passphrase of the keyring is the desktop's")
  func passphrase() async throws {
    let store = store(nil)
    await #expect(throws: SecretStoreError.passphraseIsKeyrings) {
      try await store.unlock(SecretBytes("x"))
    }
    await #expect(throws: SecretStoreError.passphraseIsKeyrings) {
      try await store.changePassphrase(from: nil, to: SecretBytes("x"))
    }
  }

  @Test("without a bus or a keyring each call says what is missing")
  func nothingThere() async throws {
    let none = store(nil)
    #expect(await none.state() == .unusable(.noMessageBus))
    await #expect(throws: SecretStoreError.noMessageBus) { _ = try await none.entries() }

    let bus = try await RealKeyring(withKeyring: false)
    guard case .unusable(.noKeyring) = await store(bus.address).state() else {
      Issue.record("a keyring answers where none is")
      return
    }
    bus.stopBus()
    guard case .unusable(.noKeyring) = await store(bus.address).state() else {
      Issue.record("a bus answers that was stopped")
      return
    }
    guard case .unusable(.noKeyring) = await store("nonsense").state() else {
      Issue.record("an address that is none was accepted")
      return
    }
  }

  @Test("a keyring that hangs costs its limit and no more")
  func hangingKeyring() async throws {
    let keyring = try await RealKeyring()
    let limits = KeyringSecretStore.Limits(probe: .seconds(1), call: .seconds(1))
    let store = store(keyring.address, limits: limits)
    let id = try await self.store(keyring.address).keep("hunter2")
    keyring.pauseKeyring()
    let timedOut = SecretStoreError.timedOut(seconds: 1)
    #expect(await store.state() == .unusable(timedOut))
    await #expect(throws: timedOut) { _ = try await store.read(id) }
    keyring.resumeKeyring()
    #expect(try await self.store(keyring.address).text(id) == "hunter2")
  }

  @Test("a cancelled call ends at once, though nobody answers")
  func cancelled() async throws {
    // A bus that takes the connection and says nothing.
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/bus"
    let listener = try LocalSocket.listen(at: path)
    defer { _ = listener }
    let limits = KeyringSecretStore.Limits(probe: .seconds(1), call: .seconds(600))
    let store = store("unix:path=\(path)", limits: limits)
    #expect(await store.state() == .unusable(.timedOut(seconds: 1)))
    let call = Task { try await store.entries() }
    call.cancel()
    let result = await call.result
    #expect(throws: SecretStoreError.cancelled) { try result.get() }
  }

  @Test("a library that is not installed is named")
  func libraryMissing() {
    func problem(_ file: String) -> String? {
      do throws(SecretStoreError) {
        _ = try LibSecretHandle.open(file)
        return nil
      } catch {
        guard case .libraryMissing(file, let text) = error else { return nil }
        return text
      }
    }
    #expect(problem("libabsent.so.0")?.contains("libabsent.so.0") == true)
    #expect(problem("libc.so.6")?.contains("symbol") == true)
  }

  @Test("the bus of the session is found, and none is made")
  func busAddress() throws {
    let directory = try ScratchDirectory()
    #expect(MessageBus.address(environment: [:]) == nil)
    #expect(MessageBus.address(environment: ["XDG_RUNTIME_DIR": directory.path]) == nil)
    #expect(
      MessageBus.address(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"])
        == "unix:path=/x"
    )
    let folder = "\(directory.path)/a b"
    #expect(mkdir(folder, 0o700) == 0)
    try FileBytes.write([], to: "\(folder)/bus")
    #expect(MessageBus.address(environment: ["XDG_RUNTIME_DIR": folder]) == nil)
    #expect(unlink("\(folder)/bus") == 0)
    let listener = try LocalSocket.listen(at: "\(folder)/bus")
    defer { _ = listener }
    let variables = ["XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": ""]
    #expect(
      MessageBus.address(environment: variables) == "unix:path=\(directory.path)/a%20b/bus"
    )
    #expect(!MessageBus.hasDisplay(environment: ["DISPLAY": ""]))
    #expect(MessageBus.hasDisplay(environment: ["WAYLAND_DISPLAY": "wayland-0"]))
  }
}
