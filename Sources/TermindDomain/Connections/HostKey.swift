/// A server's public key as it was offered in the key exchange.
public struct HostKey: Hashable, Sendable {
  /// The SSH key type, such as `ssh-ed25519` or `ecdsa-sha2-nistp256`.
  public let type: String
  /// The key in SSH wire format (RFC 4253 section 6.6).
  public let blob: [UInt8]
  /// `SHA256:` and the unpadded base64 digest, as `ssh-keygen -l` prints it.
  public let fingerprint: String

  /// Makes a key.
  public init(type: String, blob: [UInt8], fingerprint: String) {
    self.type = type
    self.blob = blob
    self.fingerprint = fingerprint
  }
}
