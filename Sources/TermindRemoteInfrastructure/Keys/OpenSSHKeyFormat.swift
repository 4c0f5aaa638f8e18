internal import TermindDomain

/// OpenSSH's own private key format (PROTOCOL.key): the outer, unencrypted part of one file.
struct OpenSSHKeyFormat: Sendable {
  static let magic = Array("openssh-key-v1\u{0}".utf8)
  /// More rounds than this would take minutes; `ssh-keygen` writes 16 or 24.
  static let maximumRounds = 10_000

  /// The public half, which is never encrypted.
  let publicKey: SSHPublicKey
  private let cipher: KeyFileCipher
  private let salt: [UInt8]
  private let rounds: Int
  private let text: SecretBytes
  private let tag: SecretBytes

  var isEncrypted: Bool { cipher != .none }

  /// Reads the decoded body of the armor.
  init(_ body: SecretBytes) throws(KeyFileError) {
    do {
      var reader = WireReader(body)
      guard body[try reader.range(count: Self.magic.count)].elementsEqual(Self.magic) else {
        throw KeyFileError.notAKey
      }
      let cipherName = try reader.name()
      let derivation = try reader.name()
      let options = try reader.string()
      guard let cipher = KeyFileCipher(rawValue: cipherName) else {
        throw KeyFileError.unsupportedCipher(cipherName)
      }
      self.cipher = cipher
      (salt, rounds) = try Self.derivationOptions(derivation, options, cipher: cipher)
      guard try reader.uint32() == 1 else {
        throw KeyFileError.malformed(reason: "not exactly one key")
      }
      publicKey = try Self.publicKey(try reader.string())
      text = body.slice(try reader.stringRange())
      tag = body.slice(try reader.range(count: cipher.tagByteCount))
      guard reader.isAtEnd, text.count % cipher.blockByteCount == 0, text.count >= 8 else {
        throw KeyFileError.malformed(reason: "wrong length of the private part")
      }
    } catch let error as KeyFileError {
      throw error
    } catch let error as WireError {
      throw .malformed(reason: error.reason)
    } catch {
      throw .malformed(reason: "unreadable key")
    }
  }

  /// Decrypts and reads the private part.
  ///
  /// - Parameters:
  ///   - passphrase: Empty for a key that is not encrypted.
  ///   - isCancelled: Ends the key derivation early; the result is `wrongPassphrase` then.
  /// - Returns: The key.
  /// - Throws: `wrongPassphrase`, or what is broken.
  func open(
    passphrase: SecretBytes,
    isCancelled: () -> Bool = { false }
  ) throws(KeyFileError) -> PrivateKey {
    let plain: SecretBytes
    if isEncrypted {
      guard
        let keyAndIV = BcryptKDF.derive(
          byteCount: cipher.keyByteCount + cipher.ivByteCount,
          passphrase: passphrase,
          salt: salt,
          rounds: rounds,
          isCancelled: isCancelled
        ),
        let decrypted = cipher.decrypt(text, keyAndIV: keyAndIV, tag: tag)
      else { throw .wrongPassphrase }
      plain = decrypted
    } else {
      plain = text
    }
    do {
      return try readPrivatePart(plain)
    } catch let error as KeyFileError {
      throw error
    } catch let error as WireError {
      throw .malformed(reason: error.reason)
    } catch {
      throw .malformed(reason: "unreadable private part")
    }
  }

  private func readPrivatePart(_ plain: SecretBytes) throws -> PrivateKey {
    var reader = WireReader(plain)
    guard try reader.uint32() == reader.uint32() else {
      throw isEncrypted ? KeyFileError.wrongPassphrase : .malformed(reason: "check numbers differ")
    }
    let typeName = try reader.name()
    guard typeName == publicKey.algorithm else {
      throw KeyFileError.malformed(reason: "public and private half differ")
    }
    let made: PrivateKeyHandle?
    switch publicKey.type {
    case .ed25519: made = try Self.ed25519(plain, &reader)
    case .ecdsaP256, .ecdsaP384, .ecdsaP521: made = try Self.ecdsa(plain, publicKey.type, &reader)
    case .rsa: made = try Self.rsa(plain, &reader)
    default: throw KeyFileError.unsupportedKeyType(typeName)
    }
    guard let handle = consume made else {
      throw KeyFileError.malformed(reason: "unusable key numbers")
    }
    let comment = String(decoding: try reader.string(), as: UTF8.self)
    for (place, byte) in plain[reader.position..<plain.count].enumerated()
    where byte != UInt8(truncatingIfNeeded: place + 1) {
      throw KeyFileError.malformed(reason: "wrong padding")
    }
    return try PrivateKey(handle, shown: publicKey, comment: comment)
  }

  private static func ed25519(
    _ plain: SecretBytes,
    _ reader: inout WireReader<SecretBytes>
  ) throws -> PrivateKeyHandle? {
    _ = try reader.stringRange()
    let both = try reader.stringRange()
    guard both.count == 64 else { throw WireError(reason: "Ed25519 key length") }
    return PrivateKeyHandle(ed25519Seed: plain.slice(both.prefix(32)))
  }

  private static func ecdsa(
    _ plain: SecretBytes,
    _ type: SSHKeyType,
    _ reader: inout WireReader<SecretBytes>
  ) throws -> PrivateKeyHandle? {
    guard let curve = EllipticCurve(type), try reader.name() == curve.rawValue else {
      throw WireError(reason: "curve mismatch")
    }
    let point = try reader.string()
    let scalar = plain.slice(try reader.magnitudeRange())
    return PrivateKeyHandle(curve: curve, point: point, scalar: scalar)
  }

  private static func rsa(
    _ plain: SecretBytes,
    _ reader: inout WireReader<SecretBytes>
  ) throws -> PrivateKeyHandle? {
    // In the order of the format: n, e, d, the inverse of q, p, q.
    let modulus = plain.slice(try reader.magnitudeRange())
    let publicExponent = plain.slice(try reader.magnitudeRange())
    let privateExponent = plain.slice(try reader.magnitudeRange())
    let coefficient = plain.slice(try reader.magnitudeRange())
    let firstPrime = plain.slice(try reader.magnitudeRange())
    let secondPrime = plain.slice(try reader.magnitudeRange())
    return PrivateKeyHandle(
      rsa: RSANumbers(
        modulus: modulus,
        publicExponent: publicExponent,
        privateExponent: privateExponent,
        coefficient: coefficient,
        firstPrime: firstPrime,
        secondPrime: secondPrime
      )
    )
  }

  private static func publicKey(_ blob: [UInt8]) throws(KeyFileError) -> SSHPublicKey {
    let key: SSHPublicKey
    do {
      key = try SSHPublicKey(blob: blob)
    } catch {
      throw KeyFileError(error)
    }
    switch key.type {
    case .ed25519, .ecdsaP256, .ecdsaP384, .ecdsaP521, .rsa: return key
    default: throw .unsupportedKeyType(key.algorithm)
    }
  }

  private static func derivationOptions(
    _ name: String,
    _ options: [UInt8],
    cipher: KeyFileCipher
  ) throws -> (salt: [UInt8], rounds: Int) {
    switch (name, cipher) {
    case ("none", .none): return ([], 0)
    case ("bcrypt", _) where cipher != .none:
      var reader = WireReader(options)
      let salt = try reader.string()
      let rounds = Int(try reader.uint32())
      guard reader.isAtEnd, !salt.isEmpty, (1...maximumRounds).contains(rounds) else {
        throw WireError(reason: "key derivation options")
      }
      return (salt, rounds)
    default: throw KeyFileError.unsupportedKeyDerivation(name)
    }
  }
}
