/// The order in which ciphers are proposed.
///
/// libssh2 1.10 decrypts block by block, where AES-128 is a fifth faster than AES-256; its own order begins with
/// the slowest. Authenticated ciphers come first where the library has them. OpenSSH prefers the same order.
enum CipherPreference {
  private static let order = [
    "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com",
    "aes128-ctr", "aes192-ctr", "aes256-ctr",
  ]

  /// The supported ciphers, those named above first and the others as they were.
  static func ordered(_ supported: [String]) -> [String] {
    order.filter(supported.contains) + supported.filter { !order.contains($0) }
  }
}
