/// Where the private part of a key is.
public enum KeyLocation: Hashable, Sendable {
  /// A file of this machine in a format that OpenSSH reads, absolute path.
  case file(path: String)
  /// The secret store, in OpenSSH's own format; never in the vault.
  case secret(SecretItemID)
  /// The running agent, or a security key that only it reaches.
  case agent
}

/// A key pair that identities offer; the private part is elsewhere.
public struct KeyRecord: Hashable, Sendable, Identifiable {
  /// Its identity; kept when everything else changes.
  public let id: KeyID
  /// The name in lists; need not be unique.
  ///
  /// Empty until it is saved means `defaultName`.
  public var name: String
  /// The SSH key type, such as `ssh-ed25519`.
  public var algorithm: String
  /// The comment of the public key.
  public var comment: String
  /// `SHA256:` and the unpadded base64 digest, as `ssh-keygen -l` prints it.
  public var fingerprint: String
  /// The public key in SSH wire format (RFC 4253 section 6.6).
  public var publicKey: [UInt8]
  /// An OpenSSH certificate for it in wire format; nil when there is none.
  public var certificate: [UInt8]?
  /// Where the private part is.
  public var location: KeyLocation
  /// The passphrase of the private part in the secret store; nil when it has none or it is asked for.
  public var passphrase: SecretItemID?
  /// When it was made and changed; the store sets it.
  public var times: RecordTimes

  /// Makes a record.
  public init(
    id: KeyID = KeyID(),
    name: String = "",
    algorithm: String,
    comment: String = "",
    fingerprint: String,
    publicKey: [UInt8],
    certificate: [UInt8]? = nil,
    location: KeyLocation,
    passphrase: SecretItemID? = nil,
    times: RecordTimes = .unsaved
  ) {
    self.id = id
    self.name = name
    self.algorithm = algorithm
    self.comment = comment
    self.fingerprint = fingerprint
    self.publicKey = publicKey
    self.certificate = certificate
    self.location = location
    self.passphrase = passphrase
    self.times = times
  }

  /// The name that stands in for an empty one, and is stored then: the algorithm.
  public var defaultName: String { Self.algorithmName(algorithm) }

  /// A key type as people say it, such as `Ed25519`; a type that is not known stays as it is.
  public static func algorithmName(_ type: String) -> String {
    switch type {
    case "ssh-ed25519": "Ed25519"
    case "ssh-rsa": "RSA"
    case "ssh-dss": "DSA"
    case "ecdsa-sha2-nistp256": "ECDSA P-256"
    case "ecdsa-sha2-nistp384": "ECDSA P-384"
    case "ecdsa-sha2-nistp521": "ECDSA P-521"
    case "sk-ssh-ed25519@openssh.com": "Ed25519 security key"
    case "sk-ecdsa-sha2-nistp256@openssh.com": "ECDSA security key"
    default: type
    }
  }
}
