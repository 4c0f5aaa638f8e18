public import TermindApplication

extension ErrorText {
  /// Explains why the secret store did not do what was asked.
  public static func explain(
    _ error: SecretStoreError,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let retry = "Press \(keys.retry) to try again."
    func secrets(_ state: String, _ detail: String, _ next: String = retry) -> Explanation {
      Explanation(state: state, detail: detail, next: next)
    }
    switch error {
    case .locked: return secrets("locked", "The secret store is locked.", "Unlock it first.")
    case .wrongPassphrase: return secrets("wrong passphrase", "The passphrase does not open it.")
    case .passphraseIsEmpty: return secrets("no passphrase", "A passphrase must not be empty.")
    case .notSetUp:
      return secrets("not set up", "There is no secret store yet.", "Choose a passphrase for it.")
    case .alreadySetUp:
      return secrets("set up already", "The secret store has a passphrase already.", "Unlock it.")
    case .passphraseIsKeyrings:
      return secrets(
        "keyring",
        "The passphrase is the desktop keyring's.",
        "Change it with the desktop's own program for passwords and keys."
      )
    case .notFound:
      return secrets("gone", "The secret is not in the secret store any more.", "Type it again.")
    case .wrongSize(let count):
      return secrets("too large", "A secret of \(count) bytes cannot be kept.", "Take another one.")
    case .damaged(let path, let damage):
      return secrets(
        "damaged",
        "The sealed file \(quoted(path)) is broken: \(words(damage)). It was left as it is.",
        "Put a copy from before in its place, then unlock again."
      )
    case .newerFormat(let path, let found, let supported):
      return secrets(
        "too new",
        "The sealed file \(quoted(path)) was written by a newer Termind (its format is \(found); "
          + "this one knows up to \(supported)).",
        "Start the newer Termind."
      )
    case .busy(let path, let note):
      return secrets(
        "in use",
        "Another process has the sealed file \(quoted(path)) open\(because(note))."
      )
    case .changedElsewhere(let path):
      return secrets(
        "changed",
        "Another program put another file in the place of \(quoted(path)).",
        "Lock the secret store and unlock it again."
      )
    case .unsafeFile(let path, let reason):
      return secrets(
        "unsafe",
        "The sealed file \(quoted(path)) is not used\(because(reason)).",
        "Make it a file of your own, then try again."
      )
    case .unreadable(let path, let diagnostic):
      return secrets("unreadable", "\(quoted(path)) cannot be read\(because(diagnostic)).")
    case .notWritable(let path, let diagnostic):
      return secrets(
        "not writable",
        "Nothing was kept: \(quoted(path)) cannot be written\(because(diagnostic))."
      )
    case .notEnoughMemory(let count):
      return secrets(
        "no memory",
        "There are no \(count >> 20) MiB of memory to check a passphrase."
      )
    default: return keyring(error, secrets)
    }
  }

  private static func keyring(
    _ error: SecretStoreError,
    _ secrets: (String, String, String) -> Explanation
  ) -> Explanation {
    let other = "Choose the sealed file instead, or try again."
    switch error {
    case .noMessageBus:
      return secrets("no keyring", "This session has no message bus for a keyring.", other)
    case .libraryMissing(let name, _):
      return secrets("no keyring", "The library \(quoted(name)) is not installed.", other)
    case .noKeyring(let diagnostic):
      return secrets("no keyring", "No keyring answers\(because(diagnostic)).", other)
    case .timedOut(let seconds):
      return secrets("timed out", "The keyring did not answer within \(seconds) s.", other)
    case .dismissed:
      return secrets("dismissed", "The keyring's question was closed.", "Try again.")
    case .cancelled: return secrets("cancelled", "It was given up.", "Try again.")
    case .failed(let diagnostic):
      return secrets("failed", "The secret store failed\(because(diagnostic)).", "Try again.")
    default: return secrets("failed", "The secret store failed.", "Try again.")
    }
  }

  private static func words(_ damage: SecretStoreError.Damage) -> String {
    switch damage {
    case .notSealed: "it does not begin as a sealed file does"
    case .truncated: "its end is missing"
    case .extended: "something stands behind its end"
    case .header: "its beginning was altered"
    case .content: "the sealed secrets were altered"
    }
  }
}
