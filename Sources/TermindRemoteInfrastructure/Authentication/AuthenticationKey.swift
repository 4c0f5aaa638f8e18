/// A key that may be offered to a server.
public struct AuthenticationKey: Hashable, Sendable, Identifiable {
  /// Where the private half lives.
  public enum Place: Hashable, Sendable {
    /// In a file on this machine.
    case file(path: String)
    /// In the agent, under this comment.
    case agent(comment: String)
  }

  /// Its place in the ring, from zero.
  public let id: Int
  /// Where the private half lives.
  public let place: Place
  /// The public half; `nil` for a locked file that does not show it.
  public var publicKey: SSHPublicKey?
  /// Whether a passphrase is needed before it can sign.
  public var isLocked: Bool

  /// Makes a key.
  public init(id: Int, place: Place, publicKey: SSHPublicKey?, isLocked: Bool) {
    self.id = id
    self.place = place
    self.publicKey = publicKey
    self.isLocked = isLocked
  }

  /// What people recognise it by: type, fingerprint, and path or agent comment.
  public var label: String {
    let identity = publicKey.map { "\($0.type.shortName) \($0.fingerprint) " } ?? ""
    switch place {
    case .file(let path): return "\(identity)\(path)"
    case .agent(let comment): return "\(identity)agent: \(comment)"
    }
  }
}

/// A key that was not offered, and why.
public struct SkippedKey: Hashable, Sendable {
  /// Why a key was not offered.
  public enum Reason: Hashable, Sendable {
    /// The file cannot be used.
    case unusable(KeyFileError)
    /// The engine cannot use keys of this type.
    case unsupportedType(String)
    /// It needs a passphrase, and nobody may be asked.
    case needsPassphrase
    /// The person gave no passphrase.
    case passphraseDeclined
    /// The limit of keys was reached.
    case overLimit
    /// It was accepted by the server and could then not sign.
    case signingFailed(SigningError)
  }

  /// The key's label, or the path of a file that is no key.
  public let label: String
  /// Why it was skipped.
  public let reason: Reason

  /// Makes a record.
  public init(label: String, reason: Reason) {
    self.label = label
    self.reason = reason
  }
}
