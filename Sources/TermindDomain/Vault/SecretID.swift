public import FoundationEssentials

/// Names one secret of the secret store: a password, a passphrase or a private key.
public struct SecretID: Hashable, Sendable, Codable, RawRepresentable {
  /// The identifier that records carry.
  public let rawValue: UUID

  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }

  /// Makes an identifier for a new secret.
  public init() { rawValue = UUID() }
}
