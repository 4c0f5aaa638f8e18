public import TermindDomain

/// A key as the vault keeps it: the public half in the open, the private half as text for the secret store.
public struct KeyPair: Sendable {
  /// The public half.
  public let publicKey: SSHPublicKey
  /// The comment; not trusted when it came from a file, show it sanitised.
  public let comment: String
  /// The private half in OpenSSH's own format; nil for a key whose private half is elsewhere.
  public let privateText: SecretBytes?
  /// Whether a passphrase is needed to use `privateText`.
  public let isEncrypted: Bool
  /// The certificate for this key that came with it.
  public let certificate: SSHCertificate?

  /// The line of a `.pub` file.
  public var publicLine: String { publicKey.line(comment: comment) }

  init(
    publicKey: SSHPublicKey,
    comment: String,
    privateText: SecretBytes?,
    isEncrypted: Bool,
    certificate: SSHCertificate? = nil
  ) {
    self.publicKey = publicKey
    self.comment = comment
    self.privateText = privateText
    self.isEncrypted = isEncrypted
    self.certificate = certificate
  }
}

/// Makes keys, and changes their passphrases; everything that takes long runs on a thread of its own.
public enum KeyMaker {
  /// Makes a new key.
  ///
  /// Cancelling ends the search for primes and the derivation of the key.
  /// - Parameters:
  ///   - kind: What to make.
  ///   - comment: What the key carries, such as `user@machine`.
  ///   - passphrase: What encrypts it; nil leaves it to the secret store alone.
  /// - Returns: The key; nothing is saved.
  /// - Throws: `passphraseIsEmpty`, `cancelled`, or `failed`.
  public static func generate(
    _ kind: KeyKind,
    comment: String,
    passphrase: SecretBytes?
  ) async throws(KeyWorkError) -> KeyPair {
    try await work { (isCancelled) throws(KeyWorkError) in
      let made = PrivateKeyHandle.generate(kind, isCancelled: isCancelled)
      guard let handle = consume made else {
        throw isCancelled()
          ? .cancelled : .failed(diagnostic: "libcrypto makes no \(kind.rawValue)")
      }
      let key: PrivateKey
      do throws(KeyFileError) {
        key = try PrivateKey(handle, shown: nil, comment: comment)
      } catch {
        throw .unusable(error)
      }
      return try pair(key, comment: comment, passphrase, isCancelled)
    }
  }

  /// Writes a private key anew: under another passphrase, under a first one, or without one.
  ///
  /// - Parameters:
  ///   - text: The key in any form that can be read; it is written in OpenSSH's own format.
  ///   - old: The passphrase so far; nil when it has none.
  ///   - new: The new passphrase; nil for none.
  ///   - comment: Another comment; nil keeps the one that is there.
  /// - Returns: The same key with its new text.
  /// - Throws: `unusable(.wrongPassphrase)`, `needsPassphrase`, `publicOnly`, or what else is wrong.
  public static func changePassphrase(
    of text: SecretBytes,
    from old: SecretBytes?,
    to new: SecretBytes?,
    comment: String? = nil
  ) async throws(KeyWorkError) -> KeyPair {
    try await rewrite(text, from: old, to: new, comment: comment, rounds: OpenSSHKeyWriter.rounds)
  }

  static func rewrite(
    _ text: SecretBytes,
    from old: SecretBytes?,
    to new: SecretBytes?,
    comment: String? = nil,
    rounds: Int
  ) async throws(KeyWorkError) -> KeyPair {
    if let new, new.isEmpty { throw .passphraseIsEmpty }
    let key = try await open(text, passphrase: old)
    return try await work { (isCancelled) throws(KeyWorkError) in
      try pair(key, comment: comment ?? key.comment, new, rounds: rounds, isCancelled)
    }
  }

  /// Opens a private key, to sign with it.
  ///
  /// - Parameters:
  ///   - text: The key in any form that can be read.
  ///   - passphrase: Its passphrase; nil when it has none.
  /// - Returns: The key.
  /// - Throws: `unusable(.wrongPassphrase)`, `needsPassphrase`, `publicOnly`, or what else is wrong.
  public static func open(
    _ text: SecretBytes,
    passphrase: SecretBytes?
  ) async throws(KeyWorkError) -> PrivateKey {
    let locked: LockedKey
    do throws(KeyFileError) {
      switch try PrivateKeyFile.parse(text) {
      case .ready(let key): return key
      case .publicOnly: throw .agentLacksKey
      case .locked(let found): locked = found
      }
    } catch {
      throw error == .agentLacksKey ? .publicOnly : .unusable(error)
    }
    guard let passphrase else { throw .needsPassphrase }
    do throws(KeyFileError) {
      return try await locked.unlock(passphrase)
    } catch {
      // An unlocking that was cancelled looks like a wrong passphrase.
      throw Task.isCancelled ? .cancelled : .unusable(error)
    }
  }

  private static func pair(
    _ key: PrivateKey,
    comment: String,
    _ passphrase: SecretBytes?,
    rounds: Int = OpenSSHKeyWriter.rounds,
    _ isCancelled: () -> Bool
  ) throws(KeyWorkError) -> KeyPair {
    let text = try OpenSSHKeyWriter.text(
      of: key,
      comment: comment,
      passphrase: passphrase,
      rounds: rounds,
      isCancelled: isCancelled
    )
    return KeyPair(
      publicKey: key.publicKey,
      comment: comment,
      privateText: text,
      isEncrypted: passphrase != nil
    )
  }

  private static func work<Value: Sendable>(
    _ body: @escaping @Sendable (@escaping () -> Bool) throws(KeyWorkError) -> Value
  ) async throws(KeyWorkError) -> Value {
    let result = await BlockingWork.run { flag in
      Result { () throws(KeyWorkError) in try body { flag.isSet } }
    }
    return try result.get()
  }
}
