internal import CLinux
internal import Glibc
internal import TermindDomain

/// What the system tells of files, in the words of the domain.
enum LocalFileStatus {
  static func attributes(_ status: stat) -> FileAttributes {
    FileAttributes(
      kind: FileKind(mode: status.st_mode),
      size: UInt64(clamping: status.st_size),
      userID: status.st_uid,
      groupID: status.st_gid,
      permissions: status.st_mode & 0o7777,
      accessed: time(status.st_atim),
      modified: time(status.st_mtim)
    )
  }

  private static func time(_ time: timespec) -> FileTime {
    FileTime(seconds: Int64(time.tv_sec), nanoseconds: UInt32(clamping: time.tv_nsec))
  }

  static func timespecs(_ times: FileTimes) -> [timespec] {
    [times.accessed, times.modified].map {
      timespec(tv_sec: Int($0.seconds), tv_nsec: Int($0.nanoseconds))
    }
  }

  /// The error that a failed call of this thread has left.
  static func lastError(_ path: RemotePath) -> FileError { error(errno, path) }

  static func error(_ code: Int32, _ path: RemotePath) -> FileError {
    FileError(reason(code), path: path, text: SystemText.text(of: code))
  }

  private static func reason(_ code: Int32) -> FileErrorReason {
    switch code {
    case ENOENT: .notFound
    case EACCES, EPERM: .denied
    case EEXIST: .exists
    case ENOTDIR: .notDirectory
    case EISDIR: .isDirectory
    case ENOTEMPTY: .notEmpty
    case ENOSPC: .diskFull
    case EDQUOT: .quotaExceeded
    case EROFS: .readOnly
    case ENAMETOOLONG, EILSEQ: .badName
    case ELOOP: .linkLoop
    case EBUSY, ETXTBSY: .busy
    case EXDEV: .crossDevice
    case ENOSYS, EOPNOTSUPP: .unsupported
    default: .failed
    }
  }
}

/// A path as the system's calls take it.
enum LocalPath {
  /// The bytes with a zero behind them.
  static func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
