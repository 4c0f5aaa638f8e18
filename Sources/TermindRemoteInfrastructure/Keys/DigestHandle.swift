internal import CCrypto
internal import TermindDomain

/// Message digests of libcrypto.
enum Digest: String {
  case md5 = "MD5"
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha384 = "SHA384"
  case sha512 = "SHA512"

  /// The digest of all parts, one after another.
  ///
  /// - Returns: The digest; empty when the library refuses the algorithm (MD5 under FIPS rules).
  func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    guard let context = DigestHandle(self) else { return [] }
    context.update(bytes)
    return context.finish()
  }
}

/// One running digest computation.
@safe struct DigestHandle: ~Copyable {
  private let pointer: OpaquePointer
  private let digest: Digest

  /// Starts a digest; `nil` when the library does not offer it.
  init?(_ digest: Digest) {
    guard CryptoLibraryHandle.isReady, let context = unsafe EVP_MD_CTX_new() else { return nil }
    guard unsafe EVP_DigestInit_ex2(context, Self.algorithm(digest), nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      return nil
    }
    unsafe pointer = context
    self.digest = digest
  }

  /// A copy of what was taken so far, to go on by itself; nil when the library refuses.
  init?(copying other: borrowing DigestHandle) {
    guard let context = unsafe EVP_MD_CTX_new() else { return nil }
    guard unsafe EVP_MD_CTX_copy_ex(context, other.pointer) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      return nil
    }
    unsafe pointer = context
    digest = other.digest
  }

  deinit { unsafe EVP_MD_CTX_free(pointer) }

  /// The library's constant description of an algorithm; it is never freed.
  static func algorithm(_ digest: Digest) -> OpaquePointer? {
    switch digest {
    case .md5: unsafe EVP_md5()
    case .sha1: unsafe EVP_sha1()
    case .sha256: unsafe EVP_sha256()
    case .sha384: unsafe EVP_sha384()
    case .sha512: unsafe EVP_sha512()
    }
  }

  /// Starts over, for another message.
  func restart() { unsafe _ = EVP_DigestInit_ex2(pointer, Self.algorithm(digest), nil) }

  /// Takes the next bytes of the message.
  func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ buffer in
      unsafe _ = EVP_DigestUpdate(pointer, buffer.baseAddress, buffer.count)
    }) == nil {
      update(Array(bytes))
    }
  }

  /// Takes secret bytes.
  func update(_ bytes: SecretBytes) {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe _ = EVP_DigestUpdate(pointer, buffer.baseAddress, buffer.count)
    }
  }

  /// The digest of what was taken so far; the computation goes on.
  func snapshot() -> [UInt8] {
    guard let copy = unsafe EVP_MD_CTX_new() else { return [] }
    defer { unsafe EVP_MD_CTX_free(copy) }
    guard unsafe EVP_MD_CTX_copy_ex(copy, pointer) == 1 else { return [] }
    var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard unsafe EVP_DigestFinal_ex(copy, &result, &count) == 1 else { return [] }
    return Array(result[..<Int(count)])
  }

  /// Ends the computation.
  func finish() -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard unsafe EVP_DigestFinal_ex(pointer, &result, &count) == 1 else { return [] }
    return Array(result[..<Int(count)])
  }

  /// Ends the computation, when its result is as secret as its input.
  func finishSecret() -> SecretBytes {
    unsafe SecretBytes(count: Int(EVP_MAX_MD_SIZE)) { memory in
      var count: UInt32 = 0
      let target = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard unsafe EVP_DigestFinal_ex(pointer, target, &count) == 1 else { return 0 }
      return Int(count)
    }
  }
}
