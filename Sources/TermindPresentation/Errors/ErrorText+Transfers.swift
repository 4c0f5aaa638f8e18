public import TermindApplication
public import TermindDomain

extension ErrorText {
  /// Why a file was not copied, in one sentence, with what is left of the attempt.
  public static func sentence(_ failure: CopyFailure, copying path: RemotePath) -> String {
    var text = "\(plain(path.text)): \(words(for: failure.reason))."
    if let left = failure.leftBehind {
      text += " \(plain(left.text)) is still there"
      if let reason = failure.leftBehindReason { text += ": \(words(for: reason.reason))" }
      text += "."
    }
    return text
  }

  private static func words(for reason: CopyFailureReason) -> String {
    switch reason {
    case .operation(let step, let error):
      let reason = words(for: error.reason)
      let said = plain(error.text)
      // A server's words that only repeat the reason say nothing.
      let isNew = !said.isEmpty && !reason.lowercased().contains(said.lowercased())
      let place = error.path.map { " \(plain($0.text))" } ?? ""
      // The reason first: a path is long, and what stands behind it is cut where there is little room.
      return "\(reason)\(isNew ? " (\(said))" : ""); \(words(for: step))\(place)"
    case .refused(let refusal): return words(for: refusal)
    case .sourceChanged: return "it was changed while it was read"
    case .targetChanged: return "what it is to replace was changed meanwhile"
    case .notResumable:
      return "the source, or the part of it that was copied, was changed in between"
    case .sizeDiffers(let written, let found):
      return "the target holds \(found) bytes, though \(written) were written"
    case .contentDiffers: return "the target holds other bytes than were written"
    case .cancelled: return "it was stopped"
    case .paused: return "it was paused"
    }
  }

  private static func words(for step: CopyStep) -> String {
    switch step {
    case .reading: "reading failed"
    case .writing: "writing failed"
    case .verifying: "the copy did not survive the check"
    case .renaming: "the copy is whole but could not get its name"
    }
  }

  private static func words(for refusal: CopyRefusal) -> String {
    switch refusal {
    case .ontoItself: "it cannot be copied onto itself"
    case .intoItself: "it cannot be copied into itself"
    case .holdsSource:
      "it lies in the directory that is to hold the same as it, and would be deleted there"
    case .special(let kind): "a \(FileText.kind(kind)) is not copied"
    case .otherKind: "a directory stands where a file should go, or the other way round"
    case .exists: "something with that name is there already"
    }
  }

  /// Why an edited list of names cannot be carried out, as the end of a sentence.
  public static func words(for problem: BatchRenameProblem) -> String {
    switch problem {
    case .otherCount(let names, let lines):
      "there are \(lines) lines for \(names) names; a line cannot be added or removed"
    case .noName(let line, let problem): "line \(line) is no name: \(words(for: problem))"
    case .sameName(let name): "two entries would be called ‘\(plain(name.text))’"
    case .taken(let name): "‘\(plain(name.text))’ is there already"
    }
  }

  private static func words(for problem: FileNameProblem) -> String {
    switch problem {
    case .empty: "it is empty"
    case .reserved: "‘.’ and ‘..’ are taken"
    case .separator: "it holds a slash"
    case .zeroByte: "it holds a zero byte"
    }
  }

  /// Why something was left out of a transfer.
  public static func sentence(_ skip: TransferSkip, of path: RemotePath) -> String {
    switch skip {
    case .special(let kind): "\(plain(path.text)): left out, a \(FileText.kind(kind))."
    case .exists: "\(plain(path.text)): left out, something with that name is there."
    case .isThere: "\(plain(path.text)): it is there already."
    case .ownTarget: "\(plain(path.text)): left out, it is where the copy goes."
    case .badName(let name): "\(plain(path.text)): left out, ‘\(plain(name))’ can be no name."
    }
  }
}
