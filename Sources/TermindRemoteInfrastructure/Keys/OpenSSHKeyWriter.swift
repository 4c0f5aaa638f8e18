internal import TermindDomain

/// Writes private keys in OpenSSH's own format (PROTOCOL.key).
enum OpenSSHKeyWriter {
  /// What `ssh-keygen` uses since OpenSSH 9.4: some 0.3 s for each guess.
  static let rounds = 24
  private static let saltByteCount = 16
  private static let lineWidth = 70

  /// The armored text of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - comment: The comment that it carries.
  ///   - passphrase: Nil for a key that is not encrypted; never empty.
  ///   - rounds: How often the passphrase is hashed.
  ///   - isCancelled: Ends the hashing early.
  /// - Returns: The text, with a line end at its end.
  /// - Throws: `cancelled`, `passphraseIsEmpty`, or `failed`.
  static func text(
    of key: PrivateKey,
    comment: String,
    passphrase: SecretBytes?,
    rounds: Int = rounds,
    isCancelled: () -> Bool = { false }
  ) throws(KeyWorkError) -> SecretBytes {
    if let passphrase, passphrase.isEmpty { throw .passphraseIsEmpty }
    let cipher: KeyFileCipher = passphrase == nil ? .none : .aes256CTR
    guard let plain = privatePart(key, comment: comment, block: cipher.blockByteCount) else {
      throw .failed(diagnostic: "the key does not give its numbers")
    }
    var options = WireWriter()
    var text = plain
    if let passphrase {
      let salt = (0..<saltByteCount).map { _ in UInt8.random(in: 0...255) }
      options.string(salt)
      options.uint32(UInt32(clamping: rounds))
      let keyAndIV = BcryptKDF.derive(
        byteCount: cipher.keyByteCount + cipher.ivByteCount,
        passphrase: passphrase,
        salt: salt,
        rounds: rounds,
        isCancelled: isCancelled
      )
      guard let keyAndIV else {
        throw isCancelled() ? .cancelled : .failed(diagnostic: "key derivation")
      }
      guard let encrypted = KeyFileCipher.encrypt(plain, keyAndIV: keyAndIV) else {
        throw .failed(diagnostic: "libcrypto does not encrypt with \(cipher.rawValue)")
      }
      text = encrypted
    }
    var body = SecretWireWriter()
    body.raw(SecretBytes(OpenSSHKeyFormat.magic))
    body.string(cipher.rawValue)
    body.string(passphrase == nil ? "none" : "bcrypt")
    body.string(SecretBytes(options.bytes))
    body.uint32(1)
    body.string(SecretBytes(key.publicKeyBlob))
    body.string(text)
    return armor(body.finish())
  }

  /// The lines around a body in the format.
  static func armor(_ body: SecretBytes) -> SecretBytes {
    SecretBytes(joining: [
      SecretBytes("-----BEGIN OPENSSH PRIVATE KEY-----\n".utf8),
      Base64Codec.encodeSecret(body, width: lineWidth),
      SecretBytes("-----END OPENSSH PRIVATE KEY-----\n".utf8),
    ])
  }

  private static func privatePart(
    _ key: PrivateKey,
    comment: String,
    block: Int
  ) -> SecretBytes? {
    var writer = SecretWireWriter()
    // Twice the same: how a reader tells a wrong passphrase.
    let check = UInt32.random(in: 0...UInt32.max)
    writer.uint32(check)
    writer.uint32(check)
    writer.string(key.publicKey.algorithm)
    guard writeNumbers(of: key, to: &writer) else { return nil }
    writer.string(comment)
    let padding = (block - writer.byteCount % block) % block
    writer.raw(SecretBytes((0..<padding).map { UInt8($0 + 1) }))
    return writer.finish()
  }

  /// The fields of the key's type, public ones first.
  private static func writeNumbers(of key: PrivateKey, to writer: inout SecretWireWriter) -> Bool {
    // The blob was made by this program: its first field is the type's name.
    var reader = WireReader(key.publicKeyBlob)
    do throws(WireError) {
      _ = try reader.name()
      switch key.publicKey.type {
      case .ed25519:
        let publicHalf = SecretBytes(try reader.string())
        guard let seed = key.handle.ed25519Seed() else { return false }
        writer.string(publicHalf)
        writer.string(SecretBytes(joining: [seed, publicHalf]))
      case .ecdsaP256, .ecdsaP384, .ecdsaP521:
        writer.string(try reader.name())
        writer.string(SecretBytes(try reader.string()))
        guard let scalar = key.handle.secretNumber("priv") else { return false }
        writer.mpint(scalar)
      case .rsa:
        for name in ["n", "e", "d", "rsa-coefficient1", "rsa-factor1", "rsa-factor2"] {
          guard let number = key.handle.secretNumber(name) else { return false }
          writer.mpint(number)
        }
      default: return false
      }
      return true
    } catch {
      return false
    }
  }
}
