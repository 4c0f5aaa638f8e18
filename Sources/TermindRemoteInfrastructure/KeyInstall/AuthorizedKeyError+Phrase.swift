// Short reasons; the sentence around them, and what to press, is made elsewhere.

extension AuthorizedKeyError {
  /// What is wrong, as the end of a sentence such as "The key was not installed: …".
  ///
  /// What the host wrote is not in it: it has to be shown sanitised, from the error's own payload.
  public var phrase: String {
    switch self {
    case .isCertificate: "a host trusts the authority of a certificate, not the certificate"
    case .unreachable: "the connection does not carry it"
    case .failed(let step, _):
      switch step {
      case .home: "the account has no home directory"
      case .directory: "~/.ssh cannot be made"
      case .reading: "~/.ssh/authorized_keys cannot be read"
      case .writing: "~/.ssh/authorized_keys cannot be written"
      case .permissions: "the permissions of ~/.ssh/authorized_keys cannot be set"
      }
    case .noShell: "the account does not run commands of a POSIX shell"
    case .timedOut(let seconds): "the host did not finish within \(seconds) s"
    case .cancelled: "it was stopped"
    }
  }
}
