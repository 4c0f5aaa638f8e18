public import TermindDomain

/// Reads keys that are to be kept: a file or a pasted text, in every form that `PrivateKeyFile` knows.
public enum KeyImport {
  /// Reads a pasted text: a private key, a public key line, or a certificate line.
  ///
  /// A private key in OpenSSH's own format is kept as it is, so that its passphrase is not needed; any
  /// other private key is written in that format, under the passphrase that it had.
  /// - Parameters:
  ///   - text: The text; what stands around a private key is left out.
  ///   - passphrase: Its passphrase; nil when it has none or none is known.
  /// - Returns: The key; a text without a private half gives one whose `privateText` is nil.
  /// - Throws: `needsPassphrase` when it can only be kept with it, `unusable(.wrongPassphrase)`, or what
  ///   is wrong with it.
  public static func read(
    _ text: SecretBytes,
    passphrase: SecretBytes? = nil
  ) async throws(KeyWorkError) -> KeyPair {
    let loaded: LoadedKey
    do throws(KeyFileError) {
      loaded = try PrivateKeyFile.parse(text)
    } catch {
      throw .unusable(error)
    }
    switch loaded {
    case .publicOnly(let key, let comment): return try publicPair(key, comment)
    case .ready(let key):
      if let kept = kept(text) {
        return KeyPair(
          publicKey: key.publicKey,
          comment: key.comment,
          privateText: kept,
          isEncrypted: false
        )
      }
      return try await KeyMaker.changePassphrase(of: text, from: nil, to: nil)
    case .locked(let locked):
      guard let passphrase else {
        guard let publicKey = locked.publicKey, let kept = kept(text) else {
          throw .needsPassphrase
        }
        return KeyPair(publicKey: publicKey, comment: "", privateText: kept, isEncrypted: true)
      }
      guard let kept = kept(text) else {
        return try await KeyMaker.changePassphrase(of: text, from: passphrase, to: passphrase)
      }
      let key = try await KeyMaker.open(text, passphrase: passphrase)
      return KeyPair(
        publicKey: key.publicKey,
        comment: key.comment,
        privateText: kept,
        isEncrypted: true
      )
    }
  }

  /// Reads a file, and the certificate and the comment in `PATH-cert.pub` and `PATH.pub` beside it.
  ///
  /// - Parameters:
  ///   - path: An absolute path.
  ///   - passphrase: The key's passphrase; nil when it has none or none is known.
  /// - Returns: The key. A file that others may read is taken all the same: its copy is private.
  /// - Throws: As for a text.
  public static func read(
    path: String,
    passphrase: SecretBytes? = nil
  ) async throws(KeyWorkError) -> KeyPair {
    let files = await BlockingWork.run { _ in
      // `try?` for the neighbours: they are a convenience, and most keys have none.
      (
        key: Result { () throws(LocalFileError) in
          try LocalFile.read(path, limit: PrivateKeyFile.maximumByteCount)
        },
        publicKey: try? LocalFile.read("\(path).pub", limit: PrivateKeyFile.maximumByteCount),
        certificate: try? LocalFile.read("\(path)-cert.pub", limit: PrivateKeyFile.maximumByteCount)
      )
    }
    let text: SecretBytes
    do throws(LocalFileError) {
      text = try files.key.get().bytes
    } catch {
      throw .unusable(KeyFileError(error))
    }
    let pair = try await read(text, passphrase: passphrase)
    var comment = pair.comment
    if comment.isEmpty, let neighbour = publicLine(files.publicKey),
      neighbour.key == pair.publicKey
    {
      comment = neighbour.comment
    }
    var certificate = pair.certificate
    if certificate == nil, let line = publicLine(files.certificate), line.key.isCertificate,
      // `try?`: a broken neighbour is as good as none.
      let found = try? SSHCertificate(blob: line.key.blob), found.publicKey == pair.publicKey
    {
      certificate = found
    }
    return KeyPair(
      publicKey: pair.publicKey,
      comment: comment,
      privateText: pair.privateText,
      isEncrypted: pair.isEncrypted,
      certificate: certificate
    )
  }

  private static func publicPair(
    _ key: SSHPublicKey,
    _ comment: String
  ) throws(KeyWorkError) -> KeyPair {
    guard key.isCertificate else {
      return KeyPair(publicKey: key, comment: comment, privateText: nil, isEncrypted: false)
    }
    do throws(PublicKeyError) {
      let certificate = try SSHCertificate(blob: key.blob)
      return KeyPair(
        publicKey: certificate.publicKey,
        comment: comment,
        privateText: nil,
        isEncrypted: false,
        certificate: certificate
      )
    } catch {
      throw .unusable(KeyFileError(error))
    }
  }

  private static func publicLine(_ file: LocalFile?) -> (key: SSHPublicKey, comment: String)? {
    // `try?`: what is no key line is as good as absent.
    guard let file, case .publicOnly(let key, let comment)? = try? PrivateKeyFile.parse(file.bytes)
    else { return nil }
    return (key, comment)
  }

  /// The armored key alone, with even line ends; nil for another format than OpenSSH's.
  private static func kept(_ text: SecretBytes) -> SecretBytes? {
    let armor = KeyArmor(text)
    guard armor.label == "OPENSSH PRIVATE KEY" else { return nil }
    return armor.decodedBody().map(OpenSSHKeyWriter.armor)
  }
}
