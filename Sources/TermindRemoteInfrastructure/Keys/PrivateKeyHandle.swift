internal import CCrypto
internal import TermindDomain

/// The private numbers of an RSA key, as OpenSSH's format lists them.
struct RSANumbers {
  let modulus: SecretBytes
  let publicExponent: SecretBytes
  let privateExponent: SecretBytes
  let coefficient: SecretBytes
  let firstPrime: SecretBytes
  let secondPrime: SecretBytes
}

/// A private key inside libcrypto.
///
/// A key is not changed after it was made, and libcrypto locks what it caches in it; so several
/// threads may sign with it at once.
@safe struct PrivateKeyHandle: ~Copyable, @unchecked Sendable {  // lint:allow immutable EVP_PKEY
  private let pointer: OpaquePointer
  let type: SSHKeyType

  /// Takes over a key of libcrypto; `nil`, and the key freed, when its type is none of SSH's.
  @unsafe
  init?(adopting key: OpaquePointer) {
    guard let type = unsafe Self.type(of: key) else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    unsafe pointer = key
    self.type = type
  }

  /// Makes an Ed25519 key from its 32-byte seed.
  init?(ed25519Seed seed: SecretBytes) {
    guard CryptoLibraryHandle.isReady else { return nil }
    let key = unsafe seed.withUnsafeBytes { bytes in
      unsafe EVP_PKEY_new_raw_private_key_ex(
        nil,
        "ED25519",
        nil,
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        bytes.count
      )
    }
    guard let key = unsafe key else { return nil }
    unsafe self.init(adopting: key)
  }

  /// Makes an ECDSA key; `nil` when the halves do not belong together.
  init?(curve: EllipticCurve, point: [UInt8], scalar: SecretBytes) {
    guard let builder = ParameterBuilderHandle(), let number = BignumHandle(scalar),
      builder.push("group", text: curve.staticGroupName), number.push("priv", to: builder),
      let key = unsafe builder.makeKey(type: "EC", "pub", bytes: point)
    else { return nil }
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    let isPair = unsafe EVP_PKEY_pairwise_check(context) == 1
    unsafe EVP_PKEY_CTX_free(context)
    guard isPair else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    unsafe self.init(adopting: key)
  }

  /// Makes an RSA key; `nil` when the primes do not give the modulus.
  init?(rsa numbers: RSANumbers) {
    guard let builder = ParameterBuilderHandle(),
      let modulus = BignumHandle(numbers.modulus),
      let publicExponent = BignumHandle(numbers.publicExponent),
      let privateExponent = BignumHandle(numbers.privateExponent),
      let firstPrime = BignumHandle(numbers.firstPrime),
      let secondPrime = BignumHandle(numbers.secondPrime),
      let coefficient = BignumHandle(numbers.coefficient),
      (512...16_384).contains(modulus.bitCount), publicExponent.bitCount <= 256,
      modulus.isProduct(of: firstPrime, secondPrime),
      let firstExponent = BignumHandle(privateExponent, moduloOneLessThan: firstPrime),
      let secondExponent = BignumHandle(privateExponent, moduloOneLessThan: secondPrime),
      modulus.push("n", to: builder), publicExponent.push("e", to: builder),
      privateExponent.push("d", to: builder), firstPrime.push("rsa-factor1", to: builder),
      secondPrime.push("rsa-factor2", to: builder),
      firstExponent.push("rsa-exponent1", to: builder),
      secondExponent.push("rsa-exponent2", to: builder),
      coefficient.push("rsa-coefficient1", to: builder),
      let key = unsafe builder.makeKey(type: "RSA")
    else { return nil }
    unsafe self.init(adopting: key)
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// Signs; the result is the library's form (raw for Ed25519 and RSA, DER for ECDSA).
  func sign(_ data: [UInt8], digest: Digest?) -> [UInt8]? {
    guard let context = unsafe EVP_MD_CTX_new() else { return nil }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard
      unsafe EVP_DigestSignInit_ex(context, nil, digest?.rawValue, nil, nil, pointer, nil) == 1
    else { return nil }
    var count = 0
    guard unsafe EVP_DigestSign(context, nil, &count, data, data.count) == 1, count <= 65_536 else {
      return nil
    }
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSign(context, &signature, &count, data, data.count) == 1 else {
      return nil
    }
    return Array(signature[..<count])
  }

  /// The public half in SSH wire format.
  func publicKeyBlob() -> [UInt8]? {
    var writer = WireWriter()
    writer.string(type.rawValue)
    if let curve = EllipticCurve(type) {
      guard let x = number("qx"), let y = number("qy") else { return nil }
      writer.string(curve.rawValue)
      writer.string(
        [4] + Self.padded(x, curve.fieldByteCount) + Self.padded(y, curve.fieldByteCount)
      )
    } else if type == .rsa {
      guard let exponent = number("e"), let modulus = number("n") else { return nil }
      writer.mpint(exponent)
      writer.mpint(modulus)
    } else {
      var key = [UInt8](repeating: 0, count: 32)
      var count = key.count
      guard unsafe EVP_PKEY_get_raw_public_key(pointer, &key, &count) == 1, count == 32 else {
        return nil
      }
      writer.string(key)
    }
    return writer.bytes
  }

  /// The 32-byte seed of an Ed25519 key.
  func ed25519Seed() -> SecretBytes? {
    var count = 32
    let seed = unsafe SecretBytes(count: count) { memory in
      let target = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe EVP_PKEY_get_raw_private_key(pointer, target, &count) == 1 ? count : 0
    }
    return seed.count == 32 ? seed : nil
  }

  /// A private number by its name in libcrypto, without leading zeros.
  func secretNumber(_ name: String) -> SecretBytes? {
    var value: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(pointer, name, &value) == 1, let value = unsafe value else {
      return nil
    }
    defer { unsafe BN_clear_free(value) }
    let count = unsafe (Int(BN_num_bits(value)) + 7) / 8
    let number = unsafe SecretBytes(count: count) { memory in
      let target = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe BN_bn2binpad(value, target, Int32(clamping: count)) == count ? count : 0
    }
    return number.isEmpty ? nil : number
  }

  private func number(_ name: String) -> [UInt8]? {
    var value: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(pointer, name, &value) == 1, let value = unsafe value else {
      return nil
    }
    defer { unsafe BN_free(value) }
    let count = unsafe (Int(BN_num_bits(value)) + 7) / 8
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe BN_bn2binpad(value, &bytes, Int32(clamping: count)) == count else { return nil }
    return bytes
  }

  private static func padded(_ number: [UInt8], _ count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(count - number.count, 0)) + number
  }

  private static func type(of key: OpaquePointer) -> SSHKeyType? {
    if unsafe EVP_PKEY_is_a(key, "ED25519") == 1 { return .ed25519 }
    if unsafe EVP_PKEY_is_a(key, "RSA") == 1 { return .rsa }
    guard unsafe EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard unsafe EVP_PKEY_get_utf8_string_param(key, "group", &name, name.count, &count) == 1 else {
      return nil
    }
    let text = String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return EllipticCurve(groupName: text)?.keyType
  }
}
