import TermindApplication
import TermindDomain
import TermindPresentation

/// Words for what can go wrong in the Vault.
enum VaultErrorText {
  private static let keys = ExplanationKeys(retry: "the key again", close: "esc")

  /// The reason in one or two sentences.
  static func text(_ error: any Error) -> String {
    switch error {
    case let error as StoreError: ErrorText.explain(error, keys: keys).detail
    case let error as ConnectionFailure: ErrorText.explain(error, keys: keys).detail
    case let error as SecretStoreError: ErrorText.explain(error, keys: keys).detail
    case let error as VaultFileError: error.sentence
    case let error as FormProblem: error.sentence
    default: "It did not work: \(error)"
    }
  }
}

/// Why a file could not be read or written.
nonisolated struct VaultFileError: Error, Hashable {
  /// The reason, as one sentence.
  let sentence: String
}
