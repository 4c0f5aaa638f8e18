internal import FoundationEssentials
public import TermindApplication
internal import TermindDomain

/// Chooses where secrets are kept: what the person set, else where they are already, else the keyring
/// when it can be used here and now, else the sealed file.
public struct SecretStoreChooser: Sendable {
  /// The setting with the person's choice: `keyring` or `file`; anything else is automatic.
  public static let preferenceKey = "secrets.place"
  /// The setting that remembers the first secret of a keyring.
  static let usedKey = "secrets.place.used"
  /// The setting that tells the secrets of this store from others in the same keyring.
  static let scopeKey = "secrets.scope"

  private let settings: any SettingStoring
  private let sealedFile: SealedSecretStore
  private let makeKeyring: @Sendable (String) -> KeyringSecretStore
  private let canAsk: Bool

  /// Makes a chooser for one data directory.
  ///
  /// - Parameters:
  ///   - settings: Where the choice is kept.
  ///   - dataDirectory: Where the sealed file lies, as `secrets.sealed`.
  ///   - environment: The variables of the process: the bus and the display are looked for in them.
  public init(
    settings: any SettingStoring,
    dataDirectory: String,
    environment: [String: String]
  ) {
    let address = MessageBus.address(environment: environment)
    self.init(
      settings: settings,
      sealedFile: SealedSecretStore(path: "\(dataDirectory)/secrets.sealed"),
      canAsk: MessageBus.hasDisplay(environment: environment)
    ) { scope in KeyringSecretStore(address: address, scope: scope) }
  }

  init(
    settings: any SettingStoring,
    sealedFile: SealedSecretStore,
    canAsk: Bool,
    makeKeyring: @escaping @Sendable (String) -> KeyringSecretStore
  ) {
    self.settings = settings
    self.sealedFile = sealedFile
    self.canAsk = canAsk
    self.makeKeyring = makeKeyring
  }

  /// Chooses a store; asks nobody, and waits for a keyring three seconds at most.
  ///
  /// Not at the start of the server: it may load a library and start the keyring's service.
  public func choose() async throws(StoreError) -> any SecretStoring {
    let keyring = makeKeyring(try await scope())
    let noting = NotingSecretStore(inner: keyring, settings: settings)
    switch try await settings.setting(Self.preferenceKey).flatMap(SecretPlace.init) {
    case .keyring: return noting
    case .sealedFile: return sealedFile
    case nil: break
    }
    if await sealedFile.state() != .notSetUp { return sealedFile }
    if try await settings.setting(Self.usedKey) == SecretPlace.keyring.rawValue { return noting }
    switch await keyring.state() {
    case .unlocked: return noting
    case .locked, .notSetUp: return canAsk ? noting : sealedFile
    case .unusable: return sealedFile
    }
  }

  /// Sets where secrets are kept from the next choice on; nil is automatic.
  ///
  /// Secrets stay where they are.
  public func setPreference(_ place: SecretPlace?) async throws(StoreError) {
    try await settings.setSetting(Self.preferenceKey, to: place?.rawValue)
  }

  private func scope() async throws(StoreError) -> String {
    if let scope = try await settings.setting(Self.scopeKey) { return scope }
    let scope = UUID().uuidString
    try await settings.setSetting(Self.scopeKey, to: scope)
    return scope
  }
}

/// A keyring that leaves a note with its first secret, so that a later start without a desktop says that
/// the keyring is missing instead of looking for the secrets elsewhere.
struct NotingSecretStore: SecretStoring {
  let inner: KeyringSecretStore
  let settings: any SettingStoring

  var place: SecretPlace { inner.place }
  func state() async -> SecretStoreState { await inner.state() }
  func unlock(_ passphrase: SecretBytes?) async throws(SecretStoreError) {
    try await inner.unlock(passphrase)
  }
  func lock() async throws(SecretStoreError) { try await inner.lock() }
  func changePassphrase(
    from old: SecretBytes?,
    to new: SecretBytes
  ) async throws(SecretStoreError) {
    try await inner.changePassphrase(from: old, to: new)
  }
  func create(_ secrets: [NewSecret]) async throws(SecretStoreError) -> [SecretItemID] {
    do throws(StoreError) {
      let key = SecretStoreChooser.usedKey
      if try await settings.setting(key) != place.rawValue {
        try await settings.setSetting(key, to: place.rawValue)
      }
    } catch {
      throw .failed(diagnostic: "the settings cannot be written: \(error)")
    }
    return try await inner.create(secrets)
  }
  func read(_ id: SecretItemID) async throws(SecretStoreError) -> SecretBytes {
    try await inner.read(id)
  }
  func replace(_ id: SecretItemID, with bytes: SecretBytes) async throws(SecretStoreError) {
    try await inner.replace(id, with: bytes)
  }
  func delete(_ ids: [SecretItemID]) async throws(SecretStoreError) { try await inner.delete(ids) }
  func entries() async throws(SecretStoreError) -> [SecretEntry] { try await inner.entries() }
}
