// Short reasons for the payload of a challenge; sentences for people are made elsewhere.

extension SkippedKey.Reason {
  /// Why the key was not used; nil when nobody was asked.
  var phrase: String? {
    switch self {
    case .unusable(let error): error.reason
    case .unsupportedType(let name):
      SSHKeyType.needsOpenSSHEngine(name)
        ? "keys of type \(name) need the OpenSSH engine"
        : "keys of type \(name) cannot be used here"
    case .needsOpenSSHEngine: "it needs the OpenSSH engine"
    case .agentLacksKey: "the agent does not hold it"
    case .secret(let problem): problem.phrase
    case .needsPassphrase: nil
    // The question that comes next stands in the same place, and is another one.
    case .passphraseDeclined: "its passphrase was not given"
    case .overLimit: "servers allow only a few keys, and others came first"
    case .signingFailed(let error): error.phrase
    }
  }
}

extension SigningError {
  /// Why nothing was signed.
  var phrase: String {
    switch self {
    case .unsupportedAlgorithm(let name): "it cannot sign as \(name)"
    case .agentUnavailable: "the agent is gone"
    case .agentRefused: "the agent did not sign with it"
    case .agentReplyMalformed: "the agent's answer cannot be read"
    case .timedOut: "the agent did not answer"
    case .cancelled: "signing was stopped"
    case .failed(let diagnostic): diagnostic
    }
  }
}

extension AgentError {
  /// Why the agent's keys are not known.
  var phrase: String {
    switch self {
    case .unavailable: "it cannot be reached"
    case .refused: "it refused to list them"
    case .malformed: "its answer cannot be read"
    case .timedOut: "it did not answer"
    case .cancelled: "the question was stopped"
    }
  }
}

extension SSHKeyType {
  /// Whether OpenSSH's own program can use keys of a type that the linked engine cannot: certificates and
  /// security keys.
  fileprivate static func needsOpenSSHEngine(_ name: String) -> Bool {
    isCertificate(name) || name.hasPrefix("sk-")
  }
}
