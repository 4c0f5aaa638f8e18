/// Why a key file cannot be used.
public enum KeyFileError: Error, Hashable, Sendable {
  /// There is no such file.
  case absent
  /// The system does not let it be read; the text is the system's.
  case unreadable(diagnostic: String)
  /// Other users may read it; the permission bits are given. OpenSSH refuses such a key, too.
  case permissionsTooOpen(mode: UInt32)
  /// It is larger than any key.
  case tooLarge(byteCount: Int)
  /// It holds no key in a form that is known.
  case notAKey
  /// It is a key of another program's format, such as PuTTY's.
  case foreignFormat(String)
  /// It looks like a key, and its content is broken.
  case malformed(reason: String)
  /// The key type is not supported (DSA, or a FIDO key, which only an agent can use).
  case unsupportedKeyType(String)
  /// It is encrypted with a cipher that is not supported.
  case unsupportedCipher(String)
  /// It is encrypted with a key derivation that is not supported.
  case unsupportedKeyDerivation(String)
  /// The passphrase does not open it.
  case wrongPassphrase
  /// It is a public key, and no agent holds its private half.
  case agentLacksKey
}

extension KeyFileError {
  /// A short reason for a failure's payload; sentences for people are made elsewhere.
  public var reason: String {
    switch self {
    case .absent: "no such file"
    case .unreadable(let diagnostic): diagnostic
    case .permissionsTooOpen(let mode): "permissions 0\(String(mode, radix: 8)) are too open"
    case .tooLarge(let byteCount): "too large for a key (\(byteCount) bytes)"
    case .notAKey: "not a private key"
    case .foreignFormat(let name): "a key in \(name) format"
    case .malformed(let reason): "broken key: \(reason)"
    case .unsupportedKeyType(let name): "key type \(name) is not supported"
    case .unsupportedCipher(let name): "cipher \(name) is not supported"
    case .unsupportedKeyDerivation(let name): "key derivation \(name) is not supported"
    case .wrongPassphrase: "wrong passphrase"
    case .agentLacksKey: "a public key, and the agent does not hold its private half"
    }
  }
}
