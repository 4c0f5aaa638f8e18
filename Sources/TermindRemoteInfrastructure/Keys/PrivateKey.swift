/// A private key that is ready to sign; it lives inside libcrypto and is wiped with it.
public final class PrivateKey: SSHSigner {
  /// The public half.
  public let publicKey: SSHPublicKey
  /// The comment that the file carried, possibly empty.
  public let comment: String
  let handle: PrivateKeyHandle

  /// Takes a key and checks it against the public half that the file shows.
  init(_ handle: consuming PrivateKeyHandle, shown: SSHPublicKey?, comment: String)
    throws(KeyFileError)
  {
    guard let blob = handle.publicKeyBlob(), let publicKey = try? SSHPublicKey(blob: blob) else {
      // `try?`: a blob that was just made from a key of libcrypto has no better reason to fail.
      throw .malformed(reason: "unusable key numbers")
    }
    guard publicKey.type != .rsa || publicKey.bitCount >= 1024 else {
      throw .unsupportedKeyType("RSA with \(publicKey.bitCount) bits")
    }
    if let shown, shown.blob != blob {
      throw .malformed(reason: "public and private half differ")
    }
    self.handle = handle
    self.publicKey = publicKey
    self.comment = comment
  }

  /// The public key in SSH wire format.
  public var publicKeyBlob: [UInt8] { publicKey.blob }
  /// The signature algorithms, the best first.
  public var algorithms: [String] { publicKey.type.signatureAlgorithms }

  /// Signs data; a large RSA key does so on a thread of its own, to keep event loops free.
  public func sign(_ data: [UInt8], algorithm: String) async throws(SigningError) -> [UInt8] {
    guard publicKey.type == .rsa, publicKey.bitCount > 3072 else {
      return try signature(of: data, algorithm: algorithm)
    }
    let result = await BlockingWork.run { _ in
      Result { () throws(SigningError) in try self.signature(of: data, algorithm: algorithm) }
    }
    return try result.get()
  }

  /// Signs data at once; an RSA key of 8192 bits takes some 20 ms.
  ///
  /// - Parameters:
  ///   - data: The bytes to sign, not hashed.
  ///   - algorithm: One of `algorithms`.
  /// - Returns: The SSH signature blob.
  /// - Throws: `unsupportedAlgorithm`, or `failed` when the library refuses.
  public func signature(of data: [UInt8], algorithm: String) throws(SigningError) -> [UInt8] {
    guard algorithms.contains(algorithm) else { throw .unsupportedAlgorithm(algorithm) }
    guard var signature = handle.sign(data, digest: digest(for: algorithm)) else {
      throw .failed(diagnostic: "libcrypto does not sign with \(algorithm)")
    }
    if EllipticCurve(publicKey.type) != nil {
      guard let numbers = ECDSASignature(der: signature) else {
        throw .failed(diagnostic: "unreadable ECDSA signature")
      }
      signature = numbers.wireFormat
    }
    var writer = WireWriter()
    writer.string(algorithm)
    writer.string(signature)
    return writer.bytes
  }

  private func digest(for algorithm: String) -> Digest? {
    switch algorithm {
    case "rsa-sha2-512": .sha512
    case "rsa-sha2-256": .sha256
    case "ssh-rsa": .sha1
    default: EllipticCurve(publicKey.type)?.digest
    }
  }
}

/// The two numbers of an ECDSA signature.
struct ECDSASignature {
  let first: [UInt8]
  let second: [UInt8]

  /// Reads the DER form: a SEQUENCE of two INTEGERs.
  init?(der: [UInt8]) {
    var rest = der[...]
    guard var content = Self.element(0x30, &rest), rest.isEmpty,
      let first = Self.element(0x02, &content), let second = Self.element(0x02, &content),
      content.isEmpty
    else { return nil }
    self.first = Array(first)
    self.second = Array(second)
  }

  /// Two mpints (RFC 5656 section 3.1.2).
  var wireFormat: [UInt8] {
    var writer = WireWriter()
    writer.mpint(first)
    writer.mpint(second)
    return writer.bytes
  }

  private static func element(_ tag: UInt8, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
    var count = Int(first)
    if first >= 0x80 {
      guard first == 0x81, let next = rest.popFirst() else { return nil }
      count = Int(next)
    }
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
