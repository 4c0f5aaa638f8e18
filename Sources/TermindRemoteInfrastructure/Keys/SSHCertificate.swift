/// An OpenSSH certificate (PROTOCOL.certkeys): a public key with what its authority says of it.
///
/// Its signature is not checked here: a server does that, and nobody else relies on it.
public struct SSHCertificate: Hashable, Sendable {
  /// What a certificate is for.
  public enum Purpose: UInt32, Hashable, Sendable {
    /// It names users.
    case user = 1
    /// It names hosts.
    case host = 2
  }

  /// A critical option or an extension.
  public struct Option: Hashable, Sendable {
    /// Its name, such as `force-command` or `permit-pty`.
    public let name: String
    /// Its value as text; empty for a flag.
    public let value: String
  }

  /// The whole certificate in wire format.
  public let blob: [UInt8]
  /// The name at its start, such as `ssh-ed25519-cert-v01@openssh.com`.
  public let algorithm: String
  /// The plain key that it certifies.
  public let publicKey: SSHPublicKey
  /// The number that the authority gave it.
  public let serial: UInt64
  /// Whether it is for users or for hosts.
  public let purpose: Purpose
  /// What the authority calls its owner; not trusted, show it sanitised.
  public let keyID: String
  /// The users or hosts that it is for; none at all means any, which servers refuse for users.
  public let principals: [String]
  /// The first second of its validity, since 1970; nil when it was always valid.
  public let validAfter: UInt64?
  /// The second at which its validity ends, since 1970; nil when it never does.
  public let validBefore: UInt64?
  /// What a server must obey, such as `force-command` and `source-address`.
  public let criticalOptions: [Option]
  /// What a server may grant, such as `permit-pty`.
  public let extensions: [Option]
  /// The key of the authority.
  public let authority: SSHPublicKey

  /// The authority's key as `ssh-keygen -L` prints it.
  public var authorityFingerprint: String { authority.fingerprint }

  /// Whether it is valid at a time, in seconds since 1970.
  public func isValid(at time: UInt64) -> Bool {
    time >= validAfter ?? 0 && validBefore.map { time < $0 } ?? true
  }

  /// Reads a certificate.
  ///
  /// - Throws: `malformed` with what is wrong, or `unknownType`.
  public init(blob: [UInt8]) throws(PublicKeyError) {
    guard blob.count <= SSHPublicKey.maximumByteCount else {
      throw .malformed(reason: "oversized certificate")
    }
    do {
      var reader = WireReader(blob)
      algorithm = try reader.name()
      guard algorithm.hasSuffix("-cert-v01@openssh.com"),
        let type = SSHKeyType(algorithm: algorithm)
      else { throw PublicKeyError.unknownType(algorithm) }
      guard try !reader.stringRange().isEmpty else { throw WireError(reason: "no nonce") }
      publicKey = try Self.publicKey(type, blob, &reader)
      serial = try reader.uint64()
      let number = try reader.uint32()
      guard let purpose = Purpose(rawValue: number) else {
        throw WireError(reason: "certificate type \(number)")
      }
      self.purpose = purpose
      keyID = String(decoding: try reader.string(), as: UTF8.self)
      principals = try Self.names(try reader.string())
      let after = try reader.uint64()
      let before = try reader.uint64()
      validAfter = after == 0 ? nil : after
      validBefore = before == UInt64.max ? nil : before
      criticalOptions = try Self.options(try reader.string())
      extensions = try Self.options(try reader.string())
      _ = try reader.stringRange()
      authority = try SSHPublicKey(blob: try reader.string())
      guard !authority.isCertificate else { throw WireError(reason: "chained certificate") }
      guard try !reader.stringRange().isEmpty, reader.isAtEnd else {
        throw WireError(reason: "signature")
      }
      self.blob = blob
    } catch let error as PublicKeyError {
      throw error
    } catch let error as WireError {
      throw .malformed(reason: error.reason)
    } catch {
      throw .malformed(reason: "unreadable certificate")
    }
  }

  /// The plain key's fields follow the nonce as they stand in a plain key.
  private static func publicKey(
    _ type: SSHKeyType,
    _ blob: [UInt8],
    _ reader: inout WireReader<[UInt8]>
  ) throws -> SSHPublicKey {
    let fieldCount =
      switch type {
      case .ed25519: 1
      case .ecdsaP256, .ecdsaP384, .ecdsaP521, .rsa, .securityKeyEd25519: 2
      case .securityKeyECDSA: 3
      case .dsa: 4
      }
    let start = reader.position
    for _ in 0..<fieldCount { _ = try reader.stringRange() }
    var plain = WireWriter()
    plain.string(type.rawValue)
    return try SSHPublicKey(blob: plain.bytes + blob[start..<reader.position])
  }

  private static func names(_ bytes: [UInt8]) throws(WireError) -> [String] {
    var reader = WireReader(bytes)
    var names: [String] = []
    while !reader.isAtEnd { names.append(String(decoding: try reader.string(), as: UTF8.self)) }
    return names
  }

  private static func options(_ bytes: [UInt8]) throws(WireError) -> [Option] {
    var reader = WireReader(bytes)
    var options: [Option] = []
    while !reader.isAtEnd {
      let name = String(decoding: try reader.string(), as: UTF8.self)
      let data = try reader.string()
      var inner = WireReader(data)
      // A value is a string within the string; another form, of an option that is not known, is shown raw.
      var value = data.isEmpty ? "" : String(decoding: data, as: UTF8.self)
      if let text = try? inner.string(), inner.isAtEnd {
        value = String(decoding: text, as: UTF8.self)
      }
      options.append(Option(name: name, value: value))
    }
    return options
  }
}
