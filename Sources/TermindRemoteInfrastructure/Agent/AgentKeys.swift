/// A key that the agent offers, as the vault lists it.
public struct AgentKey: Hashable, Sendable {
  /// The plain public key; a certificate's own key where the agent holds a certificate.
  public let publicKey: SSHPublicKey
  /// The agent's comment; not trusted, show it sanitised.
  public let comment: String
  /// The certificate, when the agent's entry is one.
  public let certificate: SSHCertificate?

  /// Whether the private half is on a FIDO token, which asks for a touch.
  public var isSecurityKey: Bool {
    publicKey.type == .securityKeyEd25519 || publicKey.type == .securityKeyECDSA
  }
}

extension AgentClient {
  /// Lists the agent's keys, security keys and certificates, in the agent's order.
  public func keys() async throws(AgentError) -> [AgentKey] {
    try await identities().compactMap { identity in
      guard identity.publicKey.isCertificate else {
        return AgentKey(
          publicKey: identity.publicKey,
          comment: identity.comment,
          certificate: nil
        )
      }
      // `try?`: a certificate that cannot be read cannot be offered, and must not hide the other keys.
      guard let certificate = try? SSHCertificate(blob: identity.publicKey.blob) else { return nil }
      return AgentKey(
        publicKey: certificate.publicKey,
        comment: identity.comment,
        certificate: certificate
      )
    }
  }
}
