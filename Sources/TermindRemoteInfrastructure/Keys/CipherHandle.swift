internal import CCrypto
internal import TermindDomain

/// The ciphers that OpenSSH encrypts private key files with.
enum KeyFileCipher: String, CaseIterable {
  case none
  case aes128CTR = "aes128-ctr"
  case aes192CTR = "aes192-ctr"
  case aes256CTR = "aes256-ctr"
  case aes128CBC = "aes128-cbc"
  case aes192CBC = "aes192-cbc"
  case aes256CBC = "aes256-cbc"
  case aes128GCM = "aes128-gcm@openssh.com"
  case aes256GCM = "aes256-gcm@openssh.com"
  case chachaPoly = "chacha20-poly1305@openssh.com"

  var keyByteCount: Int {
    switch self {
    case .none: 0
    case .aes128CTR, .aes128CBC, .aes128GCM: 16
    case .aes192CTR, .aes192CBC: 24
    case .aes256CTR, .aes256CBC, .aes256GCM: 32
    case .chachaPoly: 64
    }
  }

  var ivByteCount: Int {
    switch self {
    case .none, .chachaPoly: 0
    case .aes128GCM, .aes256GCM: 12
    default: 16
    }
  }

  var tagByteCount: Int {
    switch self {
    case .aes128GCM, .aes256GCM, .chachaPoly: 16
    default: 0
    }
  }

  var blockByteCount: Int { self == .none || self == .chachaPoly ? 8 : 16 }

  /// The library's constant description; it is never freed.
  fileprivate var algorithm: OpaquePointer? {
    switch self {
    case .none: nil
    case .aes128CTR: unsafe EVP_aes_128_ctr()
    case .aes192CTR: unsafe EVP_aes_192_ctr()
    case .aes256CTR: unsafe EVP_aes_256_ctr()
    case .aes128CBC: unsafe EVP_aes_128_cbc()
    case .aes192CBC: unsafe EVP_aes_192_cbc()
    case .aes256CBC: unsafe EVP_aes_256_cbc()
    case .aes128GCM: unsafe EVP_aes_128_gcm()
    case .aes256GCM: unsafe EVP_aes_256_gcm()
    case .chachaPoly: unsafe EVP_chacha20()
    }
  }

  /// Decrypts a whole text.
  ///
  /// - Parameters:
  ///   - text: The encrypted bytes.
  ///   - keyAndIV: The key, directly followed by the initialisation vector.
  ///   - tag: The authentication tag, of `tagByteCount` bytes.
  /// - Returns: The plain bytes; `nil` when the tag or a length is wrong.
  func decrypt(_ text: SecretBytes, keyAndIV: SecretBytes, tag: SecretBytes) -> SecretBytes? {
    guard keyAndIV.count == keyByteCount + ivByteCount, tag.count == tagByteCount else {
      return nil
    }
    switch self {
    case .none:
      return text
    case .chachaPoly:
      return decryptChaCha(text, key: keyAndIV.slice(0..<32), tag: tag)
    default:
      let context = CipherHandle(
        self,
        key: keyAndIV.slice(0..<keyByteCount),
        iv: keyAndIV.slice(keyByteCount..<keyAndIV.count)
      )
      return context?.decrypt(text, tag: tag)
    }
  }

  /// Encrypts a whole text of full blocks, with the cipher that new files get: AES-256 in counter mode.
  ///
  /// - Parameters:
  ///   - text: The plain bytes.
  ///   - keyAndIV: The key, directly followed by the initialisation vector.
  /// - Returns: The encrypted bytes; nil when the library fails.
  static func encrypt(_ text: SecretBytes, keyAndIV: SecretBytes) -> SecretBytes? {
    // In counter mode both directions are the same.
    aes256CTR.decrypt(text, keyAndIV: keyAndIV, tag: SecretBytes([]))
  }

  // PROTOCOL.chacha20poly1305 of OpenSSH, with packet number zero and no associated data: block zero
  // of the stream is the Poly1305 key, the text starts at block one.
  private func decryptChaCha(
    _ text: SecretBytes,
    key: SecretBytes,
    tag: SecretBytes
  ) -> SecretBytes? {
    let zeros = SecretBytes([UInt8](repeating: 0, count: 32))
    let start = SecretBytes([UInt8](repeating: 0, count: 16))
    let next = SecretBytes([1] + [UInt8](repeating: 0, count: 15))
    guard let keyStream = CipherHandle(self, key: key, iv: start),
      let authenticatorKey = keyStream.decrypt(zeros, tag: SecretBytes([])),
      let expected = Self.poly1305(text, key: authenticatorKey), expected.matches(tag)
    else { return nil }
    return CipherHandle(self, key: key, iv: next)?.decrypt(text, tag: SecretBytes([]))
  }

  private static func poly1305(_ text: SecretBytes, key: SecretBytes) -> SecretBytes? {
    var isMade = false
    let tag = unsafe SecretBytes(count: 16) { memory in
      var count = 0
      let target = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe key.withUnsafeBytes { key in
        unsafe text.withUnsafeBytes { text in
          let result = unsafe EVP_Q_mac(
            nil,
            "POLY1305",
            nil,
            nil,
            nil,
            key.baseAddress,
            key.count,
            text.baseAddress?.assumingMemoryBound(to: UInt8.self),
            text.count,
            target,
            16,
            &count
          )
          unsafe isMade = result != nil
        }
      }
      return count
    }
    return isMade ? tag : nil
  }
}

/// One decryption context of libcrypto.
@safe private struct CipherHandle: ~Copyable {
  private let pointer: OpaquePointer

  init?(_ cipher: KeyFileCipher, key: SecretBytes, iv: SecretBytes) {
    guard CryptoLibraryHandle.isReady, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
    let isReady = unsafe key.withUnsafeBytes { key in
      unsafe iv.withUnsafeBytes { iv in
        unsafe EVP_DecryptInit_ex2(
          context,
          cipher.algorithm,
          key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          iv.baseAddress?.assumingMemoryBound(to: UInt8.self),
          nil
        ) == 1
      }
    }
    guard isReady, unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1 else {
      unsafe EVP_CIPHER_CTX_free(context)
      return nil
    }
    unsafe pointer = context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

  func decrypt(_ text: SecretBytes, tag: SecretBytes) -> SecretBytes? {
    guard let byteCount = Int32(exactly: text.count) else { return nil }
    if !tag.isEmpty {
      let isSet = unsafe tag.withUnsafeBytes { tag in
        unsafe EVP_CIPHER_CTX_ctrl(
          pointer,
          EVP_CTRL_AEAD_SET_TAG,
          Int32(tag.count),
          UnsafeMutableRawPointer(mutating: tag.baseAddress)
        ) == 1
      }
      guard isSet else { return nil }
    }
    var isDone = false
    let plain = unsafe SecretBytes(count: text.count + 32) { memory in
      guard let target = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return 0
      }
      var used: Int32 = 0
      var last: Int32 = 0
      let isUpdated = unsafe text.withUnsafeBytes { text in
        unsafe EVP_DecryptUpdate(
          pointer,
          target,
          &used,
          text.baseAddress?.assumingMemoryBound(to: UInt8.self),
          byteCount
        )
          == 1
      }
      guard isUpdated,
        unsafe EVP_DecryptFinal_ex(pointer, target + Int(used), &last) == 1
      else { return 0 }
      isDone = true
      return Int(used + last)
    }
    return isDone && plain.count == text.count ? plain : nil
  }
}
