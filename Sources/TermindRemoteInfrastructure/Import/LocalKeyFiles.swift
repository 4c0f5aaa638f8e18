public import TermindApplication
public import TermindDomain

/// Looks at key files of this machine, on threads of its own.
public struct LocalKeyFiles: KeyFileInspecting {
  /// Makes an inspector.
  public init() {}

  /// Reads what a key file shows; asks the person nothing.
  public func inspect(_ path: String) async throws(KeyFileProblem) -> KeyFileSummary {
    let result = await BlockingWork.run { _ in
      Result { () throws(KeyFileProblem) in try Self.inspect(path) }
    }
    return try result.get()
  }

  /// Tries a passphrase, which takes a moment of work.
  public func fit(
    of passphrase: SecretBytes,
    to path: String
  ) async throws(KeyFileProblem) -> PassphraseFit {
    let result = await BlockingWork.run { _ in
      Result { () throws(KeyFileProblem) in try Self.load(path).key }
    }
    switch try result.get() {
    case .ready: return .notNeeded
    case .publicOnly: throw .publicOnly
    case .locked(let locked):
      do throws(KeyFileError) {
        _ = try await locked.unlock(passphrase)
        return .opens
      } catch {
        guard error == .wrongPassphrase else { throw KeyFileProblem(error) }
        return .wrong
      }
    }
  }

  /// Reads a certificate file; nil when it holds none for this key.
  public func certificate(at path: String, for publicKey: [UInt8]) async -> [UInt8]? {
    await BlockingWork.run { _ in
      // `try?`: a file without a certificate for the key is as good as none.
      guard let file = try? LocalFile.read(path, limit: PrivateKeyFile.maximumByteCount),
        case .publicOnly(let certificate, _)? = try? PrivateKeyFile.parse(file.bytes),
        certificate.isCertificate, Self.isCertificate(certificate.blob, for: publicKey)
      else { return nil }
      return certificate.blob
    }
  }

  private static func inspect(_ path: String) throws(KeyFileProblem) -> KeyFileSummary {
    let (key, digest) = try load(path)
    let publicKey: SSHPublicKey
    var isEncrypted = false
    var comment = ""
    switch key {
    case .ready(let key):
      publicKey = key.publicKey
      comment = key.comment
    case .locked(let locked):
      guard let shown = locked.publicKey else { throw .publicHalfHidden }
      publicKey = shown
      isEncrypted = true
    case .publicOnly: throw .publicOnly
    }
    return KeyFileSummary(
      algorithm: publicKey.type.rawValue,
      comment: comment.isEmpty ? Self.comment(beside: path, publicKey) : comment,
      fingerprint: publicKey.fingerprint,
      publicKey: publicKey.blob,
      isEncrypted: isEncrypted,
      digest: digest
    )
  }

  /// The key and the digest of its file, which is read for each; when it is replaced in between, the
  /// next look tells.
  private static func load(
    _ path: String
  ) throws(KeyFileProblem) -> (key: LoadedKey, digest: [UInt8]) {
    guard let digest = DigestHandle(.sha256) else {
      throw .unreadable("SHA-256 is not available")
    }
    do throws(LocalFileError) {
      digest.update(try LocalFile.read(path, limit: PrivateKeyFile.maximumByteCount).bytes)
    } catch {
      throw error == .absent ? .absent : .unreadable(error.reason)
    }
    do throws(KeyFileError) {
      return (try PrivateKeyFile.load(path), digest.finish())
    } catch {
      throw KeyFileProblem(error)
    }
  }

  /// The comment of the `.pub` file beside a key, which shows it without a passphrase.
  private static func comment(beside path: String, _ publicKey: SSHPublicKey) -> String {
    // `try?`: a comment is a convenience.
    guard let file = try? LocalFile.read(path + ".pub", limit: PrivateKeyFile.maximumByteCount),
      case .publicOnly(publicKey, let comment)? = try? PrivateKeyFile.parse(file.bytes)
    else { return "" }
    return comment
  }

  /// Whether a certificate is for a key: behind its type and its nonce it repeats the key's fields.
  static func isCertificate(_ certificate: [UInt8], for publicKey: [UInt8]) -> Bool {
    guard let nonce = field(certificate[...]), let fields = field(nonce.rest),
      let own = field(publicKey[...])
    else { return false }
    return !own.rest.isEmpty && fields.rest.starts(with: own.rest)
  }

  /// What follows a field of the wire format (RFC 4251 section 5).
  private static func field(_ bytes: ArraySlice<UInt8>) -> (rest: ArraySlice<UInt8>, Void)? {
    guard bytes.count >= 4 else { return nil }
    let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count - 4 >= count else { return nil }
    return (bytes.dropFirst(4 + count), ())
  }
}

extension KeyFileProblem {
  init(_ error: KeyFileError) {
    switch error {
    case .absent: self = .absent
    case .permissionsTooOpen(let mode): self = .permissionsTooOpen(mode: mode)
    case .foreignFormat(let name): self = .unsupported("the \(name) format")
    case .unsupportedKeyType(let name): self = .unsupported("the key type \(name)")
    case .unsupportedCipher(let name): self = .unsupported("the cipher \(name)")
    case .unsupportedKeyDerivation(let name): self = .unsupported("the key derivation \(name)")
    case .unreadable, .tooLarge, .notAKey, .malformed, .wrongPassphrase, .agentLacksKey:
      self = .unreadable(error.reason)
    }
  }
}
