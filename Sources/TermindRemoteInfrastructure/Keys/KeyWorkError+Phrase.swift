// Short reasons; the sentence around them, and what to press, is made elsewhere.

extension KeyWorkError {
  /// What is wrong, as the end of a sentence such as "The key cannot be kept: …".
  public var phrase: String {
    switch self {
    case .unusable(let error): error.reason
    case .needsPassphrase: "its passphrase is needed"
    case .passphraseIsEmpty: "the passphrase is empty"
    case .publicOnly: "it is a public key, without its private half"
    case .cancelled: "it was stopped"
    case .failed(let diagnostic): diagnostic
    }
  }
}
