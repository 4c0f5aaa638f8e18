internal import CCrypto

/// The libraries under the SSH engine, for `termind doctor`.
public enum SSHLibrary {
  /// The version that is loaded, such as `1.10.0`.
  public static var libssh2: String { SSH2SessionHandle.libraryVersion }

  /// The version that is loaded, such as `3.0.19`.
  public static var libcrypto: String {
    guard let text = unsafe OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
    return unsafe String(cString: text)
  }
}
