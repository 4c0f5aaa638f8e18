/// What is known about a server when a key is offered to it.
public struct ServerTraits: Hashable, Sendable {
  /// The identification line, such as `SSH-2.0-OpenSSH_9.2p1`.
  public var identification: String
  /// The signature algorithms that it announced (RFC 8308 `server-sig-algs`); `nil` when it did not.
  public var signatureAlgorithms: [String]?
  /// The host key algorithms of its key exchange offer; may be empty when unknown.
  public var hostKeyAlgorithms: [String]

  /// Makes traits.
  public init(
    identification: String = "",
    signatureAlgorithms: [String]? = nil,
    hostKeyAlgorithms: [String] = []
  ) {
    self.identification = identification
    self.signatureAlgorithms = signatureAlgorithms
    self.hostKeyAlgorithms = hostKeyAlgorithms
  }

  /// The one algorithm to offer a key with.
  ///
  /// A refused RSA key cannot be told from a refused hash, and a second try costs one of the few
  /// that a server allows; so the hash is chosen from what the server shows of itself. SHA-1 is
  /// used only when the server is known to understand nothing newer.
  public func signatureAlgorithm(for type: SSHKeyType) -> String {
    guard type == .rsa else { return type.rawValue }
    let candidates = type.signatureAlgorithms
    if let announced = signatureAlgorithms,
      let best = candidates.first(where: announced.contains)
    {
      return best
    }
    if let known = algorithmKnownFromIdentification { return known }
    let rsaHostAlgorithms = hostKeyAlgorithms.filter { candidates.contains($0) }
    return candidates.first(where: rsaHostAlgorithms.contains) ?? candidates[0]
  }

  private var algorithmKnownFromIdentification: String? {
    let software = identification.split(separator: "-", maxSplits: 2).last.map(String.init) ?? ""
    if let version = Self.version(in: software, after: "OpenSSH_") {
      // OpenSSH 7.2 was the first with the SHA-2 forms.
      return version < (7, 2) ? "ssh-rsa" : "rsa-sha2-512"
    }
    if let version = Self.version(in: software, after: "dropbear_") {
      // Dropbear 2020.79 was the first with SHA-2, and has the 256-bit form only.
      return version < (2020, 79) ? "ssh-rsa" : "rsa-sha2-256"
    }
    return nil
  }

  private static func version(in software: String, after prefix: String) -> (Int, Int)? {
    guard software.hasPrefix(prefix) else { return nil }
    let numbers = software.dropFirst(prefix.count).prefix { $0 == "." || $0.isASCII && $0.isNumber }
      .split(separator: ".").prefix(2).map { Int($0) }
    guard let major = numbers.first ?? nil else { return nil }
    return (major, numbers.count > 1 ? numbers[1] ?? 0 : 0)
  }
}
