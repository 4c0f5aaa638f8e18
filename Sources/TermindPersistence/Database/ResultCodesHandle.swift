internal import CSQLite
internal import Glibc
internal import TermindApplication

extension DatabaseError {
  /// What the failure means to a caller.
  func storeError(path: String) -> StoreError {
    let diagnostic = "\(message) (\(code))"
    switch primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return .locked(path: path)
    case SQLITE_FULL:
      return .diskFull(path: path)
    case SQLITE_READONLY, SQLITE_PERM:
      return .notWritable(path: path, diagnostic: diagnostic)
    case SQLITE_IOERR where Self.noRoom.contains(systemError):
      return .diskFull(path: path)
    case SQLITE_IOERR where Self.isWriteFailure(code):
      return .notWritable(path: path, diagnostic: diagnostic)
    case SQLITE_CANTOPEN:
      return .cannotOpen(path: path, diagnostic: diagnostic)
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return .corrupt(path: path, diagnostic: diagnostic)
    case SQLITE_CONSTRAINT:
      return .conflict(brokenRule)
    default:
      return .failed(diagnostic: diagnostic)
    }
  }

  /// The system's numbers for a full disk, a used-up quota, and a file at its greatest size.
  private static let noRoom = [ENOSPC, EDQUOT, EFBIG]

  /// What a constraint failure names after its colon, such as `hosts.name`.
  private var brokenRule: String {
    message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? message
  }

  // The extended codes of SQLITE_IOERR are macros that add and shift, so they do not import.
  private static func isWriteFailure(_ code: Int32) -> Bool {
    let write: Int32 = 3
    let fsync: Int32 = 4
    let truncate: Int32 = 6
    let delete: Int32 = 10
    let shmOpen: Int32 = 18
    let shmSize: Int32 = 19
    return [write, fsync, truncate, delete, shmOpen, shmSize].contains(code >> 8)
  }
}
