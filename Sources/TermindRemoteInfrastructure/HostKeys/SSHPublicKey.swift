public import TermindDomain

/// Why bytes are not an SSH public key.
public enum PublicKeyError: Error, Equatable, Sendable {
  /// The fields do not fit their lengths or rules.
  case malformed(reason: String)
  /// A type that this program does not know.
  case unknownType(String)
}

/// A public key in SSH wire format (RFC 4253 section 6.6), with what people compare.
public struct SSHPublicKey: Hashable, Sendable {
  /// The most bytes that a blob may have; certificates are far below it.
  public static let maximumByteCount = 65_536

  /// The name at the start of the blob, such as `ssh-ed25519`.
  public let algorithm: String
  /// The key type; a certificate has the type of the key it certifies.
  public let type: SSHKeyType
  /// Whether the blob is an OpenSSH certificate.
  public let isCertificate: Bool
  /// The whole blob.
  public let blob: [UInt8]
  /// The size that `ssh-keygen -l` prints; zero for a certificate.
  public let bitCount: Int

  /// Checks and takes a blob.
  public init(blob: [UInt8]) throws(PublicKeyError) {
    guard blob.count <= Self.maximumByteCount else {
      throw .malformed(reason: "oversized key")
    }
    do {
      var reader = WireReader(blob)
      algorithm = try reader.name()
      isCertificate = SSHKeyType.isCertificate(algorithm)
      guard let type = SSHKeyType(algorithm: algorithm) else {
        throw PublicKeyError.unknownType(algorithm)
      }
      self.type = type
      self.blob = blob
      guard isCertificate || algorithm == type.rawValue else {
        throw PublicKeyError.unknownType(algorithm)
      }
      bitCount = isCertificate ? 0 : try Self.checkFields(of: type, &reader)
    } catch let error as PublicKeyError {
      throw error
    } catch let error as WireError {
      throw .malformed(reason: error.reason)
    } catch {
      throw .malformed(reason: "unreadable key")
    }
  }

  /// `SHA256:` and the unpadded base64 digest, as `ssh-keygen -l` prints it.
  public var fingerprint: String {
    "SHA256:" + Base64Codec.encodeUnpadded(Digest.sha256.hash(blob))
  }

  /// `MD5:` and colon-separated hexadecimal, as `ssh-keygen -l -E md5` prints it.
  public var md5Fingerprint: String {
    let pairs = Digest.md5.hash(blob).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return "MD5:" + pairs.joined(separator: ":")
  }

  /// The value that the rest of the program carries for a host key.
  public var hostKey: HostKey {
    HostKey(type: algorithm, blob: blob, fingerprint: fingerprint)
  }

  private static func checkFields(
    of type: SSHKeyType,
    _ reader: inout WireReader<[UInt8]>
  ) throws -> Int {
    let bits: Int
    switch type {
    case .ed25519:
      bits = try ed25519Bits(&reader)
    case .securityKeyEd25519:
      bits = try ed25519Bits(&reader)
      _ = try reader.stringRange()
    case .ecdsaP256, .ecdsaP384, .ecdsaP521:
      bits = try ecdsaBits(type, &reader)
    case .securityKeyECDSA:
      bits = try ecdsaBits(.ecdsaP256, &reader)
      _ = try reader.stringRange()
    case .rsa:
      guard try !reader.magnitudeRange().isEmpty else {
        throw WireError(reason: "no public exponent")
      }
      bits = bitWidth(of: try reader.magnitude())
      guard (512...16_384).contains(bits) else { throw WireError(reason: "RSA size \(bits)") }
    case .dsa:
      bits = bitWidth(of: try reader.magnitude())
      for _ in 0..<3 { _ = try reader.magnitudeRange() }
    }
    guard reader.isAtEnd else { throw WireError(reason: "trailing bytes") }
    return bits
  }

  private static func ed25519Bits(_ reader: inout WireReader<[UInt8]>) throws(WireError) -> Int {
    guard try reader.stringRange().count == 32 else {
      throw WireError(reason: "Ed25519 key length")
    }
    return 256
  }

  private static func ecdsaBits(
    _ type: SSHKeyType,
    _ reader: inout WireReader<[UInt8]>
  ) throws(WireError) -> Int {
    guard let curve = EllipticCurve(type) else { throw WireError(reason: "unknown curve") }
    guard try reader.name() == curve.rawValue else { throw WireError(reason: "curve mismatch") }
    let point = try reader.string()
    guard point.count == 1 + 2 * curve.fieldByteCount, point.first == 4 else {
      throw WireError(reason: "malformed point")
    }
    return curve.bitCount
  }

  private static func bitWidth(of magnitude: [UInt8]) -> Int {
    guard let first = magnitude.first else { return 0 }
    return magnitude.count * 8 - first.leadingZeroBitCount
  }
}

extension HostKey {
  /// Reads a key as the key exchange gave it.
  ///
  /// - Throws: What is wrong with the blob; an unknown type is named.
  public init(blob: [UInt8]) throws(PublicKeyError) {
    self = try SSHPublicKey(blob: blob).hostKey
  }
}
