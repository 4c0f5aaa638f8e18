public import TermindApplication
public import TermindDomain

/// Secrets of one test, in memory; with a passphrase it behaves as a sealed file does.
public actor InMemorySecretStore: SecretStoring {
  private var secrets: [SecretItemID: NewSecret] = [:]
  private var passphrase: SecretBytes?
  private var isOpen: Bool
  private var failure: SecretStoreError?

  /// Where it claims to keep them.
  public nonisolated let place: SecretPlace

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - place: What it passes for; a keyring is open from the start.
  ///   - passphrase: The passphrase of a sealed file that is set up and locked; nil for one that is not.
  public init(place: SecretPlace = .sealedFile, passphrase: SecretBytes? = nil) {
    self.place = place
    self.passphrase = passphrase
    isOpen = place == .keyring
  }

  /// Lets every further call fail; nil lets them succeed again.
  public func fail(with error: SecretStoreError?) { failure = error }

  /// Whether it is set up and open.
  public func state() -> SecretStoreState {
    if let failure { return .unusable(failure) }
    if isOpen { return .unlocked }
    return passphrase == nil && place == .sealedFile ? .notSetUp : .locked
  }

  /// Opens it.
  public func unlock(_ passphrase: SecretBytes?) throws(SecretStoreError) {
    if let failure { throw failure }
    guard !isOpen else { return }
    if place == .sealedFile {
      guard let passphrase, !passphrase.isEmpty else { throw .passphraseIsEmpty }
      guard let own = self.passphrase else { throw .notSetUp }
      guard own == passphrase else { throw .wrongPassphrase }
    } else if passphrase != nil {
      throw .passphraseIsKeyrings
    }
    isOpen = true
  }

  /// Closes it.
  public func lock() throws(SecretStoreError) {
    if let failure { throw failure }
    isOpen = false
  }

  /// Sets the first passphrase, or another one.
  public func changePassphrase(
    from old: SecretBytes?,
    to new: SecretBytes
  ) throws(SecretStoreError) {
    if let failure { throw failure }
    guard place == .sealedFile else { throw .passphraseIsKeyrings }
    guard !new.isEmpty else { throw .passphraseIsEmpty }
    if let old {
      guard let own = passphrase else { throw .notSetUp }
      guard own == old else { throw .wrongPassphrase }
    } else if passphrase != nil {
      throw .alreadySetUp
    }
    passphrase = new
    isOpen = true
  }

  /// Keeps secrets.
  public func create(_ secrets: [NewSecret]) throws(SecretStoreError) -> [SecretItemID] {
    try check()
    for secret in secrets { try Self.check(secret.bytes) }
    return secrets.map { secret in
      let id = SecretItemID()
      self.secrets[id] = secret
      return id
    }
  }

  /// Reads a secret.
  public func read(_ id: SecretItemID) throws(SecretStoreError) -> SecretBytes {
    try check()
    guard let secret = secrets[id] else { throw .notFound(id) }
    return secret.bytes
  }

  /// Replaces a secret.
  public func replace(_ id: SecretItemID, with bytes: SecretBytes) throws(SecretStoreError) {
    try check()
    try Self.check(bytes)
    guard secrets[id] != nil else { throw .notFound(id) }
    secrets[id]?.bytes = bytes
  }

  /// Removes secrets.
  public func delete(_ ids: [SecretItemID]) throws(SecretStoreError) {
    try check()
    for id in ids { secrets[id] = nil }
  }

  /// Every secret.
  public func entries() throws(SecretStoreError) -> [SecretEntry] {
    try check()
    return secrets.map { SecretEntry(id: $0.key, label: $0.value.label) }
      .sorted { $0.id.description < $1.id.description }
  }

  private func check() throws(SecretStoreError) {
    if let failure { throw failure }
    guard isOpen else { throw .locked }
  }

  private static func check(_ bytes: SecretBytes) throws(SecretStoreError) {
    guard (1...SecretLimits.secretByteCount).contains(bytes.count) else {
      throw .wrongSize(byteCount: bytes.count)
    }
  }
}
