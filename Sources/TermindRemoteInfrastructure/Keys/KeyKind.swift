/// The kinds of keys that are made here.
public enum KeyKind: String, Hashable, Sendable, CaseIterable {
  /// Ed25519: short, fast, and what to choose where nothing speaks against it.
  case ed25519
  /// ECDSA over NIST P-256.
  case ecdsaP256 = "ecdsa-256"
  /// ECDSA over NIST P-384.
  case ecdsaP384 = "ecdsa-384"
  /// ECDSA over NIST P-521.
  case ecdsaP521 = "ecdsa-521"
  /// RSA with 4096 bits, for servers that know nothing newer; takes a second or more to make.
  case rsa4096 = "rsa-4096"

  /// The SSH key type.
  public var type: SSHKeyType {
    switch self {
    case .ed25519: .ed25519
    case .ecdsaP256: .ecdsaP256
    case .ecdsaP384: .ecdsaP384
    case .ecdsaP521: .ecdsaP521
    case .rsa4096: .rsa
    }
  }
}

/// Why a key could not be made, read or written anew.
public enum KeyWorkError: Error, Hashable, Sendable {
  /// The text or file holds no key that can be used.
  case unusable(KeyFileError)
  /// It is encrypted in a form that hides all of it; its passphrase is needed first.
  case needsPassphrase
  /// A passphrase must have at least one byte; no passphrase at all is nil.
  case passphraseIsEmpty
  /// A public key has no private half to write.
  case publicOnly
  /// The task was cancelled.
  case cancelled
  /// The library failed; its text is for the log.
  case failed(diagnostic: String)
}
