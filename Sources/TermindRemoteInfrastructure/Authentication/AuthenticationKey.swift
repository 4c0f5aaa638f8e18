/// A key that may be offered to a server.
public struct AuthenticationKey: Hashable, Sendable, Identifiable {
  /// Where the private half lives.
  public enum Place: Hashable, Sendable {
    /// In a file on this machine.
    case file(path: String)
    /// In the agent, under this comment.
    case agent(comment: String)
    /// In the secret store, as the key of this name in the vault.
    case stored(name: String)
  }

  /// Its place in the ring, from zero.
  public let id: Int
  /// Where the private half lives.
  public let place: Place
  /// The public half; `nil` for a locked file that does not show it.
  public var publicKey: SSHPublicKey?
  /// Whether it must be opened before it can sign: by a passphrase, or out of the secret store.
  public var isLocked: Bool
  /// Whether what opens it is in the secret store, so that it may open without the person.
  public var opensFromStore: Bool
  /// Whether a certificate for it was left aside, which the engine cannot offer.
  public var lacksCertificate: Bool

  /// Makes a key.
  public init(
    id: Int,
    place: Place,
    publicKey: SSHPublicKey?,
    isLocked: Bool,
    opensFromStore: Bool = false,
    lacksCertificate: Bool = false
  ) {
    self.id = id
    self.place = place
    self.publicKey = publicKey
    self.isLocked = isLocked
    self.opensFromStore = opensFromStore
    self.lacksCertificate = lacksCertificate
  }

  /// What people call it: its path, its name in the vault, or its comment in the agent.
  public var name: String {
    switch place {
    case .file(let path): path
    case .agent(let comment): comment
    case .stored(let name): name
    }
  }

  /// What people recognise it by: type, fingerprint, and path or agent comment.
  public var label: String {
    let identity = publicKey.map { "\($0.type.shortName) \($0.fingerprint) " } ?? ""
    switch place {
    case .file(let path): return "\(identity)\(path)"
    case .agent(let comment): return "\(identity)agent: \(comment)"
    case .stored(let name): return "\(identity)vault: \(name)"
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
    /// It is a certificate, which the engine cannot offer; its plain key is offered all the same.
    case needsOpenSSHEngine
    /// A key of the vault whose private half the agent should hold, and does not.
    case agentLacksKey
    /// What opens it cannot be had from the secret store.
    case secret(SecretProblem)
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
