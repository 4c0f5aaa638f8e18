/// The NIST curves of RFC 5656, by their SSH names.
enum EllipticCurve: String, CaseIterable {
  case p256 = "nistp256"
  case p384 = "nistp384"
  case p521 = "nistp521"

  init?(_ type: SSHKeyType) {
    switch type {
    case .ecdsaP256, .securityKeyECDSA: self = .p256
    case .ecdsaP384: self = .p384
    case .ecdsaP521: self = .p521
    default: return nil
    }
  }

  /// The curve of a libcrypto group name.
  init?(groupName: String) {
    switch groupName {
    case "prime256v1", "P-256", "secp256r1": self = .p256
    case "secp384r1", "P-384": self = .p384
    case "secp521r1", "P-521": self = .p521
    default: return nil
    }
  }

  var keyType: SSHKeyType {
    switch self {
    case .p256: .ecdsaP256
    case .p384: .ecdsaP384
    case .p521: .ecdsaP521
    }
  }

  var staticGroupName: StaticString {
    switch self {
    case .p256: "prime256v1"
    case .p384: "secp384r1"
    case .p521: "secp521r1"
    }
  }

  var bitCount: Int {
    switch self {
    case .p256: 256
    case .p384: 384
    case .p521: 521
    }
  }

  var fieldByteCount: Int { (bitCount + 7) / 8 }

  // RFC 5656 section 6.2.1.
  var digest: Digest {
    switch self {
    case .p256: .sha256
    case .p384: .sha384
    case .p521: .sha512
    }
  }
}
