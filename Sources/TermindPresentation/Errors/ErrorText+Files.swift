public import TermindDomain

extension ErrorText {
  /// Why an operation on files failed, in one sentence with the path and the server's own words.
  public static func sentence(_ error: FileError) -> String {
    let reason = words(for: error.reason)
    let start = error.path.map { "\(plain($0.text)): " } ?? ""
    let said = plain(error.text)
    // A server's words that only repeat the reason say nothing.
    let isNew = !said.isEmpty && !reason.lowercased().contains(said.lowercased())
    return start + reason + (isNew ? " (\(said))" : "") + "."
  }

  /// A few words for a reason.
  public static func words(for reason: FileErrorReason) -> String {
    switch reason {
    case .notFound: "there is no such file or directory"
    case .denied: "permission denied"
    case .exists: "something with that name is there already"
    case .notDirectory: "it is no directory"
    case .isDirectory: "it is a directory"
    case .notEmpty: "the directory is not empty"
    case .diskFull: "the disk is full"
    case .quotaExceeded: "the quota is used up"
    case .writeRefused:
      "the server takes no more data, though its disk has room: a quota may be used up, or the disk is in trouble"
    case .readOnly: "the file system can only be read"
    case .badName: "the name is not allowed there, or is too long"
    case .linkLoop: "symbolic links lead in a circle, or the tree is too deep"
    case .busy: "it is in use"
    case .crossDevice: "both places are on different file systems"
    case .unsupported: "the server cannot do that"
    case .connectionLost(let text): "the connection is gone" + because(text)
    case .noFileAccess(let text): "the account has no SFTP" + because(text)
    case .noRootAccess(let text): "the account did not become root" + because(text)
    case .startUpText(let text):
      "the account's shell prints text before SFTP starts, which breaks it: \(quoted(text))"
    case .protocolBroken(let text): "the server broke the SFTP protocol" + because(text)
    case .cancelled: "it was stopped"
    case .failed: "the server says only that it failed"
    }
  }

  /// Explains why a file pane shows nothing, or nothing more.
  public static func explain(
    _ error: FileError,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let retry = "Press \(keys.retry) to try again, or \(keys.close) to close the pane."
    switch error.reason {
    case .noFileAccess:
      return Explanation(
        state: "no SFTP",
        detail: "The server gives this account no SFTP"
          + (error.text.isEmpty ? "" : because(error.text)) + noAccessReason(error.reason) + ".",
        next: retry
      )
    case .noRootAccess:
      return Explanation(
        state: "not root",
        detail: sentence(error),
        next: "The command is root-command of the configuration. \(retry)"
      )
    case .startUpText:
      return Explanation(
        state: "no SFTP",
        detail: sentence(error),
        next: "Let the start-up files print only in terminals, then press \(keys.retry)."
      )
    case .protocolBroken:
      return Explanation(state: "broken", detail: sentence(error), next: retry)
    default: return Explanation(state: "ended", detail: sentence(error), next: retry)
    }
  }

  private static func noAccessReason(_ reason: FileErrorReason) -> String {
    guard case .noFileAccess(let text) = reason else { return "" }
    return because(text)
  }
}
