/// The limits of one authentication.
public struct AuthenticationPolicy: Hashable, Sendable {
  /// The most keys that are offered; servers count each one, and OpenSSH allows six tries in all.
  public var maximumKeys: Int
  /// How often the person may try one passphrase.
  public var maximumPassphraseTries: Int
  /// How often the person may try the password, or keyboard-interactive, together.
  public var maximumPasswordTries: Int
  /// The most rounds of one keyboard-interactive exchange.
  public var maximumRounds: Int
  /// Whether a person may be asked; a silent attempt says no.
  public var isInteractive: Bool
  /// The key types that the engine can use.
  public var keyTypes: Set<SSHKeyType>
  /// Whether the engine can offer OpenSSH certificates.
  public var usesCertificates: Bool

  /// Makes limits; the defaults suit the linked engine.
  public init(
    isInteractive: Bool,
    maximumKeys: Int = 5,
    maximumPassphraseTries: Int = 3,
    maximumPasswordTries: Int = 3,
    maximumRounds: Int = 32,
    keyTypes: Set<SSHKeyType> = [.ed25519, .ecdsaP256, .ecdsaP384, .ecdsaP521, .rsa],
    usesCertificates: Bool = false
  ) {
    self.isInteractive = isInteractive
    self.maximumKeys = max(maximumKeys, 0)
    self.maximumPassphraseTries = max(maximumPassphraseTries, 1)
    self.maximumPasswordTries = max(maximumPasswordTries, 1)
    self.maximumRounds = max(maximumRounds, 1)
    self.keyTypes = keyTypes
    self.usesCertificates = usesCertificates
  }
}
