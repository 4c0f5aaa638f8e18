import TermindApplication
import TermindDomain
import TermindPresentation
import TermindRemoteInfrastructure

/// Words for what can go wrong in the Vault.
enum VaultErrorText {
  private static let keys = ExplanationKeys(retry: "the key again", close: "esc")

  /// The reason in one or two sentences.
  static func text(_ error: any Error) -> String {
    switch error {
    case let error as StoreError: ErrorText.text(of: error)
    case let error as ConnectionFailure: ErrorText.explain(error, keys: keys).detail
    case let error as SecretStoreError: ErrorText.explain(error, keys: keys).detail
    case let error as KeyWorkError: text(error)
    case let error as AgentError: text(error)
    case let error as HostImportError: text(error)
    case let error as AuthorizedKeyError: text(error)
    case let error as RouteBuildError: ErrorText.explain(error, keys: keys).detail
    case is PublicKeyError: "The public key cannot be read."
    case let error as VaultFileError: error.sentence
    case let error as FormProblem: error.sentence
    default: "It did not work: \(error)"
    }
  }
}

extension VaultErrorText {
  fileprivate static func text(_ error: KeyWorkError) -> String {
    switch error {
    case .unusable(.wrongPassphrase): "The passphrase does not open the key."
    case .unusable(let reason): "It holds no key that can be used: \(reason.reason)."
    case .needsPassphrase: "The key is locked; type its passphrase."
    case .passphraseIsEmpty: "A passphrase must not be empty."
    case .publicOnly: "This is a public key only."
    case .cancelled: "It was given up."
    case .failed: "The key could not be made."
    }
  }

  fileprivate static func text(_ error: AuthorizedKeyError) -> String {
    switch error {
    case .isCertificate: "A certificate cannot be installed; install its key."
    case .unreachable(let failure): ErrorText.explain(failure, keys: keys).detail
    case .failed(let step, let text):
      "The key was not installed: \(words(step)) failed (\(ErrorText.shown(text)))."
    case .noShell(let text):
      "The key was not installed: the host runs no commands (\(ErrorText.shown(text)))."
    case .timedOut(let seconds):
      "The host did not finish within \(seconds) s; install again to see whether the key is there."
    case .cancelled: "It was given up; install again to see whether the key is there."
    }
  }

  private static func words(_ step: AuthorizedKeyError.Step) -> String {
    switch step {
    case .home: "finding the home directory"
    case .directory: "making ~/.ssh"
    case .reading: "reading authorized_keys"
    case .writing: "writing authorized_keys"
    case .permissions: "setting the permissions"
    }
  }

  fileprivate static func text(_ error: AgentError) -> String {
    switch error {
    case .unavailable: "No agent answers; start ssh-agent, or set SSH_AUTH_SOCK."
    case .refused: "The agent refused."
    case .malformed: "The agent's answer cannot be read."
    case .timedOut: "The agent did not answer in time."
    case .cancelled: "It was given up."
    }
  }

  fileprivate static func text(_ error: HostImportError) -> String {
    switch error {
    case .store(let error): ErrorText.text(of: error)
    case .keyChanged(let path):
      "Nothing was imported: the key file \(path) has changed since it was shown."
    case .keyUnusable(let path, let problem):
      "Nothing was imported: \(path): \(ImportWords.text(problem))."
    case .nameTaken(let name): "Nothing was imported: the name \(name) is taken by now."
    case .invalid(let name, let problem):
      "Nothing was imported: \(name): \(ImportWords.text(problem))."
    }
  }
}

/// Why a file could not be read or written.
nonisolated struct VaultFileError: Error, Hashable {
  /// The reason, as one sentence.
  let sentence: String
}
