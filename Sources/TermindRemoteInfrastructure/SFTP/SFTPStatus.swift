internal import TermindDomain

/// What a status of a server means.
enum SFTPStatus {
  static let ok: UInt32 = 0
  static let endOfFile: UInt32 = 1
  static let failure: UInt32 = 4
  static let unsupported: UInt32 = 8

  /// The error behind a status that is not `ok`.
  ///
  /// Version 3 has eight codes; some servers send those of later versions too (draft-ietf-secsh-filexfer-13, 9.1), and
  /// for most troubles of a disk there is only "failure", where the server's text may tell more.
  static func error(code: UInt32, text: String) -> FileError {
    FileError(reason(code, text), text: text)
  }

  /// The error behind a status in the answer to a write; "failure" then says that the bytes were not taken.
  static func writeError(code: UInt32, text: String) -> FileError {
    var error = error(code: code, text: text)
    if error.reason == .failed { error.reason = .writeRefused }
    return error
  }

  private static func reason(_ code: UInt32, _ text: String) -> FileErrorReason {
    switch code {
    case 2, 10: .notFound
    case 3: hint(text) ?? .denied
    case 4, 5: hint(text) ?? .failed
    case 6, 7: .connectionLost(text)
    case 8: .unsupported
    case 11: .exists
    case 12: .readOnly
    case 14: .diskFull
    case 15: .quotaExceeded
    case 17: .busy
    case 18: .notEmpty
    case 19: .notDirectory
    case 20: .badName
    case 21: .linkLoop
    case 24: .isDirectory
    default: .failed
    }
  }

  /// What the C library's words for an error say, which several servers pass on.
  private static func hint(_ text: String) -> FileErrorReason? {
    let lower = text.lowercased()
    return words.first { lower.contains($0.0) }?.1
  }

  private static let words: [(String, FileErrorReason)] = [
    ("no space left", .diskFull), ("disk full", .diskFull), ("quota", .quotaExceeded),
    ("read-only file system", .readOnly), ("file exists", .exists),
    ("already exists", .exists), ("not empty", .notEmpty), ("not a directory", .notDirectory),
    ("is a directory", .isDirectory), ("name too long", .badName),
    ("too many levels of symbolic links", .linkLoop), ("cross-device", .crossDevice),
    ("text file busy", .busy), ("device or resource busy", .busy),
    ("no such file", .notFound), ("not supported", .unsupported),
    ("not implemented", .unsupported),
  ]
}
