internal import CCrypto

/// libcrypto as a whole.
enum CryptoLibraryHandle {
  /// Whether libcrypto has started; whoever makes the first call to it asks here before.
  ///
  /// It starts without the clean-up that it would do at the process's exit: that frees what threads still
  /// work with which nobody waits for any more, such as one that unlocks a key while the server ends. The
  /// system takes the memory back anyway, and secrets are wiped by their owners.
  static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
