/// Which algorithms of libssh2 are too old to be used without being asked for.
///
/// What OpenSSH's client leaves out by default, but for `ssh-rsa`: libssh2 1.10 knows no other form of RSA host keys, and
/// a host's signature must be forged while the exchange runs to be of use.
enum OldAlgorithms {
  /// Whether an algorithm is proposed only where old ones are allowed.
  static func contains(_ name: String, of method: SSH2Method) -> Bool {
    switch method {
    case .keyExchange: name.hasSuffix("-sha1")
    case .hostKey: name == "ssh-dss"
    case .cipherToServer, .cipherToClient: !isModern(cipher: name)
    case .macToServer, .macToClient:
      ["md5", "ripemd", "sha1-96"].contains { name.contains($0) }
    }
  }

  /// Counter mode and authenticated ciphers; block chaining, arcfour and the like are old.
  private static func isModern(cipher name: String) -> Bool {
    ["-ctr", "-gcm", "-poly1305"].contains { name.contains($0) }
  }
}
