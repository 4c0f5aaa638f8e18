public import TermindDomain

/// What a key file shows without its passphrase.
public struct KeyFileSummary: Hashable, Sendable {
  /// The SSH key type, such as `ssh-ed25519`.
  public let algorithm: String
  /// The comment of the key; may be empty.
  public let comment: String
  /// `SHA256:` and the unpadded base64 digest.
  public let fingerprint: String
  /// The public key in wire format.
  public let publicKey: [UInt8]
  /// Whether a passphrase protects it.
  public let isEncrypted: Bool
  /// The SHA-256 digest of the file; tells whether it is still the same.
  public let digest: [UInt8]

  /// Makes a summary.
  public init(
    algorithm: String,
    comment: String,
    fingerprint: String,
    publicKey: [UInt8],
    isEncrypted: Bool,
    digest: [UInt8]
  ) {
    self.algorithm = algorithm
    self.comment = comment
    self.fingerprint = fingerprint
    self.publicKey = publicKey
    self.isEncrypted = isEncrypted
    self.digest = digest
  }
}

/// Why a key file cannot be taken over.
public enum KeyFileProblem: Error, Hashable, Sendable {
  /// There is no such file.
  case absent
  /// It holds only a public key; the private half is elsewhere, such as in the agent.
  case publicOnly
  /// It is locked, and nothing shows its public half.
  case publicHalfHidden
  /// Others may read it.
  case permissionsTooOpen(mode: UInt32)
  /// The format or the kind of key is not read.
  case unsupported(String)
  /// Anything else.
  case unreadable(String)
}

/// What a passphrase is to a key file.
public enum PassphraseFit: Hashable, Sendable {
  /// It opens the key.
  case opens
  /// It is another one.
  case wrong
  /// The key is not locked.
  case notNeeded
}

/// Looks at key files.
public protocol KeyFileInspecting: Sendable {
  /// Reads what a key file shows; asks the person nothing.
  func inspect(_ path: String) async throws(KeyFileProblem) -> KeyFileSummary

  /// Tries a passphrase, which takes a moment of work.
  func fit(
    of passphrase: SecretBytes,
    to path: String
  ) async throws(KeyFileProblem) -> PassphraseFit

  /// Reads a certificate file; nil when it holds none for this key.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - publicKey: The key that the certificate must be for, in wire format.
  /// - Returns: The certificate in wire format.
  func certificate(at path: String, for publicKey: [UInt8]) async -> [UInt8]?
}
