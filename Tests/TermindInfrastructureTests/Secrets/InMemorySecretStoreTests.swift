import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

/// The double that other tests use keeps the same promises as the real stores.
@Suite("Secrets in memory") struct InMemorySecretStoreTests {
  @Test("keeps what every secret store keeps", arguments: SecretPlace.allCases)
  func contract(place: SecretPlace) async throws {
    let store = InMemorySecretStore(place: place)
    if place == .sealedFile {
      #expect(await store.state() == .notSetUp)
      try await store.changePassphrase(from: nil, to: SecretBytes("one"))
    }
    try await SecretStoreContract.check(store)
  }

  @Test("locks as a sealed file does")
  func locks() async throws {
    let store = InMemorySecretStore(passphrase: SecretBytes("one"))
    #expect(await store.state() == .locked)
    await #expect(throws: SecretStoreError.wrongPassphrase) {
      try await store.unlock(SecretBytes("two"))
    }
    try await store.unlock(SecretBytes("one"))
    let id = try await store.keep("hunter2")
    try await store.lock()
    await #expect(throws: SecretStoreError.locked) { _ = try await store.read(id) }
  }
}
