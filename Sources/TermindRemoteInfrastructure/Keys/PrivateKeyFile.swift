public import TermindDomain

/// What a key file holds.
public enum LoadedKey: Sendable {
  /// A private key that needs no passphrase.
  case ready(PrivateKey)
  /// A private key that a passphrase opens.
  case locked(LockedKey)
  /// A public key; its private half may be in the agent.
  case publicOnly(SSHPublicKey, comment: String)
}

/// An encrypted private key, before its passphrase is known.
public struct LockedKey: Sendable {
  enum Content: Sendable {
    case openSSH(OpenSSHKeyFormat)
    case pem(SecretBytes)
  }

  /// The public half, when the file or the `.pub` file beside it shows it.
  public let publicKey: SSHPublicKey?
  let content: Content

  /// Opens the key on a thread of its own; the key derivation takes a tenth of a second or more.
  ///
  /// - Parameter passphrase: The passphrase.
  /// - Returns: The key, ready to sign.
  /// - Throws: `wrongPassphrase` (also on cancellation), or what is broken in the key.
  public func unlock(_ passphrase: SecretBytes) async throws(KeyFileError) -> PrivateKey {
    let content = content
    let result = await BlockingWork.run { flag in
      Result { () throws(KeyFileError) in
        try Self.open(content, passphrase, isCancelled: { flag.isSet })
      }
    }
    return try result.get()
  }

  private static func open(
    _ content: Content,
    _ passphrase: SecretBytes,
    isCancelled: () -> Bool
  ) throws(KeyFileError) -> PrivateKey {
    guard !passphrase.isEmpty else { throw .wrongPassphrase }
    switch content {
    case .openSSH(let format):
      return try format.open(passphrase: passphrase, isCancelled: isCancelled)
    case .pem(let text):
      switch PEMHandle.read(text, passphrase: passphrase) {
      case .key(let handle): return try PrivateKey(handle, shown: nil, comment: "")
      case .locked: throw .wrongPassphrase
      case .failed(let error): throw error
      }
    }
  }
}

/// Reads key files: OpenSSH's format, PEM (PKCS#1, SEC1, PKCS#8), and public keys.
public enum PrivateKeyFile {
  /// The largest file that is read, in bytes.
  public static let maximumByteCount = 1 << 20

  /// The names that OpenSSH tries by default, in its order.
  public static func standardPaths(home: String) -> [String] {
    ["id_ed25519", "id_ecdsa", "id_rsa"].map { "\(home)/.ssh/\($0)" }
  }

  /// Reads a file; blocks for as long as the disk does.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: What the file holds.
  /// - Throws: Why it cannot be used.
  public static func load(_ path: String) throws(KeyFileError) -> LoadedKey {
    let file: LocalFile
    do {
      file = try LocalFile.read(path, limit: maximumByteCount)
    } catch {
      throw KeyFileError(error)
    }
    let key = try parse(file.bytes)
    if case .publicOnly = key { return key }
    guard !file.isOwn || file.mode & 0o077 == 0 else {
      throw .permissionsTooOpen(mode: file.mode & 0o777)
    }
    guard case .locked(let locked) = key, locked.publicKey == nil else { return key }
    // A PEM key hides its public half while it is locked; `ssh-keygen` writes it beside the key.
    let neighbour = try? LocalFile.read(path + ".pub", limit: maximumByteCount)
    // `try?` twice: the file is a convenience, and its absence costs a prompt at most.
    guard let neighbour, case .publicOnly(let shown, _)? = try? parse(neighbour.bytes) else {
      return key
    }
    return .locked(LockedKey(publicKey: shown, content: locked.content))
  }

  /// Reads the content of a key file.
  ///
  /// - Parameter text: The whole content.
  /// - Returns: What it holds.
  /// - Throws: Why it cannot be used.
  public static func parse(_ text: SecretBytes) throws(KeyFileError) -> LoadedKey {
    guard text.count <= maximumByteCount else { throw .tooLarge(byteCount: text.count) }
    let armor = KeyArmor(text)
    switch armor.label {
    case "OPENSSH PRIVATE KEY":
      guard let body = armor.decodedBody() else { throw .malformed(reason: "broken base64 text") }
      let format = try OpenSSHKeyFormat(body)
      if format.isEncrypted {
        return .locked(LockedKey(publicKey: format.publicKey, content: .openSSH(format)))
      }
      return .ready(try format.open(passphrase: SecretBytes([])))
    case "RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
      switch PEMHandle.read(text, passphrase: nil) {
      case .key(let handle): return .ready(try PrivateKey(handle, shown: nil, comment: ""))
      case .locked: return .locked(LockedKey(publicKey: nil, content: .pem(text)))
      case .failed(let error): throw error
      }
    case "DSA PRIVATE KEY": throw .unsupportedKeyType("ssh-dss")
    case "PUBLIC KEY", "RSA PUBLIC KEY": throw .foreignFormat("PEM public key")
    case "CERTIFICATE": throw .foreignFormat("X.509")
    case .some, nil: return try publicKey(text)
    }
  }

  private static func publicKey(_ text: SecretBytes) throws(KeyFileError) -> LoadedKey {
    if text.starts(with: "PuTTY-User-Key-File-".utf8) { throw .foreignFormat("PuTTY") }
    if text.starts(with: "---- BEGIN SSH2 ".utf8) { throw .foreignFormat("SSH.COM") }
    for line in text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let fields = line.split(maxSplits: 2, whereSeparator: { $0 == 0x20 || $0 == 0x09 })
      guard let first = fields.first, first.first != 0x23 else { continue }
      guard fields.count >= 2, first.count <= 128, let blob = Base64Codec.decode(fields[1]) else {
        throw .notAKey
      }
      let key: SSHPublicKey
      do {
        key = try SSHPublicKey(blob: blob)
      } catch {
        // A line of words may look like base64; only a known first word makes it a broken key.
        let name = String(decoding: first, as: UTF8.self)
        if error == .unknownType(name) { throw .unsupportedKeyType(name) }
        throw SSHKeyType(algorithm: name) == nil ? .notAKey : KeyFileError(error)
      }
      guard key.algorithm.utf8.elementsEqual(first) else {
        throw .malformed(reason: "the key is of another type than the line says")
      }
      let comment = fields.count > 2 ? String(decoding: fields[2], as: UTF8.self) : ""
      return .publicOnly(key, comment: comment)
    }
    throw .notAKey
  }
}

extension KeyFileError {
  init(_ error: PublicKeyError) {
    self =
      switch error {
      case .unknownType(let name): .unsupportedKeyType(name)
      case .malformed(let reason): .malformed(reason: reason)
      }
  }

  init(_ error: LocalFileError) {
    self =
      switch error {
      case .absent: .absent
      case .notRegular: .notAKey
      case .tooLarge(let byteCount): .tooLarge(byteCount: byteCount)
      case .unreadable(let diagnostic): .unreadable(diagnostic: diagnostic)
      }
  }
}
