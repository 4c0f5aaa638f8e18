internal import CCrypto
internal import TermindDomain

/// Reads PEM private keys (PKCS#1, SEC1, PKCS#8; plain or encrypted) through libcrypto.
enum PEMHandle {
  /// What reading gave.
  enum Outcome: ~Copyable {
    case key(PrivateKeyHandle)
    /// It is encrypted, and no passphrase was given.
    case locked
    case failed(KeyFileError)
  }

  /// Reads the first private key of a PEM text.
  static func read(_ text: SecretBytes, passphrase: SecretBytes?) -> Outcome {
    guard CryptoLibraryHandle.isReady, let byteCount = Int32(exactly: text.count) else {
      return .failed(.notAKey)
    }
    ERR_clear_error()
    let request = PassphraseRequest(passphrase)
    let key = unsafe text.withUnsafeBytes { bytes -> OpaquePointer? in
      guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, byteCount) else { return nil }
      defer { unsafe _ = BIO_free(source) }
      return unsafe PEM_read_bio_PrivateKey(
        source,
        nil,
        { buffer, size, _, context in
          guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
          // The reference is held by the caller of the library for the whole call.
          let request = unsafe Unmanaged<PassphraseRequest>.fromOpaque(context)
            .takeUnretainedValue()
          return unsafe request.answer(
            into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size))
          )
        },
        Unmanaged.passUnretained(request).toOpaque()
      )
    }
    let failure = classify()
    if let key = unsafe key {
      guard let handle = unsafe PrivateKeyHandle(adopting: key) else {
        return .failed(.unsupportedKeyType("PEM key of another type"))
      }
      return .key(handle)
    }
    if request.wasAsked && passphrase == nil { return .locked }
    if let failure { return .failed(failure) }
    return .failed(request.wasAsked ? .wrongPassphrase : .malformed(reason: "unreadable PEM key"))
  }

  /// Reads the reasons that the library left in its queue, and empties it.
  private static func classify() -> KeyFileError? {
    var found: KeyFileError?
    var isBadDecrypt = false
    while true {
      let code = ERR_get_error()
      guard code != 0 else { break }
      let library = tm_error_library(code)
      let reason = tm_error_reason(code)
      if library == ERR_LIB_PEM, reason == PEM_R_BAD_DECRYPT { isBadDecrypt = true }
      if library == ERR_LIB_EVP, reason == EVP_R_BAD_DECRYPT { isBadDecrypt = true }
      if library == ERR_LIB_PEM, reason == PEM_R_UNSUPPORTED_ENCRYPTION {
        found = .unsupportedCipher("of the PEM header")
      }
      if library == ERR_LIB_EVP,
        reason == tm_reason_unsupported() || reason == EVP_R_UNSUPPORTED_ALGORITHM
      {
        found = .unsupportedCipher("of the PEM key")
      }
    }
    return isBadDecrypt ? .wrongPassphrase : found
  }
}

/// Answers libcrypto's question for a passphrase, and remembers that it was asked.
private final class PassphraseRequest {
  private let passphrase: SecretBytes?
  private(set) var wasAsked = false

  init(_ passphrase: SecretBytes?) { self.passphrase = passphrase }

  @unsafe
  func answer(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    wasAsked = true
    guard let passphrase, passphrase.count <= buffer.count else { return -1 }
    unsafe passphrase.withUnsafeBytes { bytes in unsafe buffer.copyMemory(from: bytes) }
    return Int32(clamping: passphrase.count)
  }
}
