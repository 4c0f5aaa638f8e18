public import TermindApplication
internal import TermindDomain

/// Finds the secret store when a secret is first needed.
///
/// - Throws: Why it cannot be told which one it is.
public typealias SecretStoreSource = @Sendable () async throws -> any SecretStoring

/// What connection attempts of one server share: a passphrase that several of them need at the same moment
/// is asked for once.
///
/// The answer serves those who wait for it; nothing is kept afterwards.
public final class SharedUnlocking: Sendable {
  /// A key that a passphrase opens.
  enum KeySubject: Hashable, Sendable {
    case file(path: String)
    case stored(SecretItemID)
  }

  /// The only secret store.
  enum StoreSubject: Hashable, Sendable { case secrets }

  let keys = JointWork<KeySubject, KeyOpening>()
  let stores = JointWork<StoreSubject, SecretUnlocking>()

  /// Makes what a server's attempts share.
  public init() {}
}

/// How an attempt to open a locked key ended.
enum KeyOpening: Sendable {
  /// It can sign now.
  case opened(PrivateKey)
  /// It cannot, for this reason.
  case failed(SkippedKey.Reason)

  /// Whether it holds for all who wait; who gives up does so for one attempt, and the next one asks.
  var isForEveryone: Bool {
    if case .failed(.passphraseDeclined) = self { false } else { true }
  }
}

/// How an attempt to unlock the secret store ended.
enum SecretUnlocking: Sendable {
  case unlocked
  case failed(SecretProblem)
}
