internal import CCrypto
internal import TermindDomain

/// A number of libcrypto, wiped when it is freed.
@safe struct BignumHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Takes a big-endian magnitude.
  init?(_ magnitude: SecretBytes) {
    guard let byteCount = Int32(exactly: magnitude.count), let number = unsafe BN_secure_new()
    else {
      return nil
    }
    let result = unsafe magnitude.withUnsafeBytes { bytes in
      unsafe BN_bin2bn(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        byteCount,
        number
      )
    }
    guard unsafe result != nil else {
      unsafe BN_clear_free(number)
      return nil
    }
    unsafe pointer = number
  }

  /// The remainder of `number` by `modulus` minus one, the exponent of RSA's CRT form.
  init?(_ number: borrowing BignumHandle, moduloOneLessThan modulus: borrowing BignumHandle) {
    guard let result = unsafe BN_secure_new(), let context = unsafe BN_CTX_secure_new() else {
      return nil
    }
    defer { unsafe BN_CTX_free(context) }
    guard let lessOne = unsafe BN_dup(modulus.pointer) else {
      unsafe BN_clear_free(result)
      return nil
    }
    defer { unsafe BN_clear_free(lessOne) }
    unsafe BN_set_flags(number.pointer, BN_FLG_CONSTTIME)
    guard unsafe BN_sub_word(lessOne, 1) == 1, unsafe BN_is_zero(lessOne) == 0,
      unsafe BN_div(nil, result, number.pointer, lessOne, context) == 1
    else {
      unsafe BN_clear_free(result)
      return nil
    }
    unsafe pointer = result
  }

  deinit { unsafe BN_clear_free(pointer) }

  var bitCount: Int { unsafe Int(BN_num_bits(pointer)) }

  /// Whether this number is the product of the two.
  func isProduct(of left: borrowing BignumHandle, _ right: borrowing BignumHandle) -> Bool {
    guard let product = unsafe BN_secure_new(), let context = unsafe BN_CTX_secure_new() else {
      return false
    }
    defer {
      unsafe BN_clear_free(product)
      unsafe BN_CTX_free(context)
    }
    return unsafe BN_mul(product, left.pointer, right.pointer, context) == 1
      && BN_cmp(product, pointer) == 0
  }

  /// Adds the number to parameters that are being built; they refer to it until they are made.
  func push(_ name: StaticString, to builder: borrowing ParameterBuilderHandle) -> Bool {
    unsafe builder.push(name, pointer)
  }
}

/// Parameters of a key that is being made.
@safe struct ParameterBuilderHandle: ~Copyable {
  private let pointer: OpaquePointer

  init?() {
    guard CryptoLibraryHandle.isReady, let builder = unsafe OSSL_PARAM_BLD_new() else {
      return nil
    }
    unsafe pointer = builder
  }

  deinit { unsafe OSSL_PARAM_BLD_free(pointer) }

  @unsafe
  fileprivate func push(_ name: StaticString, _ number: OpaquePointer) -> Bool {
    unsafe OSSL_PARAM_BLD_push_BN(pointer, Self.pointer(to: name), number) == 1
  }

  func push(_ name: StaticString, text: StaticString) -> Bool {
    unsafe OSSL_PARAM_BLD_push_utf8_string(
      pointer,
      Self.pointer(to: name),
      Self.pointer(to: text),
      text.utf8CodeUnitCount
    ) == 1
  }

  /// Adds bytes and makes the key while they are in place.
  func makeKey(
    type: String,
    _ name: StaticString? = nil,
    bytes: [UInt8] = []
  ) -> OpaquePointer? {
    unsafe bytes.withUnsafeBytes { bytes in
      if let name {
        guard
          unsafe OSSL_PARAM_BLD_push_octet_string(
            pointer,
            Self.pointer(to: name),
            bytes.baseAddress,
            bytes.count
          ) == 1
        else { return nil }
      }
      guard let parameters = unsafe OSSL_PARAM_BLD_to_param(pointer) else { return nil }
      defer { unsafe OSSL_PARAM_free(parameters) }
      guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      guard unsafe EVP_PKEY_fromdata_init(context) == 1,
        unsafe EVP_PKEY_fromdata(context, &key, tm_keypair_selection(), parameters) == 1
      else { return nil }
      return unsafe key
    }
  }

  // A static string lives as long as the process, which the builder relies on.
  private static func pointer(to name: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
