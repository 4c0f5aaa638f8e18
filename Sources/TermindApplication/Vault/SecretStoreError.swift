public import TermindDomain

/// Why the secret store did not do what was asked; every secret is as it was before.
public enum SecretStoreError: Error, Hashable, Sendable {
  /// How a sealed file is broken.
  public enum Damage: Hashable, Sendable {
    /// It does not begin as a sealed file does.
    case notSealed
    /// It ends before the end that its header tells.
    case truncated
    /// It goes on after its end.
    case extended
    /// Its header was altered.
    case header
    /// Its header and passphrase are right, and the sealed secrets were altered.
    case content
  }

  /// `unlock` comes first.
  case locked
  /// The passphrase does not open it.
  case wrongPassphrase
  /// A passphrase must have at least one byte.
  case passphraseIsEmpty
  /// There is no sealed file yet; set a passphrase first.
  case notSetUp
  /// There is a sealed file already, so that its present passphrase is needed.
  case alreadySetUp
  /// The passphrase belongs to the desktop's keyring, whose own program changes it.
  case passphraseIsKeyrings
  /// There is no secret of this name.
  case notFound(SecretItemID)
  /// A secret has no bytes, or more than `SecretLimits.secretByteCount`; or all of them together are too many.
  case wrongSize(byteCount: Int)

  /// The sealed file is broken; a copy of it from a backup can be put in its place.
  case damaged(path: String, Damage)
  /// A newer version of the program wrote the sealed file.
  case newerFormat(path: String, found: Int, supported: Int)
  /// Another process has the sealed file open; the note tells which.
  case busy(path: String, note: String)
  /// Another program put another file in its place since it was opened; lock and unlock to take that one.
  case changedElsewhere(path: String)
  /// The sealed file belongs to another user, or is no regular file.
  case unsafeFile(path: String, reason: String)
  /// The system does not let it be read.
  case unreadable(path: String, diagnostic: String)
  /// The system does not let it be written: a full disk, or a file system that is read-only.
  case notWritable(path: String, diagnostic: String)
  /// The memory that the passphrase takes to check is not there.
  case notEnoughMemory(byteCount: Int)

  /// This session has no message bus, on which a keyring would be.
  case noMessageBus
  /// The library that talks to keyrings is not installed on this machine; the name is its file's.
  case libraryMissing(name: String, diagnostic: String)
  /// Nobody answers as the keyring.
  case noKeyring(diagnostic: String)
  /// The keyring did not answer in time.
  case timedOut(seconds: Int)
  /// The person closed the keyring's question, or the desktop could not show it.
  case dismissed
  /// The task was cancelled.
  case cancelled
  /// Anything else, with the library's text for the log.
  case failed(diagnostic: String)
}
