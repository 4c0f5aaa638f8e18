internal import Glibc
internal import TermindDomain

/// Why a file on this machine could not be read.
enum LocalFileError: Error, Equatable {
  case absent
  case notRegular
  case tooLarge(byteCount: Int)
  case unreadable(diagnostic: String)

  var reason: String {
    switch self {
    case .absent: "no such file"
    case .notRegular: "not a regular file"
    case .tooLarge(let byteCount): "too large (\(byteCount) bytes)"
    case .unreadable(let diagnostic): diagnostic
    }
  }
}

/// A whole file, read with bounds and without following surprises such as pipes.
struct LocalFile {
  let bytes: SecretBytes
  /// The permission bits.
  let mode: UInt32
  /// Whether the calling user owns it.
  let isOwn: Bool

  static func read(_ path: String, limit: Int) throws(LocalFileError) -> LocalFile {
    guard !path.utf8.contains(0) else { throw .absent }
    // O_NONBLOCK keeps a pipe without a writer from blocking; it means nothing for regular files.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw failure() }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    let byteCount = Int(status.st_size)
    guard byteCount <= limit else { throw .tooLarge(byteCount: byteCount) }
    var code: Int32 = 0
    let bytes = unsafe SecretBytes(count: byteCount) { memory in
      var used = 0
      while used < byteCount {
        let count = unsafe Glibc.read(
          descriptor,
          memory.baseAddress.map { unsafe $0 + used },
          byteCount - used
        )
        if count < 0 && errno == EINTR { continue }
        if count < 0 { code = errno }
        if count <= 0 { break }
        used += count
      }
      return used
    }
    guard code == 0 else { throw .unreadable(diagnostic: text(of: code)) }
    return LocalFile(
      bytes: bytes,
      mode: UInt32(status.st_mode & 0o7777),
      isOwn: status.st_uid == getuid()
    )
  }

  private static func failure() -> LocalFileError {
    let code = errno
    return code == ENOENT || code == ENOTDIR ? .absent : .unreadable(diagnostic: text(of: code))
  }

  private static func text(of code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
