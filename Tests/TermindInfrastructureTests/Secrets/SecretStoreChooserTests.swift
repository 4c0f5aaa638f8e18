import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

@Suite("Choice of the secret store") struct SecretStoreChooserTests {
  private let fixture: SealedStoreFixture
  private let settings = InMemoryVault()

  init() throws { fixture = try SealedStoreFixture() }

  private func chooser(_ address: String?, canAsk: Bool = false) throws -> SecretStoreChooser {
    SecretStoreChooser(settings: settings, sealedFile: try fixture.store(), canAsk: canAsk) {
      KeyringSecretStore(address: address, scope: $0, helper: .forTests)
    }
  }

  @Test("a keyring that is open is taken, and stays taken where a desktop is missing")
  func takesOpenKeyring() async throws {
    let keyring = try await RealKeyring()
    // What was looked at and never used binds nobody.
    #expect(try await chooser(keyring.address).choose().place == .keyring)
    #expect(try await chooser(nil).choose().place == .sealedFile)

    let store = try await chooser(keyring.address).choose()
    let id = try await store.keep("hunter2")
    let again = try await chooser(keyring.address).choose()
    #expect(try await again.text(id) == "hunter2")
    let without = try await chooser(nil).choose()
    #expect(without.place == .keyring)
    #expect(await without.state() == .unusable(.noMessageBus))
  }

  @Test("a locked keyring is taken only where it can ask")
  func lockedKeyring() async throws {
    let keyring = try await RealKeyring()
    try await KeyringSecretStore(
      address: keyring.address,
      scope: "any",
      helper: .forTests
    ).lock()
    #expect(try await chooser(keyring.address, canAsk: true).choose().place == .keyring)
    #expect(try await chooser(keyring.address, canAsk: false).choose().place == .sealedFile)
  }

  @Test("a sealed file that is there is used, whatever else there is")
  func sealedFileStays() async throws {
    let keyring = try await RealKeyring()
    await (try await fixture.openStore()).lock()
    #expect(try await chooser(keyring.address).choose().place == .sealedFile)
    try FileBytes.write([1, 2, 3], to: fixture.path)
    #expect(try await chooser(keyring.address).choose().place == .sealedFile)
  }

  @Test("the person's choice is obeyed")
  func preference() async throws {
    let keyring = try await RealKeyring()
    try await chooser(nil).setPreference(.keyring)
    #expect(try await chooser(nil).choose().place == .keyring)
    try await chooser(nil).setPreference(.sealedFile)
    #expect(try await chooser(keyring.address).choose().place == .sealedFile)
    try await chooser(nil).setPreference(nil)
    #expect(try await chooser(keyring.address).choose().place == .keyring)
  }

  @Test("no library is loaded and nothing is connected before a store is asked")
  func lazy() async throws {
    let chooser = SecretStoreChooser(
      settings: settings,
      dataDirectory: fixture.directory.path,
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
    )
    #expect(try await chooser.choose().place == .sealedFile)
    #expect(try await settings.setting(SecretStoreChooser.scopeKey) != nil)
  }
}
