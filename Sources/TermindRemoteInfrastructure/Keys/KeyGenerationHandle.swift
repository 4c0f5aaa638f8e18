internal import CCrypto

extension PrivateKeyHandle {
  /// Makes a new key; RSA takes a second or more.
  ///
  /// - Parameters:
  ///   - kind: What to make.
  ///   - isCancelled: Asked while primes are looked for; the search ends when it says so.
  /// - Returns: The key; nil on cancellation, or when the library fails.
  static func generate(
    _ kind: KeyKind,
    isCancelled: @escaping () -> Bool
  ) -> PrivateKeyHandle? {
    let name =
      switch kind {
      case .ed25519: "ED25519"
      case .rsa4096: "RSA"
      case .ecdsaP256, .ecdsaP384, .ecdsaP521: "EC"
      }
    guard CryptoLibraryHandle.isReady,
      let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil)
    else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_keygen_init(context) == 1 else { return nil }
    if let curve = EllipticCurve(kind.type) {
      guard unsafe EVP_PKEY_CTX_set_group_name(context, "\(curve.staticGroupName)") == 1 else {
        return nil
      }
    } else if kind == .rsa4096 {
      guard unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, 4096) == 1 else { return nil }
    }
    let question = CancellationQuestion(isCancelled)
    var key: OpaquePointer?
    let result = withExtendedLifetime(question) {
      unsafe EVP_PKEY_CTX_set_app_data(context, Unmanaged.passUnretained(question).toOpaque())
      unsafe EVP_PKEY_CTX_set_cb(context) { context in
        guard let data = unsafe EVP_PKEY_CTX_get_app_data(context) else { return 1 }
        // The caller of the library holds the object for the whole call.
        let question = unsafe Unmanaged<CancellationQuestion>.fromOpaque(data)
          .takeUnretainedValue()
        return question.isCancelled() ? 0 : 1
      }
      return unsafe EVP_PKEY_generate(context, &key)
    }
    guard result == 1, let key = unsafe key else { return nil }
    return unsafe PrivateKeyHandle(adopting: key)
  }
}

private final class CancellationQuestion {
  let isCancelled: () -> Bool

  init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
}
