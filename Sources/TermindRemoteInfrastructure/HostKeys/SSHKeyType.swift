/// The key types that SSH knows, by the name at the start of a public key blob.
public enum SSHKeyType: String, Hashable, Sendable, CaseIterable {
  /// Ed25519 (RFC 8709).
  case ed25519 = "ssh-ed25519"
  /// ECDSA over NIST P-256 (RFC 5656).
  case ecdsaP256 = "ecdsa-sha2-nistp256"
  /// ECDSA over NIST P-384 (RFC 5656).
  case ecdsaP384 = "ecdsa-sha2-nistp384"
  /// ECDSA over NIST P-521 (RFC 5656).
  case ecdsaP521 = "ecdsa-sha2-nistp521"
  /// RSA; it signs as `rsa-sha2-512`, `rsa-sha2-256` (RFC 8332) or `ssh-rsa`.
  case rsa = "ssh-rsa"
  /// DSA, read only to name it.
  case dsa = "ssh-dss"
  /// Ed25519 on a FIDO token.
  case securityKeyEd25519 = "sk-ssh-ed25519@openssh.com"
  /// ECDSA on a FIDO token.
  case securityKeyECDSA = "sk-ecdsa-sha2-nistp256@openssh.com"

  /// The type behind a key type or signature algorithm name; certificates count as their plain type.
  public init?(algorithm: String) {
    var name = algorithm
    if let suffix = Self.certificateSuffixes.first(where: name.hasSuffix) {
      name = String(name.dropLast(suffix.count))
      if name.hasPrefix("sk-") { name += "@openssh.com" }
    }
    if name == "rsa-sha2-512" || name == "rsa-sha2-256" { name = Self.rsa.rawValue }
    self.init(rawValue: name)
  }

  /// The algorithms that it can sign with, the best first.
  public var signatureAlgorithms: [String] {
    self == .rsa ? ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"] : [rawValue]
  }

  /// The short word that `ssh-keygen -l` prints.
  public var shortName: String {
    switch self {
    case .ed25519: "ED25519"
    case .ecdsaP256, .ecdsaP384, .ecdsaP521: "ECDSA"
    case .rsa: "RSA"
    case .dsa: "DSA"
    case .securityKeyEd25519: "ED25519-SK"
    case .securityKeyECDSA: "ECDSA-SK"
    }
  }

  /// Whether a name is a certificate type or a certificate signature algorithm.
  public static func isCertificate(_ algorithm: String) -> Bool {
    certificateSuffixes.contains(where: algorithm.hasSuffix)
  }

  private static let certificateSuffixes = ["-cert-v01@openssh.com", "-cert-v00@openssh.com"]
}
