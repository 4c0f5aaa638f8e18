public import TermindDomain

/// Where secrets are kept.
public enum SecretPlace: String, Hashable, Sendable, CaseIterable {
  /// The keyring of the desktop, behind the Secret Service.
  case keyring
  /// A file that a passphrase of its own opens.
  case sealedFile = "file"
}

/// Whether secrets can be read now.
public enum SecretStoreState: Hashable, Sendable {
  /// Nothing was ever kept here; `changePassphrase(from: nil, to:)` begins a sealed file.
  case notSetUp
  /// There are secrets, and `unlock` opens them; left by `unlock`.
  case locked
  /// Secrets can be read and written; left by `lock`, and by the end of the server.
  case unlocked
  /// It cannot be used for this reason; left when the reason goes and the store is asked again.
  case unusable(SecretStoreError)
}

/// A secret that is to be kept.
public struct NewSecret: Sendable {
  /// The bytes, at least one and at most `SecretLimits.secretByteCount`.
  public var bytes: SecretBytes
  /// What people see of it in the keyring of their desktop; never a secret itself.
  public var label: String

  /// Makes a secret.
  public init(_ bytes: SecretBytes, label: String) {
    self.bytes = bytes
    self.label = label
  }
}

/// A secret of the store, without its bytes.
public struct SecretEntry: Hashable, Sendable {
  /// Its identifier.
  public let id: SecretItemID
  /// What people see of it.
  public let label: String

  /// Makes an entry.
  public init(id: SecretItemID, label: String) {
    self.id = id
    self.label = label
  }
}

/// What a secret store takes.
public enum SecretLimits {
  /// The most bytes of one secret.
  public static let secretByteCount = 1 << 20
  /// The most bytes of a label in UTF-8; the rest of a longer one is dropped.
  public static let labelByteCount = 256
}

/// Keeps secrets under identifiers that records name; the port of the secret store.
///
/// Secrets are created before the record that names them is saved; `keeping(_:forSave:)` removes them
/// again when the save fails. Calls are carried out one after another. Nothing here runs on the
/// main actor: opening a sealed file takes about half a second of work.
public protocol SecretStoring: Sendable {
  /// Where it keeps them.
  var place: SecretPlace { get }

  /// Whether secrets can be read; never asks the person.
  func state() async -> SecretStoreState

  /// Opens the store until `lock` or the end of the server.
  ///
  /// - Parameter passphrase: The passphrase of the sealed file; nil lets the keyring ask by itself,
  ///   which waits for the person until the task is cancelled.
  /// - Throws: `wrongPassphrase`, `notSetUp`, or what is broken.
  func unlock(_ passphrase: SecretBytes?) async throws(SecretStoreError)

  /// Closes the store and wipes its key; a store that is locked already stays so.
  func lock() async throws(SecretStoreError)

  /// Sets the first passphrase, or seals everything anew under another one, in one step.
  ///
  /// The store is unlocked afterwards. When it fails, the old passphrase and all secrets stay as they are.
  /// - Parameters:
  ///   - old: The passphrase so far; nil only for a store that is not set up.
  ///   - new: The new passphrase, not empty.
  /// - Throws: `wrongPassphrase`, `alreadySetUp`, or `passphraseIsKeyrings` where the desktop owns it.
  func changePassphrase(from old: SecretBytes?, to new: SecretBytes) async throws(SecretStoreError)

  /// Keeps new secrets, all or none.
  ///
  /// - Parameter secrets: What to keep.
  /// - Returns: Their identifiers, in the same order.
  /// - Throws: Why none was kept.
  func create(_ secrets: [NewSecret]) async throws(SecretStoreError) -> [SecretItemID]

  /// Reads one secret.
  func read(_ id: SecretItemID) async throws(SecretStoreError) -> SecretBytes

  /// Puts other bytes in the place of a secret that exists.
  func replace(_ id: SecretItemID, with bytes: SecretBytes) async throws(SecretStoreError)

  /// Removes secrets; one that is not there is no error.
  func delete(_ ids: [SecretItemID]) async throws(SecretStoreError)

  /// Every secret of this store, by identifier.
  func entries() async throws(SecretStoreError) -> [SecretEntry]
}

extension SecretStoring {
  /// Keeps one new secret.
  public func create(_ secret: NewSecret) async throws(SecretStoreError) -> SecretItemID {
    guard let id = try await create([secret]).first else {
      throw .failed(diagnostic: "the store kept nothing")
    }
    return id
  }

  /// Removes one secret; one that is not there is no error.
  public func delete(_ id: SecretItemID) async throws(SecretStoreError) { try await delete([id]) }

  /// Keeps secrets, then saves the record that names them; removes the secrets when the save fails.
  ///
  /// - Parameters:
  ///   - secrets: What the record will name.
  ///   - save: Saves the record with the identifiers, in the order of `secrets`.
  /// - Returns: What `save` returned.
  /// - Throws: A `SecretStoreError` when nothing was kept, else what `save` threw.
  public func keeping<Saved: Sendable>(
    _ secrets: [NewSecret],
    forSave save: ([SecretItemID]) async throws -> Saved
  ) async throws -> Saved {
    let ids = try await create(secrets)
    do {
      return try await save(ids)
    } catch {
      // `try?`: the save's reason is what matters; a secret that nobody names is found by
      // `deleteUnnamed` later. A cancelled task must still clean up, so that runs in one of its own.
      await Task { _ = try? await delete(ids) }.value
      throw error
    }
  }

  /// Removes secrets that no record names: a save that was cut off between the two steps leaves them.
  ///
  /// - Parameter named: Every identifier that a record names.
  /// - Returns: How many were removed.
  /// - Throws: Why the store cannot be read or written.
  public func deleteUnnamed(
    keeping named: Set<SecretItemID>
  ) async throws(SecretStoreError) -> Int {
    let unnamed = try await entries().map(\.id).filter { !named.contains($0) }
    try await delete(unnamed)
    return unnamed.count
  }
}
